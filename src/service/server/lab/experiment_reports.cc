#include "service/server/lab/experiment_reports.h"

#include <utility>

#include "fmt/core.h"
#include "lab/experiments/experiment.h"
#include "lab/experiments/report.h"
#include "nlohmann/json.hpp"

namespace rowbot::server {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::chrono::seconds kFresh{5};

/// Null when it was not run. One that cannot be read has a problem instead.
void put_report(Json& entry, const std::optional<std::string>& stored) {
  entry["report"] = nullptr;
  entry["problem"] = nullptr;
  if (!stored) return;
  const auto report = lab::parse_report_json(*stored);
  if (report) {
    entry["report"] = Json::parse(lab::report_json(*report), nullptr, false);
  } else {
    entry["problem"] = report.error().message;
  }
}

}  // namespace

Result<std::string> ExperimentReports::json(Clock::time_point now) {
  if (!read_.empty() && now - when_ < kFresh) return read_;
  if (!tables_ && !database_.empty()) {
    auto opened = store::Archive::open(database_, {.check_all = false});
    if (!opened) return opened.error();
    tables_.emplace(*std::move(opened));
  }
  Json experiments = Json::array();
  for (const lab::Experiment& experiment : lab::experiments()) {
    std::optional<std::string> stored;
    if (tables_) {
      auto found = tables_->report(experiment.name);
      if (!found) return found.error();
      stored = *std::move(found);
    }
    Json entry{{"name", experiment.name},
               {"title", experiment.title},
               {"source", experiment.source},
               {"command", fmt::format("rowbot experiment run {}", experiment.name)}};
    put_report(entry, stored);
    experiments.push_back(std::move(entry));
  }
  read_ = Json{{"experiments", std::move(experiments)}}.dump(-1, ' ', false,
                                                             Json::error_handler_t::replace);
  when_ = now;
  return read_;
}

}  // namespace rowbot::server
