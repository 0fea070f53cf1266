// The laboratory as visitors meet it: agents to choose from, matches to start and watch, past
// experiments. The answers are JSON; docs/openapi.json describes it.
// Thread safety: one thread at a time but for read_experiments(); it has a thread of its own for
// the matches.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"
#include "service/server/api_error.h"
#include "service/server/http/messages.h"
#include "service/server/lab/experiment_reports.h"
#include "service/server/lab/match_runner.h"
#include "service/server/options.h"

namespace rowbot::server {

class Laboratory {
 public:
  explicit Laboratory(const LaboratoryOptions& options)
      : per_client_(options.per_client), runner_(options), reports_(options.database) {}

  [[nodiscard]] static std::string agents();
  /// 503 when too many matches wait, 429 when too many of them are this client's.
  [[nodiscard]] HttpResult<std::string> start(const LabMatchMessage& message,
                                              const std::string& client);
  /// The same from a request's body; makes both agents to check it.
  [[nodiscard]] HttpResult<std::string> start(std::string_view body, const std::string& client);
  [[nodiscard]] HttpResult<std::string> get(const std::string& id) const;
  [[nodiscard]] HttpResult<std::string> stop(const std::string& id);
  /// Reads the disk; the first time all of the file. From any thread, one at a time.
  [[nodiscard]] Result<std::string> read_experiments();

 private:
  std::size_t per_client_;
  MatchRunner runner_;
  ExperimentReports reports_;
};

}  // namespace rowbot::server
