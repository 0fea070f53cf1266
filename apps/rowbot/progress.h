// A line about long work on standard error: how far it is and how long it will take.
// Thread safety: none; one thread at a time.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <unistd.h>

namespace rowbot::app {

/// Often to a person, seldom to a log.
class ProgressLine {
 public:
  /// `unit` in the plural: "positions", "drops".
  explicit ProgressLine(std::string unit) : unit_(std::move(unit)) {}

  /// `resumed` of the `done` were done by earlier runs and say nothing about the speed.
  void show(std::size_t done, std::size_t total, std::size_t resumed = 0);

 private:
  using Clock = std::chrono::steady_clock;

  std::string unit_;
  bool live_ = ::isatty(STDERR_FILENO) == 1;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_ = start_;
};

}  // namespace rowbot::app
