// Far ends of the three servo wires: they take the same bytes as the real ones, show the pulses
// that come out, and can misbehave. Thread safety: none.
#pragma once

#include <array>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/rng.h"
#include "robot/drivers/servo/calibration.h"
#include "robot/drivers/servo/servo_wire.h"

namespace rowbot::farend {

class SimulatedServoWire {
 public:
  SimulatedServoWire() = default;
  virtual ~SimulatedServoWire() = default;
  SimulatedServoWire(const SimulatedServoWire&) = delete;
  SimulatedServoWire& operator=(const SimulatedServoWire&) = delete;
  SimulatedServoWire(SimulatedServoWire&&) = delete;
  SimulatedServoWire& operator=(SimulatedServoWire&&) = delete;

  /// The driver's end. Must not outlive this.
  [[nodiscard]] virtual std::unique_ptr<drivers::ServoWire> wire(
      const std::vector<int>& channels) = 0;
  /// The servo's end: what its pin shows in the period that has just begun.
  [[nodiscard]] virtual std::optional<double> pulse_us(int channel) const = 0;
  virtual void next_period() = 0;
  /// How finely a pulse can be set.
  [[nodiscard]] virtual double step_us() const = 0;

  [[nodiscard]] virtual std::span<const std::string_view> faults() const = 0;
  virtual void inject(std::size_t fault, Rng& rng) = 0;
  [[nodiscard]] virtual bool struck() const = 0;
  /// May the fault have moved a servo although the driver did all it could?
  [[nodiscard]] virtual bool beyond_the_driver() const { return false; }
  virtual void heal() = 0;
};

/// A folder with the files of /sys/class/pwm/pwmchip0.
[[nodiscard]] std::unique_ptr<SimulatedServoWire> simulated_sysfs_wire(
    const std::filesystem::path& folder, double frequency_hz);
/// Lines and a clock of their own.
[[nodiscard]] std::unique_ptr<SimulatedServoWire> simulated_gpio_wire(
    const drivers::ServoCalibration& calibration);
/// The registers of a PCA9685.
[[nodiscard]] std::unique_ptr<SimulatedServoWire> simulated_i2c_wire(
    const drivers::ServoCalibration& calibration);

}  // namespace rowbot::farend
