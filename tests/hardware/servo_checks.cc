// Servos on the kernel's GPIO and I2C interfaces, judged by the kernel's own record of levels and
// registers.
#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <vector>

#include "far_side.h"
#include "robot/arm/trajectory.h"
#include "robot/cell/arm_driver.h"
#include "robot/drivers/servo/gpio_wire.h"
#include "robot/drivers/servo/pca9685.h"
#include "robot/drivers/servo/pwm.h"
#include "robot/drivers/servo/servo_arm.h"

namespace rowbot::hardware {
namespace {

using drivers::GpioWire;
using drivers::Pca9685Wire;
using drivers::Pulse;
using testing::ElementsAre;
using testing::HasSubstr;
using namespace drivers::pca9685;  // NOLINT(google-build-using-namespace): registers and bits

double in_us(Nanoseconds time) { return static_cast<double>(time.count()) / 1000; }

// --- pulses by hand ----------------------------------------------------------------------------

struct SeenPulse {
  double begin_us = 0;
  double width_us = 0;
};

/// From the levels that the kernel has set, for each line. Setting the same level again is nothing.
std::map<int, std::vector<SeenPulse>> pulses_of(const std::vector<LineWrite>& writes) {
  std::map<int, std::vector<SeenPulse>> pulses;
  std::map<int, LineWrite> up;
  for (const LineWrite& write : writes) {
    const auto open = up.find(write.line);
    if (write.high && open == up.end()) {
      up[write.line] = write;
    } else if (!write.high && open != up.end()) {
      pulses[write.line].push_back({.begin_us = in_us(open->second.time),
                                    .width_us = in_us(write.time - open->second.time)});
      up.erase(open);
    }
  }
  EXPECT_TRUE(up.empty()) << "a line was left high";
  return pulses;
}

class GpioServos : public testing::Test {
 protected:
  std::unique_ptr<GpioWire> make_wire(double jitter_us) {
    return std::make_unique<GpioWire>(
        [this] { return drivers::open_outputs(gpio_device(), lines_); },
        std::make_shared<drivers::PulseClock>(),
        drivers::GpioWireOptions{.lines = lines_, .jitter_us = jitter_us});
  }
  const std::vector<int> lines_ = {18, 19, 20, 21};
};

TEST_F(GpioServos, ShowPulsesOfTheWantedLengthFiftyTimesASecond) {
  const std::map<int, double> wanted = {{18, 500}, {19, 1400}, {20, 2300}, {21, 1437}};
  const Trace trace;
  drivers::JitterReport jitter;
  {
    const auto wire = make_wire(100);
    const auto opened = wire->open();
    ASSERT_TRUE(opened.has_value()) << opened.error().message;
    std::vector<Pulse> pulses;
    for (const auto& [line, width_us] : wanted) pulses.push_back({line, width_us});
    ASSERT_TRUE(wire->set(pulses).has_value());
    wait_ms(2000);
    const auto fine = wire->poll();
    EXPECT_TRUE(fine.has_value()) << fine.error().message;
    ASSERT_TRUE(wire->off().has_value());
    wait_ms(100);
    jitter = wire->jitter();
  }
  const auto seen = pulses_of(Trace::line_writes());
  ASSERT_EQ(seen.size(), lines_.size());
  std::uint64_t count = 0;
  for (const auto& [line, pulses] : seen) {
    count += pulses.size();
    EXPECT_NEAR(static_cast<double>(pulses.size()), 100, 3) << "line " << line;
    std::vector<double> off_us;
    for (const SeenPulse& pulse : pulses) off_us.push_back(pulse.width_us - wanted.at(line));
    std::ranges::sort(off_us);
    // The record has whole microseconds.
    EXPECT_GE(off_us.front(), -2) << "a pulse of line " << line << " was cut short";
    EXPECT_LE(off_us.back(), jitter.worst_us + 2) << "longer than the driver itself has measured";
    // Ten microseconds are a degree.
    EXPECT_LE(off_us[off_us.size() / 2], 20) << "line " << line;
    std::vector<double> periods_us;
    for (std::size_t i = 1; i < pulses.size(); ++i) {
      periods_us.push_back(pulses[i].begin_us - pulses[i - 1].begin_us);
    }
    std::ranges::sort(periods_us);
    EXPECT_NEAR(periods_us[periods_us.size() / 2], 20'000, 200) << "line " << line;
    std::printf(
        "line %d: %zu pulses of %.0f us; off by %+.0f, %+.0f, %+.0f us (least, median, most)\n",
        line, pulses.size(), wanted.at(line), off_us.front(), off_us[off_us.size() / 2],
        off_us.back());
  }
  EXPECT_EQ(count, jitter.pulses);
  std::printf("the driver's own measure: %.0f us at worst, %.1f us on average; real time %s\n",
              jitter.worst_us, jitter.mean_us, jitter.real_time ? "granted" : "refused");
}

TEST_F(GpioServos, AreLowBeforeTheFirstAndAfterTheLastPulse) {
  const Trace trace;
  for (const int line : lines_) pull(line, true);
  {
    const auto wire = make_wire(1e6);
    ASSERT_TRUE(wire->open().has_value());
    for (const int line : lines_) EXPECT_FALSE(level(line)) << "line " << line;
    ASSERT_TRUE(wire->set(std::vector<Pulse>{{18, 1000}}).has_value());
    wait_ms(100);
    ASSERT_TRUE(wire->off().has_value());
    wait_ms(50);
    for (const int line : lines_) EXPECT_FALSE(level(line)) << "line " << line;
  }
  EXPECT_EQ(pulses_of(Trace::line_writes()).size(), 1U);
}

TEST_F(GpioServos, SayWhoHasTheLinesWhenTheyAreTaken) {
  const auto first = drivers::open_outputs(gpio_device(), lines_);
  ASSERT_TRUE(first.has_value());
  const auto wire = make_wire(100);
  const auto opened = wire->open();
  ASSERT_FALSE(opened.has_value());
  EXPECT_THAT(opened.error().message, HasSubstr(gpio_device()));
}

// --- a PCA9685 ---------------------------------------------------------------------------------

/// The registers of LEDn_ON and LEDn_OFF as numbers.
int on_steps(int channel) {
  const auto first = static_cast<std::uint8_t>(kLed0 + 4 * channel);
  return peek(first) + 256 * peek(first + 1);
}
int off_steps(int channel) {
  const auto first = static_cast<std::uint8_t>(kLed0 + 4 * channel);
  return peek(first + 2) + 256 * peek(first + 3);
}

class Pca9685 : public testing::Test {
 protected:
  void SetUp() override {
    // As after power-up (data sheet, tables 4 to 8).
    for (int address = 0; address <= 0xFF; ++address) poke(static_cast<std::uint8_t>(address), 0);
    poke(kMode1, 0x11);
    poke(kMode2, kOutDrive);
    poke(kPrescale, 0x1E);
    wire_ = std::make_unique<Pca9685Wire>(
        [] { return drivers::open_i2c(i2c_device(), kI2cAddress); }, drivers::Pca9685Options{});
  }
  std::unique_ptr<Pca9685Wire> wire_;
};

TEST_F(Pca9685, IsSetUpAsTheDataSheetAsks) {
  const Trace trace;
  const auto opened = wire_->open();
  ASSERT_TRUE(opened.has_value()) << opened.error().message;
  const auto writes = Trace::register_writes();
  // Everything off; asleep; 50 Hz; totem pole; awake; restart; then every channel off by itself.
  ASSERT_GE(writes.size(), 7U);
  EXPECT_EQ(writes[0].address, kAllLedOffHigh);
  EXPECT_THAT(writes[0].bytes, ElementsAre(kFull));
  EXPECT_EQ(writes[1].address, kMode1);
  EXPECT_THAT(writes[1].bytes, ElementsAre(kAutoIncrement | kSleep));
  EXPECT_EQ(writes[2].address, kPrescale);
  EXPECT_THAT(writes[2].bytes, ElementsAre(121));  // 25 MHz / (4096 * 50 Hz) - 1
  EXPECT_EQ(writes[3].address, kMode2);
  EXPECT_THAT(writes[3].bytes, ElementsAre(kOutDrive));
  EXPECT_EQ(writes[4].address, kMode1);
  EXPECT_THAT(writes[4].bytes, ElementsAre(kAutoIncrement));
  EXPECT_EQ(writes[5].address, kMode1);
  EXPECT_THAT(writes[5].bytes, ElementsAre(kAutoIncrement | kRestart));
  // The oscillator needs 500 us before RESTART may be set (section 7.3.1.1).
  EXPECT_GE(in_us(writes[5].time - writes[4].time), 499);
  int next = kLed0;
  for (std::size_t i = 6; i < writes.size(); ++i) {
    EXPECT_EQ(writes[i].address, next);
    next += static_cast<int>(writes[i].bytes.size());
  }
  EXPECT_EQ(next, kLed0 + 4 * kChannels);
  for (int channel = 0; channel < kChannels; ++channel) {
    EXPECT_EQ(off_steps(channel), 256 * kFull) << "channel " << channel;
  }
}

TEST_F(Pca9685, HoldsThePulsesToHalfAStep) {
  ASSERT_TRUE(wire_->open().has_value());
  const double step_us = 1e6 * drivers::pca9685_period_s(25e6, 121) / kSteps;
  const std::vector<Pulse> pulses = {{0, 500}, {1, 1400}, {2, 2300}, {3, 1433.3}, {9, 1000}};
  const auto set = wire_->set(pulses);
  ASSERT_TRUE(set.has_value()) << set.error().message;
  for (const Pulse& pulse : pulses) {
    EXPECT_EQ(on_steps(pulse.channel), 0);
    EXPECT_NEAR(off_steps(pulse.channel) * step_us, pulse.width_us, step_us / 2 + 1e-6);
  }
  EXPECT_EQ(off_steps(4), 256 * kFull) << "a channel that nobody asked for";
  ASSERT_TRUE(wire_->off().has_value());
  for (int channel = 0; channel < kChannels; ++channel) {
    EXPECT_EQ(off_steps(channel), 256 * kFull) << "channel " << channel;
  }
}

TEST_F(Pca9685, IsMissedWhenItHasLostItsSettings) {
  ASSERT_TRUE(wire_->open().has_value());
  ASSERT_TRUE(wire_->set(std::vector<Pulse>{{0, 1500}}).has_value());
  poke(kMode1, 0x11);  // its power failed for a moment
  const auto set = wire_->set(std::vector<Pulse>{{0, 1600}});
  ASSERT_FALSE(set.has_value());
  EXPECT_THAT(set.error().message, HasSubstr("lost its settings"));
}

TEST_F(Pca9685, IsMissedWhenNobodyAnswers) {
  Pca9685Wire elsewhere([] { return drivers::open_i2c(i2c_device(), kI2cAddress + 1); }, {});
  const auto opened = elsewhere.open();
  ASSERT_FALSE(opened.has_value());
  EXPECT_THAT(opened.error().message, HasSubstr("0x41"));
}

// --- the whole arm -----------------------------------------------------------------------------

TEST_F(Pca9685, CarriesTheArmAlongItsMotionInSmallSteps) {
  drivers::ServoCalibration calibration = drivers::default_calibration(drivers::WireKind::kI2c);
  calibration.i2c_device = i2c_device();
  calibration.i2c_address = kI2cAddress;
  auto made = drivers::ServoArm::create(calibration);
  ASSERT_TRUE(made.has_value()) << made.error().message;
  drivers::ServoArm& arm = **made;
  const auto configured = arm.configure();
  ASSERT_TRUE(configured.has_value()) << configured.error().message;
  ASSERT_TRUE(arm.activate().has_value());
  arm::JointVector to = arm.read().q_rad;
  to[0] += 0.4;
  to[1] -= 0.2;
  const arm::Trajectory motion = arm::joint_move(arm.model(), arm.read().q_rad, to);
  const Trace trace;
  const auto done = cell::run(arm, motion);
  ASSERT_TRUE(done.has_value()) << done.error().message;

  const double step_us = 1e6 * drivers::pca9685_period_s(25e6, 121) / kSteps;
  for (std::size_t i = 0; i < calibration.joints.size(); ++i) {
    const auto wanted = drivers::joint_pulse_us(calibration.joints[i], to[static_cast<int>(i)]);
    ASSERT_TRUE(wanted.has_value());
    EXPECT_NEAR(off_steps(calibration.joints[i].channel) * step_us, *wanted, step_us / 2 + 1e-6);
  }
  // The base on its way, as the chip was told: never back, and no faster than the joint allows.
  std::vector<int> base;
  for (const RegisterWrite& write : Trace::register_writes()) {
    if (write.address == kLed0 && write.bytes.size() >= 4) {
      base.push_back(write.bytes[2] + 256 * write.bytes[3]);
    }
  }
  ASSERT_GT(base.size(), 10U);
  EXPECT_TRUE(std::ranges::is_sorted(base) || std::ranges::is_sorted(base, std::greater<>()));
  const double per_tick_us = arm.model().joints[0].velocity_rad_s / 50 / M_PI * 1800 + step_us;
  for (std::size_t i = 1; i < base.size(); ++i) {
    EXPECT_LE(std::abs(base[i] - base[i - 1]) * step_us, per_tick_us);
  }
  std::printf("the base went from %d to %d steps in %zu messages\n", base.front(), base.back(),
              base.size());
}

}  // namespace
}  // namespace rowbot::hardware
