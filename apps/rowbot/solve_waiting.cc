#include "solve_waiting.h"

#include <cstdio>
#include <unistd.h>
#include <utility>

#include "fmt/core.h"

namespace rowbot::app {

WaitingLine::WaitingLine(std::string task) : task_(std::move(task)) {
  if (::isatty(STDERR_FILENO) == 1) {
    writer_ = std::jthread([this] { write_until_done(); });
  }
}

WaitingLine::~WaitingLine() {
  {
    const std::scoped_lock lock(mutex_);
    done_ = true;
  }
  changed_.notify_one();
}

void WaitingLine::set_task(std::string task) {
  const std::scoped_lock lock(mutex_);
  task_ = std::move(task);
}

double WaitingLine::microseconds() const {
  return std::chrono::duration<double, std::micro>(Clock::now() - start_).count();
}

void WaitingLine::write_until_done() {
  std::unique_lock lock(mutex_);
  bool written = false;
  while (!changed_.wait_for(lock, std::chrono::seconds(1), [this] { return done_; })) {
    // Back to the line's begin, and what was there before is erased.
    fmt::print(stderr, "\r\x1b[Ksolving {}: {:.0f} s", task_, microseconds() * 1e-6);
    std::fflush(stderr);
    written = true;
  }
  if (written) fmt::print(stderr, "\r\x1b[K");
}

std::string duration_text(double microseconds) {
  if (microseconds < 1e3) return fmt::format("{:.0f} us", microseconds);
  if (microseconds < 1e6) return fmt::format("{:.3g} ms", microseconds * 1e-3);
  return fmt::format("{:.2f} s", microseconds * 1e-6);
}

}  // namespace rowbot::app
