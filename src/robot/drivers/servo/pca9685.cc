#include "robot/drivers/servo/pca9685.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

#include "robot/drivers/servo/pwm.h"

namespace rowbot::drivers {

using namespace pca9685;  // NOLINT(google-build-using-namespace): the names of registers and bits

Pca9685Wire::Pca9685Wire(Opener opener, const Pca9685Options& options)
    : opener_(std::move(opener)), options_(options) {}

Result<void> Pca9685Wire::write_register(std::uint8_t address, std::uint8_t value) {
  const std::array<std::uint8_t, 2> bytes = {address, value};
  return device_->write(bytes);
}

Result<void> Pca9685Wire::read_registers(std::uint8_t address, std::span<std::uint8_t> values) {
  const std::array<std::uint8_t, 1> pointer = {address};
  if (auto done = device_->write(pointer); !done) return done;
  return device_->read(values);
}

Result<void> Pca9685Wire::write_surely(std::uint8_t address, std::span<const std::uint8_t> values) {
  constexpr int kAttempts = 4;
  std::array<std::uint8_t, 1 + 4 * kChannels> bytes{};
  bytes[0] = address;
  std::ranges::copy(values, bytes.begin() + 1);
  Result<void> failed;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    failed = device_->write(std::span(bytes).first(1 + values.size()));
    if (!failed) continue;
    std::array<std::uint8_t, 4 * kChannels> back{};
    const auto seen = std::span(back).first(values.size());
    failed = read_registers(address, seen);
    if (!failed) continue;
    if (std::ranges::equal(seen, values)) return {};
  }
  if (!failed) return failed;
  return Error{
      fmt::format("the PCA9685 keeps something else than was written to register {:#04x}, "
                  "{} times in a row; shorten the I2C cable or slow the bus down",
                  address, kAttempts)};
}

Result<void> Pca9685Wire::check_settings() {
  // One garbled answer is no reason to stop an arm; two are.
  std::array<std::uint8_t, 2> modes{};
  for (int attempt = 0; attempt < 2; ++attempt) {
    if (auto done = read_registers(kMode1, modes); !done) return done;
    constexpr std::uint8_t kDecisive = kSleep | kAutoIncrement | kExternalClock;
    if ((modes[0] & kDecisive) == kAutoIncrement && modes[1] == kOutDrive) return {};
  }
  return Error{
      fmt::format("the PCA9685 has lost its settings (MODE1 {:#04x}, MODE2 {:#04x}): its "
                  "power failed or a message was garbled; check the supply of the servos "
                  "and, if this comes back, take the board's power away for a moment",
                  modes[0], modes[1])};
}

Result<void> Pca9685Wire::open() {
  const auto prescale = pca9685_prescale(options_.oscillator_hz, options_.frequency_hz);
  if (!prescale) return prescale.error();
  auto device = opener_();
  if (!device) return device.error();
  device_ = *std::move(device);
  step_us_ = 1e6 * pca9685_period_s(options_.oscillator_hz, *prescale) / kSteps;
  // The prescaler can be written only while the oscillator sleeps.
  const std::array<std::uint8_t, 1> asleep = {kAutoIncrement | kSleep};
  const std::array<std::uint8_t, 1> awake = {kAutoIncrement};
  const std::array<std::uint8_t, 1> drive = {kOutDrive};
  const std::array<std::uint8_t, 1> scale = {static_cast<std::uint8_t>(*prescale)};
  if (auto done = write_register(kAllLedOffHigh, kFull); !done) return done;
  // RESTART may be set in the answer when pulses ran; with every channel off there are none.
  if (auto done = write_register(kMode1, asleep[0]); !done) return done;
  if (auto done = write_surely(kPrescale, scale); !done) return done;
  if (auto done = write_surely(kMode2, drive); !done) return done;
  if (auto done = write_register(kMode1, awake[0]); !done) return done;
  device_->pause_us(500);  // until the oscillator runs
  if (auto done = write_register(kMode1, awake[0] | kRestart); !done) return done;
  if (auto done = off(); !done) return done;
  return check_settings();
}

Result<void> Pca9685Wire::set(std::span<const Pulse> pulses) {
  if (device_ == nullptr) return Error{"the PCA9685 is not open"};
  std::vector<Pulse> sorted(pulses.begin(), pulses.end());
  std::ranges::sort(sorted, {}, &Pulse::channel);
  // Neighbours go in one message: the chip counts its registers up.
  for (std::size_t i = 0; i < sorted.size();) {
    std::vector<std::uint8_t> values;
    const int first = sorted[i].channel;
    for (int channel = first; i < sorted.size() && sorted[i].channel == channel; ++i, ++channel) {
      const auto steps = static_cast<int>(std::lround(sorted[i].width_us / step_us_));
      const auto off = static_cast<unsigned>(std::clamp(steps, 1, kSteps - 1));
      values.insert(values.end(), {0, 0, static_cast<std::uint8_t>(off & 0xFFU),
                                   static_cast<std::uint8_t>(off >> 8U)});
    }
    const auto address = static_cast<std::uint8_t>(kLed0 + 4 * first);
    if (auto done = write_surely(address, values); !done) {
      // A board that was reset takes no blocks: then that is what to say.
      auto settings = check_settings();
      return settings ? done : settings;
    }
  }
  return check_settings();
}

Result<void> Pca9685Wire::off() {
  if (device_ == nullptr) return {};
  std::array<std::uint8_t, static_cast<std::size_t>(4) * kChannels> values{};
  for (std::size_t i = 3; i < values.size(); i += 4) values[i] = kFull;
  return write_surely(kLed0, values);
}

}  // namespace rowbot::drivers
