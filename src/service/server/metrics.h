// Counters of the server, printed in the text format that Prometheus reads.
// Thread safety: one thread at a time.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace rowbot::server {

/// How many durations fell below each bound.
class Histogram {
 public:
  void add(std::chrono::nanoseconds duration);
  void print(std::string& text, std::string_view name, std::string_view labels) const;

 private:
  static constexpr std::array<double, 12> kBounds{0.001, 0.005, 0.01, 0.025, 0.05, 0.1,
                                                  0.25,  0.5,   1,    2.5,   5,    10};
  std::array<std::uint64_t, kBounds.size() + 1> counts_{};
  double sum_ = 0;
};

struct Metrics {
  std::map<int, std::uint64_t> requests;  ///< by status
  Histogram request_seconds;
  std::map<std::string, Histogram, std::less<>> answer_seconds;  ///< agents' moves by level
  std::uint64_t games = 0;
  std::uint64_t moves = 0;
  std::uint64_t results = 0;
  std::uint64_t surveys = 0;
  std::uint64_t refused_connections = 0;
  std::uint64_t store_failures = 0;
  std::uint64_t over_budget = 0;             ///< requests refused with 429 because of their cost
  std::uint64_t failed_handlers = 0;         ///< work on the loop that ended with an exception
  bool store_writable = true;                ///< as of the last write
  std::chrono::nanoseconds loop_longest{0};  ///< the longest piece of work posted to the loop
  // As of now, set before printing.
  std::size_t connections = 0;
  std::size_t watchers = 0;
  std::size_t live_games = 0;
  std::size_t short_waiting = 0;
  std::size_t long_waiting = 0;
  std::size_t solver_waiting = 0;
  std::size_t background_waiting = 0;

  [[nodiscard]] std::string text() const;
};

}  // namespace rowbot::server
