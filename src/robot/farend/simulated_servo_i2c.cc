// The registers of a PCA9685, after its data sheet, on a bus that can lose, double and garble.
#include <algorithm>
#include <cerrno>

#include "robot/drivers/servo/pca9685.h"
#include "robot/drivers/servo/pwm.h"
#include "robot/drivers/text_files.h"
#include "robot/farend/simulated_servo_wire.h"

namespace rowbot::farend {
namespace {

class PcaModel {
 public:
  enum Fault : std::size_t { kNack, kLost, kDoubled, kCorrupt, kGarbled, kGone, kReset, kSlow };
  static constexpr std::array<std::string_view, 8> kFaults = {
      "nack",         "lost-write", "doubled-write", "corrupt-write",
      "garbled-read", "board-gone", "board-reset",   "slow-bus"};

  explicit PcaModel(double oscillator_hz) : oscillator_hz_(oscillator_hz) { power_up(); }

  void power_up() {
    registers_.fill(0);
    registers_[drivers::pca9685::kMode1] = 0x11;
    registers_[drivers::pca9685::kMode2] = drivers::pca9685::kOutDrive;
    registers_[drivers::pca9685::kPrescale] = 0x1E;
    for (std::size_t i = 0; i < drivers::pca9685::kChannels; ++i)
      led(i, 3) = drivers::pca9685::kFull;
    shown_.fill(std::nullopt);
    pointer_ = 0;
  }

  Result<void> write(std::span<const std::uint8_t> bytes) {
    if (auto broken = missing("write to"); !broken) return broken;
    if (lost_ > 0) {
      --lost_;
      struck_ = true;
      return {};
    }
    std::vector<std::uint8_t> message(bytes.begin(), bytes.end());
    if (flip_write_) {
      const std::size_t bit = *flip_write_ % (8 * message.size());
      message[bit / 8] ^= static_cast<std::uint8_t>(1U << (bit % 8));
      flip_write_.reset();
      struck_ = true;
    }
    take(message);
    if (doubled_ > 0) {
      --doubled_;
      struck_ = true;
      take(message);
    }
    return {};
  }
  Result<void> read(std::span<std::uint8_t> bytes) {
    if (auto broken = missing("read from"); !broken) return broken;
    for (std::uint8_t& byte : bytes) {
      byte = registers_[pointer_];
      advance();
    }
    if (flip_read_) {
      const std::size_t bit = *flip_read_ % (8 * bytes.size());
      bytes[bit / 8] ^= static_cast<std::uint8_t>(1U << (bit % 8));
      flip_read_.reset();
      struck_ = true;
    }
    return {};
  }

  /// A change becomes a pulse with the next period.
  void next_period() {
    const std::uint8_t mode = registers_[drivers::pca9685::kMode1];
    const bool runs =
        !gone_ && (mode & (drivers::pca9685::kSleep | drivers::pca9685::kExternalClock)) == 0;
    const double step = step_us();
    for (std::size_t i = 0; i < drivers::pca9685::kChannels; ++i) {
      const int on = led(i, 0) + 256 * (led(i, 1) & 0x0F);
      const int off = led(i, 2) + 256 * (led(i, 3) & 0x0F);
      const bool full_off = (led(i, 3) & drivers::pca9685::kFull) != 0;
      shown_.at(i).reset();
      if (!runs || full_off) continue;
      const bool full_on = (led(i, 1) & drivers::pca9685::kFull) != 0;
      const bool inverted = (registers_[drivers::pca9685::kMode2] & 0x10) != 0;
      int steps = full_on ? drivers::pca9685::kSteps
                          : (off - on + drivers::pca9685::kSteps) % drivers::pca9685::kSteps;
      if (inverted) steps = drivers::pca9685::kSteps - steps;
      shown_.at(i) = steps * step;
    }
  }
  [[nodiscard]] std::optional<double> pulse_us(int channel) const {
    return shown_.at(static_cast<std::size_t>(channel));
  }
  [[nodiscard]] double step_us() const {
    return 1e6 *
           drivers::pca9685_period_s(oscillator_hz_, registers_[drivers::pca9685::kPrescale]) /
           drivers::pca9685::kSteps;
  }

  void inject(std::size_t fault, Rng& rng) {
    struck_ = false;
    switch (static_cast<Fault>(fault)) {
      case kNack:
        nacks_ = 1 + static_cast<int>(rng.below(12));
        return;
      case kLost:
        lost_ = 1 + static_cast<int>(rng.below(8));
        return;
      case kDoubled:
        doubled_ = 1 + static_cast<int>(rng.below(8));
        return;
      case kCorrupt:
        flip_write_ = rng.below(1U << 20U);
        return;
      case kGarbled:
        flip_read_ = rng.below(1U << 20U);
        return;
      case kGone:
        gone_ = true;
        return;
      case kReset:
        struck_ = true;
        power_up();
        return;
      case kSlow:
        struck_ = true;
        return;
    }
  }
  [[nodiscard]] bool struck() const { return struck_; }
  void heal() {
    nacks_ = lost_ = doubled_ = 0;
    flip_write_.reset();
    flip_read_.reset();
    // Somebody follows the advice and takes the power away for a moment.
    const bool stuck =
        (registers_[drivers::pca9685::kMode1] & drivers::pca9685::kExternalClock) != 0;
    if (gone_ || stuck) power_up();
    gone_ = false;
  }

 private:
  Result<void> missing(const char* what) {
    if (!gone_ && nacks_ == 0) return {};
    if (!gone_) --nacks_;
    struck_ = true;
    return drivers::device_error(what, "/dev/i2c-1 at address 0x40", EREMOTEIO);
  }
  std::uint8_t& led(std::size_t channel, std::size_t byte) {
    return registers_.at(drivers::pca9685::kLed0 + 4 * channel + byte);
  }
  void advance() {
    if ((registers_[drivers::pca9685::kMode1] & drivers::pca9685::kAutoIncrement) == 0) return;
    const bool wraps = pointer_ == 69 || pointer_ == drivers::pca9685::kPrescale;
    pointer_ = wraps ? 0 : static_cast<std::uint8_t>(pointer_ + 1);
  }
  void take(std::span<const std::uint8_t> message) {
    pointer_ = message[0];
    for (const std::uint8_t value : message.subspan(1)) {
      store(value);
      advance();
    }
  }
  void store(std::uint8_t value) {
    const std::uint8_t mode = registers_[drivers::pca9685::kMode1];
    if (pointer_ == drivers::pca9685::kMode1) {
      // The external clock needs sleep to be chosen, and loss of power to be left.
      const std::uint8_t chosen = (mode & value & drivers::pca9685::kSleep) != 0
                                      ? value & drivers::pca9685::kExternalClock
                                      : std::uint8_t{0};
      const std::uint8_t plain = value & static_cast<std::uint8_t>(~(0x80U | 0x40U));
      registers_[pointer_] = plain | chosen | (mode & drivers::pca9685::kExternalClock);
    } else if (pointer_ == drivers::pca9685::kPrescale) {
      if ((mode & drivers::pca9685::kSleep) != 0)
        registers_[pointer_] = std::max<std::uint8_t>(value, 3);
    } else if (pointer_ >= 0xFA && pointer_ <= drivers::pca9685::kAllLedOffHigh) {
      for (std::size_t i = 0; i < drivers::pca9685::kChannels; ++i)
        led(i, pointer_ - 0xFAU) = value & mask();
    } else if (pointer_ >= drivers::pca9685::kLed0 && pointer_ <= 69) {
      registers_[pointer_] = value & mask();
    } else if (pointer_ <= 5) {
      registers_[pointer_] = pointer_ == drivers::pca9685::kMode2 ? value & 0x1F : value;
    }
  }
  /// High bytes have five bits.
  [[nodiscard]] std::uint8_t mask() const {
    const std::uint8_t byte =
        pointer_ >= 0xFA ? pointer_ - 0xFA : (pointer_ - drivers::pca9685::kLed0) % 4;
    return byte % 2 == 1 ? 0x1F : 0xFF;
  }

  double oscillator_hz_;
  std::array<std::uint8_t, 256> registers_{};
  std::array<std::optional<double>, drivers::pca9685::kChannels> shown_;
  std::uint8_t pointer_ = 0;
  int nacks_ = 0;
  int lost_ = 0;
  int doubled_ = 0;
  std::optional<std::size_t> flip_write_;
  std::optional<std::size_t> flip_read_;
  bool gone_ = false;
  bool struck_ = false;
};

class SimulatedI2c final : public drivers::I2cDevice {
 public:
  explicit SimulatedI2c(PcaModel& model) : model_(model) {}
  Result<void> write(std::span<const std::uint8_t> bytes) override { return model_.write(bytes); }
  Result<void> read(std::span<std::uint8_t> bytes) override { return model_.read(bytes); }
  void pause_us(int /*microseconds*/) override {}

 private:
  PcaModel& model_;
};

class SimulatedI2cWire final : public SimulatedServoWire {
 public:
  explicit SimulatedI2cWire(const drivers::ServoCalibration& calibration)
      : options_{.oscillator_hz = calibration.i2c_oscillator_hz,
                 .frequency_hz = calibration.frequency_hz},
        model_(calibration.i2c_oscillator_hz) {}
  std::unique_ptr<drivers::ServoWire> wire(const std::vector<int>& /*channels*/) override {
    return std::make_unique<drivers::Pca9685Wire>(
        [this]() -> Result<std::unique_ptr<drivers::I2cDevice>> {
          return std::unique_ptr<drivers::I2cDevice>(std::make_unique<SimulatedI2c>(model_));
        },
        options_);
  }
  [[nodiscard]] std::optional<double> pulse_us(int channel) const override {
    return model_.pulse_us(channel);
  }
  void next_period() override { model_.next_period(); }
  [[nodiscard]] double step_us() const override { return model_.step_us(); }
  [[nodiscard]] std::span<const std::string_view> faults() const override {
    return PcaModel::kFaults;
  }
  void inject(std::size_t fault, Rng& rng) override { model_.inject(fault, rng); }
  [[nodiscard]] bool struck() const override { return model_.struck(); }
  void heal() override { model_.heal(); }

 private:
  drivers::Pca9685Options options_;
  PcaModel model_;
};

}  // namespace

std::unique_ptr<SimulatedServoWire> simulated_i2c_wire(
    const drivers::ServoCalibration& calibration) {
  return std::make_unique<SimulatedI2cWire>(calibration);
}

}  // namespace rowbot::farend
