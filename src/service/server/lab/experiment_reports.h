// Past experiments from the laboratory's database, for the page.
// Thread safety: one thread at a time.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "base/result.h"
#include "service/store/archive.h"

namespace rowbot::server {

class ExperimentReports {
 public:
  using Clock = std::chrono::steady_clock;

  /// The file is opened when somebody asks. Empty: no experiment was ever run.
  explicit ExperimentReports(std::string database) : database_(std::move(database)) {}

  /// All experiments, with the report of those that were run. Blocks for some milliseconds; what
  /// was read is given again for a few seconds.
  [[nodiscard]] Result<std::string> json(Clock::time_point now);

 private:
  std::string database_;
  std::optional<store::Archive> tables_;
  std::string read_;
  Clock::time_point when_{};
};

}  // namespace rowbot::server
