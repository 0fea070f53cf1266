// Servos on plain GPIO lines: the program itself makes the pulses, on a thread with real-time
// priority, one servo after the other so that no edge waits for another's. It measures how long
// each pulse really was. A pulse that was far off has already moved the servo: that is reported as
// a fault, but nothing can take it back. Hardware pulses (sysfs, i2c) have no such weakness.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "robot/drivers/gpio.h"
#include "robot/drivers/servo/servo_wire.h"

namespace rowbot::drivers {

/// Sleeps by the monotonic clock, and the last moment awake, for the sake of precision.
class PulseClock {
 public:
  PulseClock() = default;
  virtual ~PulseClock() = default;
  PulseClock(const PulseClock&) = delete;
  PulseClock& operator=(const PulseClock&) = delete;
  PulseClock(PulseClock&&) = delete;
  PulseClock& operator=(PulseClock&&) = delete;
  [[nodiscard]] virtual Nanoseconds now() const;
  virtual void sleep_until(Nanoseconds time);
};

struct GpioWireOptions {
  std::vector<int> lines;
  double frequency_hz = 50;
  double jitter_us = 100;  // a pulse that is off by more is a fault
  bool own_thread = true;  // otherwise somebody calls frame() once a period
};

/// How far the pulses' real lengths were from the wanted.
struct JitterReport {
  std::uint64_t pulses = 0;
  double mean_us = 0;
  double worst_us = 0;
  bool real_time = false;  // the system granted the priority
};

class GpioWire final : public ServoWire {
 public:
  using Opener = std::function<Result<std::unique_ptr<OutputLines>>()>;
  GpioWire(Opener opener, std::shared_ptr<PulseClock> clock, GpioWireOptions options);
  ~GpioWire() override;
  GpioWire(const GpioWire&) = delete;
  GpioWire& operator=(const GpioWire&) = delete;
  GpioWire(GpioWire&&) = delete;
  GpioWire& operator=(GpioWire&&) = delete;

  Result<void> open() override;
  Result<void> set(std::span<const Pulse> pulses) override;
  Result<void> off() override;
  Result<void> poll() override;

  /// One pulse on each line that has a width.
  void frame();
  [[nodiscard]] JitterReport jitter() const;

 private:
  Result<void> one_pulse(std::size_t index, double width_us);
  /// Sets a line and looks; again a few times when it did not follow.
  Result<void> set_surely(std::size_t index, bool high);
  void run(const std::stop_token& stop);

  Opener opener_;
  std::shared_ptr<PulseClock> clock_;
  GpioWireOptions options_;
  std::unique_ptr<OutputLines> lines_;  // owned by the thread while it runs

  mutable std::mutex mutex_;  // guards the three below
  std::vector<std::optional<double>> widths_us_;
  std::optional<Error> failure_;
  JitterReport jitter_;

  std::jthread thread_;
};

}  // namespace rowbot::drivers
