// The wires and the driver on their simulated far ends, without physics.
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <thread>
#include <unistd.h>

#include "robot/arm/angles.h"
#include "robot/drivers/servo/gpio_wire.h"
#include "robot/drivers/text_files.h"
#include "robot/farend/servo_far_end.h"
#include "trials/wire_trials.h"

namespace rowbot::farend {
namespace {

using cell::ArmState;
using testing::HasSubstr;

class EveryServoWire : public testing::TestWithParam<drivers::WireKind> {
 protected:
  void SetUp() override {
    auto made = ServoFarEnd::create(GetParam());
    ASSERT_TRUE(made.has_value()) << made.error().message;
    far_end_ = *std::move(made);
  }
  void bring_up() {
    const auto configured = driver().configure();
    ASSERT_TRUE(configured.has_value()) << configured.error().message;
    const auto active = driver().activate();
    ASSERT_TRUE(active.has_value()) << active.error().message;
    far_end_->pacer().advance(0.1);
  }
  [[nodiscard]] cell::ArmDriver& driver() { return far_end_->driver(); }
  [[nodiscard]] arm::Trajectory sweep(double by_rad) {
    arm::JointVector to = driver().read().q_rad;
    to[0] += by_rad;
    to[1] -= by_rad / 2;
    return arm::joint_move(driver().model(), driver().read().q_rad, to);
  }

  std::unique_ptr<ServoFarEnd> far_end_;
};

INSTANTIATE_TEST_SUITE_P(Wires, EveryServoWire,
                         testing::Values(drivers::WireKind::kSysfs, drivers::WireKind::kGpio,
                                         drivers::WireKind::kI2c),
                         [](const auto& param) { return wire_name(param.param); });

TEST_P(EveryServoWire, TurnsTheServosToThePoseThatWasCommanded) {
  bring_up();
  const arm::Trajectory motion = sweep(0.3);
  const auto done = cell::run(driver(), motion);
  ASSERT_TRUE(done.has_value()) << done.error().message;
  EXPECT_LE((far_end_->pose_rad() - motion.end_rad()).cwiseAbs().maxCoeff(),
            far_end_->accuracy_rad());
  EXPECT_EQ(far_end_->counters().limit_violations, 0U) << far_end_->counters().first_violation;
}

TEST_P(EveryServoWire, ShowsNoPulseBeforeActivation) {
  ASSERT_TRUE(driver().configure().has_value());
  far_end_->pacer().advance(0.1);
  EXPECT_FALSE(far_end_->told_rad().has_value());
  ASSERT_TRUE(driver().activate().has_value());
  far_end_->pacer().advance(0.1);
  EXPECT_TRUE(far_end_->told_rad().has_value());
  EXPECT_TRUE(far_end_->told_width_m().has_value());
}

TEST_P(EveryServoWire, SwitchesThePulsesOffWhenIdleAndOnWithTheNextMotion) {
  bring_up();
  far_end_->pacer().advance(drivers::default_calibration(GetParam()).idle_off_s + 1);
  EXPECT_FALSE(far_end_->told_rad().has_value());
  EXPECT_FALSE(far_end_->told_width_m().has_value());
  ASSERT_TRUE(cell::run(driver(), sweep(0.1)).has_value());
  EXPECT_TRUE(far_end_->told_rad().has_value());
  EXPECT_TRUE(far_end_->told_width_m().has_value());
}

TEST_P(EveryServoWire, MovesInStepsThatTheJointsCanFollow) {
  bring_up();
  ASSERT_TRUE(driver().start(sweep(-0.4)).has_value());
  arm::JointVector before = *far_end_->told_rad();
  while (driver().read().moving) {
    driver().heartbeat();
    far_end_->pacer().advance(0.02);
    const arm::JointVector now = *far_end_->told_rad();
    EXPECT_LE((now - before).cwiseAbs().maxCoeff(), 0.02 * 3.0 + 2 * far_end_->accuracy_rad());
    before = now;
  }
}

TEST_P(EveryServoWire, AStallMakesTheMotionLaterNotFaster) {
  bring_up();
  ASSERT_TRUE(driver().start(sweep(0.4)).has_value());
  far_end_->pacer().advance(0.1);
  driver().heartbeat();
  far_end_->pacer().stall(0.3);
  ASSERT_TRUE(driver().wait().has_value());
  EXPECT_EQ(far_end_->counters().limit_violations, 0U);
}

TEST_P(EveryServoWire, TheGripperFollows) {
  bring_up();
  ASSERT_TRUE(driver().grip({.width_m = 0.012, .force_n = 1}).has_value());
  EXPECT_NEAR(far_end_->told_width_m().value_or(0), 0.012, 0.0005);
}

TEST_P(EveryServoWire, ADeviceThatVanishesIsAFaultInWordsAndComesBack) {
  bring_up();
  ASSERT_TRUE(driver().start(sweep(0.3)).has_value());
  Rng rng(1);
  const auto kinds = far_end_->faults();
  const auto gone =
      std::ranges::find_if(kinds, [](std::string_view name) { return name.ends_with("-gone"); });
  far_end_->inject(static_cast<std::size_t>(gone - kinds.begin()), rng);
  const auto ended = driver().wait();
  ASSERT_FALSE(ended.has_value());
  EXPECT_THAT(ended.error().message, HasSubstr("cannot"));
  EXPECT_EQ(driver().read().state, ArmState::kFault);
  EXPECT_FALSE(driver().clear_fault().has_value());  // it is still away
  EXPECT_EQ(driver().read().state, ArmState::kFault);
  far_end_->heal();
  ASSERT_TRUE(driver().clear_fault().has_value());
  ASSERT_TRUE(driver().activate().has_value());
  EXPECT_TRUE(cell::run(driver(), sweep(0.1)).has_value());
}

TEST_P(EveryServoWire, AHundredRandomFaultsBreakNoLimitAndNoneGoesUnnoticed) {
  const auto report = trials::run_wire_trials(*far_end_, {.count = 100, .seed = 3});
  ASSERT_TRUE(report.has_value()) << report.error().message;
  EXPECT_EQ(report->faults, 100U);
  EXPECT_EQ(report->far_end.limit_violations, 0U) << report->far_end.first_violation;
  EXPECT_EQ(report->unnoticed + report->hung + report->unrecovered, 0U) << report->first_trouble;
  EXPECT_GT(report->reported, 10U);
  EXPECT_GT(report->harmless, 5U);
  for (const trials::FaultTally& tally : report->by_fault) {
    EXPECT_GT(tally.count, 0U) << tally.name;
    EXPECT_TRUE(tally.reported == 0 || tally.example.size() > 20) << tally.name;
  }
}

/// In real time, on a thread of its own: what the other tests leave out.
TEST(ServoArm, RunsInRealTimeAndHaltsWithinATick) {
  const auto folder =
      std::filesystem::temp_directory_path() / ("rowbot-real-time-" + std::to_string(::getpid()));
  const auto far_end = simulated_sysfs_wire(folder, 50);
  auto arm = drivers::ServoArm::create(
      drivers::default_calibration(drivers::WireKind::kSysfs),
      [&](drivers::WireKind, const std::vector<int>& channels) { return far_end->wire(channels); },
      std::make_shared<drivers::RealTimePacer>());
  ASSERT_TRUE(arm.has_value());
  cell::ArmDriver& driver = **arm;
  ASSERT_TRUE(driver.configure().has_value() && driver.activate().has_value());
  arm::JointVector to = driver.read().q_rad;
  to[0] += 0.05;
  ASSERT_TRUE(
      cell::run(driver, arm::joint_move(driver.model(), driver.read().q_rad, to)).has_value());
  EXPECT_EQ(driver.read().q_rad, to);

  to[0] -= 0.3;
  ASSERT_TRUE(
      driver.start(arm::joint_move(driver.model(), driver.read().q_rad, to, 0.05)).has_value());
  std::jthread stopper([&] { driver.halt(); });
  const auto ended = driver.wait();
  ASSERT_FALSE(ended.has_value());
  EXPECT_EQ(ended.error().message, "halted");
  EXPECT_GT(driver.read().q_rad[0], to[0] + 0.2);  // far from its goal
  arm->reset();
  EXPECT_FALSE(far_end->pulse_us(0).has_value());  // limp
  std::filesystem::remove_all(folder);
}

TEST(ServoCalibration, RefusesAPoseThatAServoMayNotTakeBeforeAnythingMoves) {
  const drivers::JointServo servo{.name = "base", .min_deg = 80, .max_deg = 100};
  EXPECT_TRUE(drivers::joint_pulse_us(servo, arm::radians(9)).has_value());
  const auto refused = drivers::joint_pulse_us(servo, arm::radians(11));
  ASSERT_FALSE(refused.has_value());
  EXPECT_THAT(refused.error().message, HasSubstr("101.0 degrees"));
}

TEST(ServoCalibration, DirectionCentreAndTrimComeBackFromThePulse) {
  const drivers::JointServo servo{.name = "x", .direction = -1, .centre_deg = 40, .trim_deg = 3.5};
  for (double q_deg = 0; q_deg <= 80; q_deg += 5) {
    const double q_rad = arm::radians(q_deg);
    EXPECT_NEAR(drivers::joint_angle_rad(servo, *drivers::joint_pulse_us(servo, q_rad)), q_rad,
                1e-9);
  }
  EXPECT_GT(*drivers::joint_pulse_us(servo, 0),
            *drivers::joint_pulse_us(servo, 1));  // the other way round
}

TEST(SysfsText, CountsAreReadStrictly) {
  EXPECT_EQ(*drivers::parse_sysfs_count("20000000\n"), 20000000);
  for (const char* bad : {"", "\n", "-1", "1 2", "0x10", "\x7f#?\n", "99999999999999999999"}) {
    EXPECT_FALSE(drivers::parse_sysfs_count(bad).has_value()) << bad;
  }
}

TEST(GpioWire, MakesItsPulsesOnAThreadOfItsOwn) {
  drivers::GpioWire wire([] { return Result(drivers::unconnected_outputs(1)); },
                         std::make_shared<drivers::PulseClock>(),
                         {.lines = {18}, .frequency_hz = 300, .jitter_us = 1e6});
  ASSERT_TRUE(wire.open().has_value());
  const drivers::Pulse pulse{.channel = 18, .width_us = 400};
  ASSERT_TRUE(wire.set(std::span(&pulse, 1)).has_value());
  const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (wire.jitter().pulses < 3 && std::chrono::steady_clock::now() < patience) {
    std::this_thread::yield();
  }
  EXPECT_GE(wire.jitter().pulses, 3U);
  EXPECT_TRUE(wire.poll().has_value());
}

TEST(GpioWire, MeasuresTheJitterOfItsOwnPulses) {
  drivers::GpioWire wire([] { return Result(drivers::unconnected_outputs(1)); },
                         std::make_shared<drivers::PulseClock>(),
                         {.lines = {18}, .jitter_us = 1e6, .own_thread = false});
  ASSERT_TRUE(wire.open().has_value());
  const drivers::Pulse pulse{.channel = 18, .width_us = 500};
  ASSERT_TRUE(wire.set(std::span(&pulse, 1)).has_value());
  for (int i = 0; i < 5; ++i) wire.frame();
  EXPECT_EQ(wire.jitter().pulses, 5U);
  EXPECT_GT(wire.jitter().worst_us, 0);
  EXPECT_GE(wire.jitter().worst_us, wire.jitter().mean_us);
}

}  // namespace
}  // namespace rowbot::farend
