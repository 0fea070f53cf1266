#include "robot/drivers/servo/gpio_wire.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <fmt/format.h>

#include "robot/drivers/pacer.h"

namespace rowbot::drivers {
namespace {

constexpr int kPulsePriority = 80;

Nanoseconds from_us(double us) { return Nanoseconds(std::llround(1000 * us)); }
double in_us(Nanoseconds time) { return static_cast<double>(time.count()) / 1000; }

}  // namespace

Nanoseconds PulseClock::now() const { return std::chrono::steady_clock::now().time_since_epoch(); }

void PulseClock::sleep_until(Nanoseconds time) {
  constexpr Nanoseconds kAwake = std::chrono::microseconds(80);
  if (const Nanoseconds early = time - kAwake; early > now()) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(early);
    const timespec until{.tv_sec = seconds.count(), .tv_nsec = (early - seconds).count()};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr);
  }
  while (now() < time) {
  }
}

GpioWire::GpioWire(Opener opener, std::shared_ptr<PulseClock> clock, GpioWireOptions options)
    : opener_(std::move(opener)),
      clock_(std::move(clock)),
      options_(std::move(options)),
      widths_us_(options_.lines.size()) {}

GpioWire::~GpioWire() {
  thread_.request_stop();
  if (thread_.joinable()) thread_.join();
}

Result<void> GpioWire::open() {
  thread_.request_stop();
  if (thread_.joinable()) thread_.join();
  lines_.reset();  // the chip must be free before it is asked for again
  {
    const std::scoped_lock lock(mutex_);
    std::ranges::fill(widths_us_, std::nullopt);
    failure_.reset();
  }
  auto lines = opener_();
  if (!lines) return lines.error();
  lines_ = *std::move(lines);
  for (std::size_t i = 0; i < options_.lines.size(); ++i) {
    if (auto low = set_surely(i, false); !low) return low;
  }
  if (options_.own_thread) {
    thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
  }
  return {};
}

Result<void> GpioWire::set(std::span<const Pulse> pulses) {
  if (lines_ == nullptr) return Error{"the GPIO lines of the servos are not open"};
  const std::scoped_lock lock(mutex_);
  if (failure_) return *failure_;
  for (const Pulse& pulse : pulses) {
    const auto line = std::ranges::find(options_.lines, pulse.channel);
    widths_us_.at(static_cast<std::size_t>(line - options_.lines.begin())) = pulse.width_us;
  }
  return {};
}

Result<void> GpioWire::off() {
  const std::scoped_lock lock(mutex_);
  std::ranges::fill(widths_us_, std::nullopt);
  return {};
}

Result<void> GpioWire::poll() {
  const std::scoped_lock lock(mutex_);
  if (failure_) return *failure_;
  return {};
}

JitterReport GpioWire::jitter() const {
  const std::scoped_lock lock(mutex_);
  return jitter_;
}

Result<void> GpioWire::set_surely(std::size_t index, bool high) {
  constexpr int kAttempts = 4;
  Result<void> failed;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    failed = lines_->set(index, high);
    if (!failed) continue;
    const auto level = lines_->get(index);
    if (level && *level == high) return {};
    failed = level ? Error{fmt::format("GPIO line {} stays {}; is it shorted, or used by another "
                                       "program?",
                                       options_.lines[index], high ? "low" : "high")}
                   : level.error();
  }
  return failed;
}

Result<void> GpioWire::one_pulse(std::size_t index, double width_us) {
  const Nanoseconds before = clock_->now();
  if (auto up = set_surely(index, true); !up) {
    (void)lines_->set(index, false);
    return up;
  }
  const Nanoseconds begin = clock_->now();
  clock_->sleep_until(begin + from_us(width_us));
  auto down = set_surely(index, false);
  const Nanoseconds end = clock_->now();
  if (!down) return down;
  // The line rose somewhere between `before` and `begin`: take the worse.
  const double early_us = in_us(end - begin) - width_us;
  const double late_us = in_us(end - before) - width_us;
  const double off_us = std::max(std::abs(early_us), std::abs(late_us));
  const std::scoped_lock lock(mutex_);
  ++jitter_.pulses;
  jitter_.mean_us += (off_us - jitter_.mean_us) / static_cast<double>(jitter_.pulses);
  jitter_.worst_us = std::max(jitter_.worst_us, off_us);
  if (off_us <= options_.jitter_us) return {};
  return Error{
      fmt::format("a software pulse on GPIO line {} was off by {:.0f} us of {:.0f}; the "
                  "machine is too busy: give rowbot real-time priority, or use hardware "
                  "PWM or a PCA9685",
                  options_.lines[index], off_us, width_us)};
}

void GpioWire::frame() {
  if (lines_ == nullptr) return;
  std::vector<std::optional<double>> widths_us;
  {
    const std::scoped_lock lock(mutex_);
    widths_us = widths_us_;
  }
  for (std::size_t i = 0; i < widths_us.size(); ++i) {
    if (!widths_us[i]) continue;
    if (auto done = one_pulse(i, *widths_us[i]); !done) {
      const std::scoped_lock lock(mutex_);
      if (!failure_) failure_ = done.error();
    }
  }
}

void GpioWire::run(const std::stop_token& stop) {
  const bool real_time = ask_for_real_time(kPulsePriority);
  {
    const std::scoped_lock lock(mutex_);
    jitter_.real_time = real_time;
  }
  const Nanoseconds period = from_us(1e6 / options_.frequency_hz);
  Nanoseconds due = clock_->now();
  while (!stop.stop_requested()) {
    frame();
    due = std::max(due + period, clock_->now());
    // Asleep until shortly before; only pulses need to be exact.
    std::this_thread::sleep_until(std::chrono::steady_clock::time_point(due));
  }
}

}  // namespace rowbot::drivers
