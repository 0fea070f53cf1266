// A device on an I2C bus, behind the smallest port that a register model can stand in for.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "base/result.h"

namespace rowbot::drivers {

/// Thread safety: none; one thread owns a device.
class I2cDevice {
 public:
  I2cDevice() = default;
  virtual ~I2cDevice() = default;
  I2cDevice(const I2cDevice&) = delete;
  I2cDevice& operator=(const I2cDevice&) = delete;
  I2cDevice(I2cDevice&&) = delete;
  I2cDevice& operator=(I2cDevice&&) = delete;

  virtual Result<void> write(std::span<const std::uint8_t> bytes) = 0;
  virtual Result<void> read(std::span<std::uint8_t> bytes) = 0;
  /// Time that the device needs for itself.
  virtual void pause_us(int microseconds) = 0;
};

/// The device at an address of /dev/i2c-N.
[[nodiscard]] Result<std::unique_ptr<I2cDevice>> open_i2c(const std::string& bus, int address);

}  // namespace rowbot::drivers
