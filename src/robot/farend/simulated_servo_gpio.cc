// GPIO lines with a clock of their own: a pulse is what lies between two edges.
#include <cerrno>
#include <fmt/format.h>

#include "robot/drivers/servo/gpio_wire.h"
#include "robot/drivers/text_files.h"
#include "robot/farend/simulated_servo_wire.h"

namespace rowbot::farend {
namespace {

/// The clock and the pins of a machine that is sometimes late.
struct PinBoard {
  enum Fault : std::size_t { kSetFails, kLostEdge, kDoubledEdge, kLateEdge, kChipGone, kSlowSet };
  static constexpr std::array<std::string_view, 6> kFaults = {
      "set-fails", "lost-edge", "doubled-edge", "late-edge", "chip-gone", "slow-set"};
  struct Pin {
    bool high = false;
    drivers::Nanoseconds rose{};
    std::optional<double> pulse_us;  // of this period
  };

  drivers::Nanoseconds now{};
  std::vector<Pin> pins;
  Rng noise{1};
  int failing_sets = 0;
  int lost_sets = 0;
  int doubled_sets = 0;
  drivers::Nanoseconds late{};
  bool gone = false;
  bool struck = false;
  bool beyond = false;

  void set(std::size_t index, bool high) {
    Pin& pin = pins.at(index);
    if (high && !pin.high) pin.rose = now;
    if (!high && pin.high) pin.pulse_us = static_cast<double>((now - pin.rose).count()) / 1000;
    pin.high = high;
  }
  void pass_us(double us) { now += drivers::Nanoseconds(static_cast<std::int64_t>(1000 * us)); }
};

class SimulatedLines final : public drivers::OutputLines {
 public:
  explicit SimulatedLines(PinBoard& board) : board_(board) {}
  Result<void> set(std::size_t index, bool high) override {
    board_.pass_us(0.5 + board_.noise.uniform());
    if (board_.gone) {
      board_.struck = true;
      return drivers::device_error("switch a line of", "/dev/gpiochip0", ENODEV);
    }
    if (board_.failing_sets > 0) {
      --board_.failing_sets;
      board_.struck = board_.beyond = true;  // a pulse may have been cut or stretched
      return drivers::device_error("switch a line of", "/dev/gpiochip0", EIO);
    }
    if (board_.lost_sets > 0) {
      --board_.lost_sets;
      board_.struck = true;
      return {};
    }
    board_.set(index, high);
    if (board_.doubled_sets > 0) {
      --board_.doubled_sets;
      board_.struck = true;
      board_.set(index, high);
    }
    return {};
  }
  Result<bool> get(std::size_t index) override {
    board_.pass_us(0.5);
    if (board_.gone) return drivers::device_error("read a line of", "/dev/gpiochip0", ENODEV);
    return board_.pins.at(index).high;
  }

 private:
  PinBoard& board_;
};

class SimulatedPulseClock final : public drivers::PulseClock {
 public:
  explicit SimulatedPulseClock(PinBoard& board) : board_(board) {}
  [[nodiscard]] drivers::Nanoseconds now() const override { return board_.now; }
  void sleep_until(drivers::Nanoseconds time) override {
    board_.now = std::max(board_.now, time);
    board_.pass_us(2 * board_.noise.uniform());
    if (board_.late.count() > 0) {
      board_.now += std::exchange(board_.late, drivers::Nanoseconds(0));
      board_.struck = board_.beyond = true;
    }
  }

 private:
  PinBoard& board_;
};

class SimulatedGpioWire final : public SimulatedServoWire {
 public:
  explicit SimulatedGpioWire(const drivers::ServoCalibration& calibration)
      : frequency_hz_(calibration.frequency_hz), jitter_us_(calibration.gpio_jitter_us) {}

  std::unique_ptr<drivers::ServoWire> wire(const std::vector<int>& channels) override {
    lines_ = channels;
    board_.pins.resize(channels.size());
    auto wire = std::make_unique<drivers::GpioWire>(
        [this]() -> Result<std::unique_ptr<drivers::OutputLines>> {
          if (board_.gone) return drivers::device_error("open", "/dev/gpiochip0", ENOENT);
          return std::unique_ptr<drivers::OutputLines>(std::make_unique<SimulatedLines>(board_));
        },
        std::make_shared<SimulatedPulseClock>(board_),
        drivers::GpioWireOptions{.lines = channels,
                                 .frequency_hz = frequency_hz_,
                                 .jitter_us = jitter_us_,
                                 .own_thread = false});
    wire_ = wire.get();
    return wire;
  }
  [[nodiscard]] std::optional<double> pulse_us(int channel) const override {
    const auto line = std::ranges::find(lines_, channel);
    return board_.pins.at(static_cast<std::size_t>(line - lines_.begin())).pulse_us;
  }
  void next_period() override {
    for (PinBoard::Pin& pin : board_.pins) pin.pulse_us.reset();
    const drivers::Nanoseconds begin = board_.now;
    wire_->frame();
    board_.now =
        std::max(board_.now, begin + drivers::Nanoseconds(std::llround(1e9 / frequency_hz_)));
  }
  [[nodiscard]] double step_us() const override { return 8; }  // what the edges' own time adds
  [[nodiscard]] std::span<const std::string_view> faults() const override {
    return PinBoard::kFaults;
  }
  void inject(std::size_t fault, Rng& rng) override {
    board_.struck = board_.beyond = false;
    switch (static_cast<PinBoard::Fault>(fault)) {
      case PinBoard::kSetFails:
        board_.failing_sets = 1 + static_cast<int>(rng.below(8));
        return;
      case PinBoard::kLostEdge:
        board_.lost_sets = 1 + static_cast<int>(rng.below(3));
        return;
      case PinBoard::kDoubledEdge:
        board_.doubled_sets = 1 + static_cast<int>(rng.below(8));
        return;
      case PinBoard::kLateEdge:
        board_.late = drivers::Nanoseconds(1000 * (20 + rng.below(3000)));
        return;
      case PinBoard::kChipGone:
        board_.gone = true;
        return;
      case PinBoard::kSlowSet:
        board_.struck = true;
        return;
    }
  }
  [[nodiscard]] bool struck() const override { return board_.struck; }
  [[nodiscard]] bool beyond_the_driver() const override { return board_.beyond; }
  void heal() override {
    board_.failing_sets = board_.lost_sets = board_.doubled_sets = 0;
    board_.late = {};
    if (std::exchange(board_.gone, false)) {
      for (PinBoard::Pin& pin : board_.pins) pin = {};
    }
  }

 private:
  PinBoard board_;
  std::vector<int> lines_;
  double frequency_hz_;
  double jitter_us_;
  drivers::GpioWire* wire_ = nullptr;
};

}  // namespace

std::unique_ptr<SimulatedServoWire> simulated_gpio_wire(
    const drivers::ServoCalibration& calibration) {
  return std::make_unique<SimulatedGpioWire>(calibration);
}

}  // namespace rowbot::farend
