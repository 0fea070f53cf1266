// What every ArmDriver must do, simulated or real. A driver's test gives a factory and a way to let
// its time pass, and instantiates the suite:
//
//   INSTANTIATE_TEST_SUITE_P(Twin, ArmDriverConformance, testing::Values(DriverCase{...}));
//
// The arm must be free to move by ten degrees around its neutral pose.
#pragma once

#include <chrono>
#include <cmath>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <thread>

#include "robot/arm/angles.h"
#include "robot/arm/trajectory.h"
#include "robot/cell/arm_driver.h"

namespace rowbot::cell {

struct DriverCase {
  std::string name;
  std::function<std::unique_ptr<ArmDriver>()> make;  // standing in the neutral pose
  std::function<void(ArmDriver&, double seconds)> pass_time;
  /// Two widths that the gripper can take, as shares of its greatest; one that knows only open and
  /// closed has 1 and 0.
  double open_share = 0.8;
  double closed_share = 0.2;
};

class ArmDriverConformance : public testing::TestWithParam<DriverCase> {
 protected:
  void SetUp() override {
    driver_ = GetParam().make();
    ASSERT_NE(driver_, nullptr);
  }
  void bring_up() {
    ASSERT_TRUE(driver_->configure().has_value());
    ASSERT_TRUE(driver_->activate().has_value());
  }
  [[nodiscard]] arm::Trajectory nudge(double by_rad, double speed = 1.0) const {
    arm::JointVector to = arm::neutral(driver_->model());
    to[0] += by_rad;
    return arm::joint_move(driver_->model(), arm::neutral(driver_->model()), to, speed);
  }
  void pass_time(double seconds) { GetParam().pass_time(*driver_, seconds); }

  std::unique_ptr<ArmDriver> driver_;
};

TEST_P(ArmDriverConformance, GoesThroughItsLifeCycle) {
  EXPECT_EQ(driver_->read().state, ArmState::kUnconfigured);
  EXPECT_FALSE(driver_->activate().has_value());
  EXPECT_TRUE(driver_->configure().has_value());
  EXPECT_EQ(driver_->read().state, ArmState::kReady);
  EXPECT_FALSE(driver_->configure().has_value());
  EXPECT_FALSE(driver_->clear_fault().has_value());
  EXPECT_TRUE(driver_->activate().has_value());
  EXPECT_EQ(driver_->read().state, ArmState::kActive);
  EXPECT_TRUE(driver_->deactivate().has_value());
  EXPECT_EQ(driver_->read().state, ArmState::kReady);
}

TEST_P(ArmDriverConformance, OnlyAnActiveArmMoves) {
  EXPECT_FALSE(driver_->start(nudge(0.1)).has_value());
  ASSERT_TRUE(driver_->configure().has_value());
  EXPECT_FALSE(driver_->start(nudge(0.1)).has_value());
  EXPECT_FALSE(driver_->grip({.width_m = 0.01, .force_n = 1}).has_value());
}

TEST_P(ArmDriverConformance, RunsAMotionToItsEnd) {
  bring_up();
  const arm::Trajectory motion = nudge(0.15);
  const auto done = run(*driver_, motion);
  ASSERT_TRUE(done.has_value()) << done.error().message;
  const ArmReading reading = driver_->read();
  EXPECT_FALSE(reading.moving);
  EXPECT_LT((reading.q_rad - motion.end_rad()).cwiseAbs().maxCoeff(), arm::radians(1));
  EXPECT_LT(reading.v_rad_s.cwiseAbs().maxCoeff(), 0.05);
}

TEST_P(ArmDriverConformance, RefusesAMotionThatDoesNotStartWhereTheArmStands) {
  bring_up();
  arm::JointVector from = arm::neutral(driver_->model());
  from[0] += arm::radians(8);
  const auto motion = arm::joint_move(driver_->model(), from, arm::neutral(driver_->model()));
  const auto started = driver_->start(motion);
  ASSERT_FALSE(started.has_value());
  EXPECT_THAT(started.error().message, testing::HasSubstr("degrees"));
  EXPECT_EQ(driver_->read().state, ArmState::kActive);
}

TEST_P(ArmDriverConformance, RefusesAMotionOutOfItsLimits) {
  bring_up();
  arm::JointVector to = arm::neutral(driver_->model());
  to[0] = driver_->model().joints[0].max_rad + 0.2;
  const auto motion = arm::joint_move(driver_->model(), arm::neutral(driver_->model()), to);
  EXPECT_FALSE(driver_->start(motion).has_value());
  EXPECT_FALSE(driver_->read().moving);
}

TEST_P(ArmDriverConformance, RefusesASecondMotionWhileTheFirstRuns) {
  bring_up();
  ASSERT_TRUE(driver_->start(nudge(0.15)).has_value());
  EXPECT_TRUE(driver_->read().moving);
  EXPECT_FALSE(driver_->start(nudge(0.1)).has_value());
  EXPECT_FALSE(driver_->grip({.width_m = 0.01, .force_n = 1}).has_value());
  EXPECT_FALSE(driver_->deactivate().has_value());
  EXPECT_TRUE(driver_->wait().has_value());
}

TEST_P(ArmDriverConformance, HaltStopsAtOnceAndClearsTheMotion) {
  bring_up();
  ASSERT_TRUE(driver_->start(nudge(0.16, 0.5)).has_value());
  pass_time(0.15);
  driver_->heartbeat();
  driver_->halt();
  pass_time(0.1);
  const ArmReading stopped = driver_->read();
  EXPECT_EQ(stopped.state, ArmState::kFault);
  EXPECT_FALSE(stopped.moving);
  EXPECT_LT(stopped.v_rad_s.cwiseAbs().maxCoeff(), 0.05);
  EXPECT_FALSE(driver_->wait().has_value());
  pass_time(0.3);  // it stays where it is
  EXPECT_LT((driver_->read().q_rad - stopped.q_rad).cwiseAbs().maxCoeff(), arm::radians(1));
}

TEST_P(ArmDriverConformance, HaltFromAnotherThreadEndsTheWait) {
  bring_up();
  ASSERT_TRUE(driver_->start(nudge(0.17, 0.02)).has_value());  // takes long
  std::jthread stopper([this] {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    driver_->halt();
  });
  const auto ended = driver_->wait();
  ASSERT_FALSE(ended.has_value());
  EXPECT_EQ(driver_->read().state, ArmState::kFault);
}

TEST_P(ArmDriverConformance, AfterAFaultOnePlansAnewFromTheMeasuredPose) {
  bring_up();
  ASSERT_TRUE(driver_->start(nudge(0.16, 0.5)).has_value());
  pass_time(0.15);
  driver_->halt();
  pass_time(0.2);
  EXPECT_FALSE(driver_->activate().has_value());  // the fault comes first
  ASSERT_TRUE(driver_->clear_fault().has_value());
  ASSERT_TRUE(driver_->activate().has_value());
  EXPECT_TRUE(driver_->read().fault.empty());
  const auto home =
      arm::joint_move(driver_->model(), driver_->read().q_rad, arm::neutral(driver_->model()));
  const auto done = run(*driver_, home);
  EXPECT_TRUE(done.has_value()) << done.error().message;
}

TEST_P(ArmDriverConformance, TheWatchdogStopsAnArmThatNobodyAttends) {
  bring_up();
  ASSERT_TRUE(driver_->start(nudge(0.16, 0.2)).has_value());
  pass_time(driver_->watchdog_s() + 0.1);
  const ArmReading reading = driver_->read();
  EXPECT_EQ(reading.state, ArmState::kFault);
  EXPECT_FALSE(reading.moving);
  EXPECT_THAT(reading.fault, testing::HasSubstr("watchdog"));
}

TEST_P(ArmDriverConformance, HeartbeatsKeepTheWatchdogQuiet) {
  bring_up();
  ASSERT_TRUE(driver_->start(nudge(0.16, 0.3)).has_value());
  for (int i = 0; i < 8; ++i) {
    driver_->heartbeat();
    pass_time(driver_->watchdog_s() / 2);
  }
  EXPECT_EQ(driver_->read().state, ArmState::kActive);
  EXPECT_TRUE(driver_->wait().has_value());
}

TEST_P(ArmDriverConformance, TheGripperOpensAndCloses) {
  bring_up();
  const arm::Gripper& gripper = driver_->model().gripper;
  const double force = gripper.max_force_n / 10;
  const double open_m = GetParam().open_share * gripper.max_width_m;
  const auto open = driver_->grip({.width_m = open_m, .force_n = force});
  ASSERT_TRUE(open.has_value()) << open.error().message;
  EXPECT_NEAR(*open, open_m, 0.002);
  const double closed_m = GetParam().closed_share * gripper.max_width_m;
  const auto closed = driver_->grip({.width_m = closed_m, .force_n = force});
  ASSERT_TRUE(closed.has_value());
  EXPECT_NEAR(*closed, closed_m, 0.002);
}

TEST_P(ArmDriverConformance, TheGripperRefusesWhatItCannotDo) {
  bring_up();
  const arm::Gripper& gripper = driver_->model().gripper;
  EXPECT_FALSE(driver_->grip({.width_m = 2 * gripper.max_width_m, .force_n = 1}).has_value());
  EXPECT_FALSE(driver_->grip({.width_m = -0.01, .force_n = 1}).has_value());
  EXPECT_FALSE(driver_->grip({.width_m = 0.01, .force_n = 0}).has_value());
  EXPECT_FALSE(driver_->grip({.width_m = 0.01, .force_n = 2 * gripper.max_force_n}).has_value());
  EXPECT_FALSE(driver_->grip({.width_m = std::nan(""), .force_n = 1}).has_value());
}

}  // namespace rowbot::cell
