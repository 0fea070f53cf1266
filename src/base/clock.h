// Time that code asks for: the machine's, or one that a test moves by hand.
// Thread safety: everything from any thread.
#pragma once

#include <atomic>
#include <chrono>

namespace rowbot {

class Clock {
 public:
  using Duration = std::chrono::nanoseconds;
  using Moment = std::chrono::time_point<std::chrono::steady_clock, Duration>;

  Clock() = default;
  Clock(const Clock&) = delete;
  Clock& operator=(const Clock&) = delete;
  Clock(Clock&&) = delete;
  Clock& operator=(Clock&&) = delete;
  virtual ~Clock() = default;

  [[nodiscard]] virtual Moment now() const = 0;
};

/// The machine's steady clock.
[[nodiscard]] inline const Clock& real_clock() {
  class RealClock final : public Clock {
   public:
    [[nodiscard]] Moment now() const override { return std::chrono::steady_clock::now(); }
  };
  static const RealClock clock;
  return clock;
}

/// Stands still until it is moved.
class SimulatedClock final : public Clock {
 public:
  [[nodiscard]] Moment now() const override { return Moment(Duration(nanoseconds_.load())); }
  void advance(Duration time) { nanoseconds_ += time.count(); }

 private:
  std::atomic<Duration::rep> nanoseconds_{0};
};

/// The moment to give up. Without one, never.
class Deadline {
 public:
  Deadline() = default;
  Deadline(const Clock& clock, Clock::Moment moment) : clock_(&clock), moment_(moment) {}
  [[nodiscard]] bool passed() const { return clock_ != nullptr && clock_->now() >= moment_; }

 private:
  const Clock* clock_ = nullptr;
  Clock::Moment moment_;
};

}  // namespace rowbot
