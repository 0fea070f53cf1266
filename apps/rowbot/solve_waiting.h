// What `rowbot solve` shows while a person waits: the question it works on and the seconds so far.
// Thread safety: one thread tells; a thread of its own writes.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace rowbot::app {

/// One line on standard error, from the first second on, if that is a terminal; it is taken away
/// at the end.
class WaitingLine {
 public:
  /// `task`: what is worked on, "the score".
  explicit WaitingLine(std::string task);
  ~WaitingLine();
  WaitingLine(const WaitingLine&) = delete;
  WaitingLine& operator=(const WaitingLine&) = delete;

  void set_task(std::string task);
  [[nodiscard]] double microseconds() const;  ///< since this was made

 private:
  using Clock = std::chrono::steady_clock;

  void write_until_done();

  Clock::time_point start_ = Clock::now();
  std::mutex mutex_;  // guards task_ and done_
  std::condition_variable changed_;
  std::string task_;
  bool done_ = false;
  std::jthread writer_;  // only at a terminal
};

/// "850 us", "12.3 ms", "7.52 s".
[[nodiscard]] std::string duration_text(double microseconds);

}  // namespace rowbot::app
