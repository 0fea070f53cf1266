// Servos on a PCA9685: sixteen channels of 4096 steps, on I2C. After NXP's data sheet, section 7.3.
//
// I2C has no check sum, so whatever is written is read back, and written again when it differs. The
// chip takes a change over at the end of a period: a wrong value is mostly gone before it becomes a
// pulse. A chip that lost its power wakes up asleep; the next command notices.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "robot/drivers/i2c.h"
#include "robot/drivers/servo/servo_wire.h"

namespace rowbot::drivers {

namespace pca9685 {
inline constexpr std::uint8_t kMode1 = 0x00;
inline constexpr std::uint8_t kMode2 = 0x01;
inline constexpr std::uint8_t kLed0 =
    0x06;  // four registers a channel: on low, high, off low, high
inline constexpr std::uint8_t kAllLedOffHigh = 0xFD;
inline constexpr std::uint8_t kPrescale = 0xFE;
inline constexpr std::uint8_t kRestart = 0x80;
inline constexpr std::uint8_t kExternalClock = 0x40;  // stays until power is taken away
inline constexpr std::uint8_t kAutoIncrement = 0x20;
inline constexpr std::uint8_t kSleep = 0x10;
inline constexpr std::uint8_t kFull = 0x10;      // in a high byte: always on, or always off
inline constexpr std::uint8_t kOutDrive = 0x04;  // in MODE2: totem pole
inline constexpr int kChannels = 16;
inline constexpr int kSteps = 4096;
}  // namespace pca9685

struct Pca9685Options {
  double oscillator_hz = 25e6;
  double frequency_hz = 50;
};

class Pca9685Wire final : public ServoWire {
 public:
  using Opener = std::function<Result<std::unique_ptr<I2cDevice>>()>;
  Pca9685Wire(Opener opener, const Pca9685Options& options);
  Result<void> open() override;
  Result<void> set(std::span<const Pulse> pulses) override;
  Result<void> off() override;

 private:
  Result<void> write_register(std::uint8_t address, std::uint8_t value);
  Result<void> read_registers(std::uint8_t address, std::span<std::uint8_t> values);
  /// Writes, reads back, and repeats a few times.
  Result<void> write_surely(std::uint8_t address, std::span<const std::uint8_t> values);
  Result<void> check_settings();

  Opener opener_;
  Pca9685Options options_;
  std::unique_ptr<I2cDevice> device_;
  double step_us_ = 0;
};

}  // namespace rowbot::drivers
