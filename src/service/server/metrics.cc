#include "service/server/metrics.h"

#include "fmt/core.h"

namespace rowbot::server {

void Histogram::add(std::chrono::nanoseconds duration) {
  const double seconds = std::chrono::duration<double>(duration).count();
  std::size_t i = 0;
  while (i < kBounds.size() && seconds > kBounds.at(i)) ++i;
  ++counts_.at(i);
  sum_ += seconds;
}

void Histogram::print(std::string& text, std::string_view name, std::string_view labels) const {
  const std::string_view comma = labels.empty() ? "" : ",";
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    sum += counts_.at(i);
    const std::string bound = i < kBounds.size() ? fmt::format("{}", kBounds.at(i)) : "+Inf";
    text += fmt::format("{}_bucket{{{}{}le=\"{}\"}} {}\n", name, labels, comma, bound, sum);
  }
  const std::string braces = labels.empty() ? "" : fmt::format("{{{}}}", labels);
  text += fmt::format("{}_sum{} {}\n{}_count{} {}\n", name, braces, sum_, name, braces, sum);
}

std::string Metrics::text() const {
  std::string text;
  const auto single = [&text](std::string_view name, std::string_view type, std::uint64_t value) {
    text += fmt::format("# TYPE rowbot_{} {}\nrowbot_{} {}\n", name, type, name, value);
  };
  text += "# TYPE rowbot_requests_total counter\n";
  for (const auto& [status, count] : requests) {
    text += fmt::format("rowbot_requests_total{{status=\"{}\"}} {}\n", status, count);
  }
  text += "# TYPE rowbot_request_seconds histogram\n";
  request_seconds.print(text, "rowbot_request_seconds", "");
  text += "# TYPE rowbot_answer_seconds histogram\n";
  for (const auto& [level, histogram] : answer_seconds) {
    histogram.print(text, "rowbot_answer_seconds", fmt::format("level=\"{}\"", level));
  }
  single("games_total", "counter", games);
  single("moves_total", "counter", moves);
  single("results_total", "counter", results);
  single("surveys_total", "counter", surveys);
  single("refused_connections_total", "counter", refused_connections);
  single("store_failures_total", "counter", store_failures);
  single("store_writable", "gauge", store_writable ? 1 : 0);
  single("over_budget_total", "counter", over_budget);
  single("failed_handlers_total", "counter", failed_handlers);
  text +=
      fmt::format("# TYPE rowbot_loop_longest_seconds gauge\nrowbot_loop_longest_seconds {:.6f}\n",
                  std::chrono::duration<double>(loop_longest).count());
  single("connections", "gauge", connections);
  single("watchers", "gauge", watchers);
  single("live_games", "gauge", live_games);
  single("short_searches_waiting", "gauge", short_waiting);
  single("long_searches_waiting", "gauge", long_waiting);
  single("solver_searches_waiting", "gauge", solver_waiting);
  single("background_searches_waiting", "gauge", background_waiting);
  return text;
}

}  // namespace rowbot::server
