// The laboratory as visitors meet it: agents to choose from, matches to start and watch, past
// experiments. The answers are JSON; docs/openapi.json describes it.
// Thread safety: one thread at a time; it has a thread of its own for the matches.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "service/server/api_error.h"
#include "service/server/lab/experiment_reports.h"
#include "service/server/lab/match_runner.h"
#include "service/server/options.h"

namespace rowbot::server {

class Laboratory {
 public:
  explicit Laboratory(const LaboratoryOptions& options)
      : per_client_(options.per_client), bench_(options), shelf_(options.database) {}

  [[nodiscard]] static std::string agents();
  /// 503 when too many matches wait, 429 when too many of them are this client's.
  [[nodiscard]] HttpResult<std::string> start(std::string_view body, const std::string& client);
  [[nodiscard]] HttpResult<std::string> look(const std::string& id) const;
  [[nodiscard]] HttpResult<std::string> stop(const std::string& id);
  [[nodiscard]] HttpResult<std::string> experiments();

 private:
  std::size_t per_client_;
  MatchRunner bench_;
  ExperimentReports shelf_;
};

}  // namespace rowbot::server
