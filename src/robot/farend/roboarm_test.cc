#include "robot/drivers/serial/roboarm.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "robot/arm/angles.h"
#include "robot/arm/forward.h"
#include "robot/cell/arm_driver_conformance.h"
#include "robot/cell/layout.h"
#include "robot/farend/driver_rigs.h"

namespace rowbot::farend {
namespace {

using arm::JointVector;
using cell::ArmState;
using testing::HasSubstr;

JointVector neutral() { return arm::neutral(arm::roboarm()); }

arm::Trajectory turn(int joint, double degrees) {
  JointVector to = neutral();
  to[joint] += arm::radians(degrees);
  return arm::joint_move(arm::roboarm(), neutral(), to);
}

drivers::RoboArmProgram program_of(const arm::Trajectory& motion,
                                   const drivers::RoboArmConfig& config = {}) {
  const JointVector start_deg = motion.start_rad() * (180 / arm::kPi);
  drivers::RoboArmProgram program{
      .orders = {}, .start_deg = start_deg, .end_deg = start_deg, .motions = 0};
  drivers::add_motion(arm::roboarm(), config, motion, program);
  return program;
}

RoboArmRig active_rig(const RoboArmFarEndOptions& options = {}) {
  auto rig = roboarm_rig(std::make_shared<KinematicWorld>(arm::roboarm()), options);
  EXPECT_TRUE(rig.has_value());
  EXPECT_TRUE(rig->driver->configure().has_value());
  EXPECT_TRUE(rig->driver->activate().has_value());
  return *std::move(rig);
}

double off_deg(const RoboArmRig& rig) {
  return arm::degrees((rig.world->joints_rad() - rig.driver->read().q_rad).cwiseAbs().maxCoeff());
}

TEST(RoboArmProtocol, SaysAMoveInTwoBytesAndTheHandInOne) {
  const std::vector<drivers::RoboArmOrder> orders = {
      {.verb = drivers::RoboArmVerb::kBaseLeft, .degrees = 90},
      {.verb = drivers::RoboArmVerb::kOpen},
      {.verb = drivers::RoboArmVerb::kElbowUp, .degrees = 254}};
  EXPECT_EQ(drivers::encode({}, orders), (std::vector<std::uint8_t>{'L', 90, 'O', 'U', 254}));
}

TEST(RoboArmProtocol, WhatIsEncodedIsDecodedAgain) {
  std::vector<drivers::RoboArmOrder> orders;
  for (std::size_t i = 0; i < drivers::kRoboArmVerbs; ++i) {
    const auto verb = static_cast<drivers::RoboArmVerb>(i);
    orders.push_back(
        {.verb = verb, .degrees = drivers::moves_a_joint(verb) ? static_cast<int>(i) : 0});
  }
  drivers::RoboArmDecoder decoder{drivers::CommandTable{}};
  std::vector<drivers::RoboArmOrder> heard;
  for (const std::uint8_t byte : drivers::encode({}, orders)) {
    if (const auto order = decoder.feed(byte)) heard.push_back(*order);
  }
  EXPECT_EQ(heard, orders);
}

TEST(RoboArmProtocol, AStopTakenForDegreesMovesNothing) {
  drivers::RoboArmDecoder decoder{drivers::CommandTable{}};
  const std::uint8_t stop = drivers::CommandTable{}[drivers::RoboArmVerb::kStop];
  EXPECT_EQ(decoder.feed('F'), std::nullopt);
  EXPECT_EQ(decoder.feed(stop),
            (drivers::RoboArmOrder{.verb = drivers::RoboArmVerb::kShoulderForward}));
  EXPECT_EQ(decoder.feed(stop), drivers::RoboArmOrder{.verb = drivers::RoboArmVerb::kStop});
}

TEST(RoboArmConfig, ComesBackFromItsOwnText) {
  drivers::RoboArmConfig config;
  config.baud = 1200;
  config.commands.bytes[0] = 200;
  config.speed_deg_s = {10, 11, 12, 13};
  config.margin_s = 0.5;
  const auto read = drivers::parse_roboarm_config(drivers::roboarm_config_text(config));
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_EQ(*read, config);
}

TEST(RoboArmConfig, NamesTheKeyThatIsWrong) {
  const auto says = [](const char* text) {
    const auto read = drivers::parse_roboarm_config(text);
    return read ? std::string("fine") : read.error().message;
  };
  EXPECT_EQ(says(""), "fine");
  EXPECT_EQ(says("[commands]\nopen = \"P\"\nclose = 7\n"), "fine");
  EXPECT_THAT(says("[commands]\nopen = \"C\""), HasSubstr("open and close have the same byte"));
  EXPECT_THAT(says("[commands]\njump = 3"), HasSubstr("commands.jump"));
  EXPECT_THAT(says("[commands]\nopen = 300"), HasSubstr("commands.open"));
  EXPECT_THAT(says("[serial]\nbaud = 9601"), HasSubstr("9600"));
  EXPECT_THAT(says("[timing]\nspeed_deg_s = [1, 2]"), HasSubstr("timing.speed_deg_s"));
  EXPECT_THAT(says("[timing]\nhand_s = -1"), HasSubstr("timing.hand_s"));
  EXPECT_THAT(says("[motion]\nfollow = 1"), HasSubstr("motion.follow"));
  EXPECT_THAT(says("[drift]\nrefuse_at_deg = 1"), HasSubstr("nobody would be asked"));
  EXPECT_THAT(says("[serial\n"), HasSubstr("line 1"));
}

TEST(RoboArmProgram, TurnsOneMotorInWholeDegrees) {
  const drivers::RoboArmProgram program = program_of(turn(0, 30.4));
  int sum = 0;
  for (const drivers::RoboArmOrder& order : program.orders) {
    EXPECT_EQ(order.verb, drivers::RoboArmVerb::kBaseLeft);
    sum += order.degrees;
  }
  EXPECT_EQ(sum, 30);
  EXPECT_NEAR(program.end_deg[0] - program.start_deg[0], 30, 1e-9);
}

TEST(RoboArmProgram, StaysCloseToThePlannedPath) {
  const arm::ArmModel& model = arm::roboarm();
  JointVector to = neutral();
  to += arm::joint_vector({arm::radians(40.3), arm::radians(21.7), arm::radians(-17.2), 0});
  const auto motion = arm::joint_move(model, neutral(), to);
  const drivers::RoboArmConfig config;
  const drivers::RoboArmProgram program = program_of(motion, config);
  EXPECT_LT((program.end_deg - to * (180 / arm::kPi)).cwiseAbs().maxCoeff(), 1);
  // Every corner of the staircase is near some point of the path.
  JointVector at = program.start_deg;
  for (const drivers::RoboArmOrder& order : program.orders) {
    at[drivers::turn_of(order.verb).joint] += drivers::turn_of(order.verb).sign * order.degrees;
    double nearest = 1e9;
    for (int k = 0; k <= 1000; ++k) {
      const JointVector path_deg =
          motion.at(motion.duration_s() * k / 1000).q_rad * (180 / arm::kPi);
      nearest = std::min(nearest, (path_deg - at).cwiseAbs().maxCoeff());
    }
    EXPECT_LT(nearest, config.follow_deg + 0.6);
  }
}

TEST(RoboArmProgram, RoundsSoThatTheHandEndsNearItsGoal) {
  const arm::ArmModel& model = arm::roboarm();
  const auto plan = cell::plan_drop(cell::default_layout(model), game::Column(4), neutral());
  ASSERT_TRUE(plan.has_value());
  for (const cell::DropStep& step : plan->steps) {
    if (!step.motion) continue;
    const drivers::RoboArmProgram program = program_of(*step.motion);
    const Eigen::Vector3d off_m =
        arm::forward(model, program.end_deg * (arm::kPi / 180)).translation() -
        arm::forward(model, step.motion->end_rad()).translation();
    EXPECT_LT(off_m.norm(), 0.005) << cell::drop_step_name(step.kind);
    EXPECT_GT(off_m.z(), -0.002) << cell::drop_step_name(step.kind);
  }
}

TEST(RoboArmProgram, NeverLeavesAJointsRange) {
  const arm::ArmModel& model = arm::roboarm();
  JointVector to = neutral();
  to[1] = model.joints[1].max_rad - arm::radians(0.3);  // 64.7 degrees: rounding would go to 65
  const drivers::RoboArmProgram program = program_of(arm::joint_move(model, neutral(), to));
  EXPECT_LE(program.end_deg[1], 65 + 1e-6);
  EXPECT_FALSE(arm::limit_violation(model, program.end_deg * (arm::kPi / 180), 1e-6).has_value());
}

TEST(RoboArmProgram, TheTimingModelAddsUp) {
  const drivers::RoboArmConfig config;
  drivers::RoboArmProgram program = program_of(turn(0, 30));
  drivers::add_hand(true, program);
  const double turns = static_cast<double>(program.orders.size()) - 1;
  EXPECT_NEAR(drivers::running_s(config, program),
              30 / 30.0 + turns * config.each_order_s + config.hand_s, 1e-9);
  EXPECT_NEAR(drivers::pose_after_deg(config, program, 0)[0], -50, 1e-9);
  EXPECT_NEAR(drivers::pose_after_deg(config, program, 100)[0], -20, 1e-9);
  EXPECT_NEAR(drivers::sending_s(config, 960), 1.0, 1e-9);
}

TEST(RoboArm, BytesOnTheLineMoveTheArm) {
  auto rig = active_rig();
  const auto done = cell::run(*rig.driver, turn(1, 20));
  ASSERT_TRUE(done.has_value()) << done.error().message;
  EXPECT_FALSE(rig.far_end->running());
  EXPECT_NEAR(arm::degrees(rig.world->joints_rad()[1]), 10, 1e-6);
  EXPECT_LT(off_deg(rig), 1e-6);
}

TEST(RoboArm, WaitsLongerThanASlowerArmNeeds) {
  auto rig = active_rig({.speed_share = 0.92});
  for (const double by : {25.0, -25.0}) {
    JointVector to = rig.driver->read().q_rad;
    to[0] += arm::radians(by);
    const auto done =
        cell::run(*rig.driver, arm::joint_move(arm::roboarm(), rig.driver->read().q_rad, to));
    ASSERT_TRUE(done.has_value()) << done.error().message;
    EXPECT_FALSE(rig.far_end->running()) << "the next command would kill the running one";
  }
}

TEST(RoboArm, AWholeDropIsLoadedAndRunOnce) {
  auto rig = active_rig();
  const auto plan =
      cell::plan_drop(cell::default_layout(arm::roboarm()), game::Column(3), neutral());
  ASSERT_TRUE(plan.has_value());
  const auto started = rig.driver->start_plan(*plan);
  ASSERT_TRUE(started.has_value()) << started.error().message;
  ASSERT_TRUE(rig.driver->wait().has_value());
  EXPECT_FALSE(rig.far_end->running());
  EXPECT_LT(off_deg(rig), 1e-6);
  EXPECT_LT((rig.world->joints_rad() - neutral()).cwiseAbs().maxCoeff(), arm::radians(0.51));
}

TEST(RoboArm, StepByStepADropEndsInTheSamePose) {
  auto rig = active_rig();
  const auto plan =
      cell::plan_drop(cell::default_layout(arm::roboarm()), game::Column(3), neutral());
  ASSERT_TRUE(plan.has_value());
  const auto done = cell::run_plan(*rig.driver, *plan);
  ASSERT_TRUE(done.has_value()) << done.error().message;
  EXPECT_LT(off_deg(rig), 1e-6);
  EXPECT_LT((rig.world->joints_rad() - neutral()).cwiseAbs().maxCoeff(), arm::radians(0.51));
}

TEST(RoboArm, HaltReachesTheArmInTheMiddleOfLoadingAndOfRunning) {
  for (const double after_s : {0.0, 0.01, 0.05, 0.3, 0.5}) {
    auto rig = active_rig();
    ASSERT_TRUE(rig.driver->start(turn(0, 40)).has_value());
    rig.pacer->advance(after_s);
    rig.driver->heartbeat();
    rig.driver->halt();
    rig.pacer->advance(0.05);
    EXPECT_FALSE(rig.far_end->running());
    const JointVector stopped = rig.world->joints_rad();
    rig.pacer->advance(2);
    EXPECT_EQ(rig.world->joints_rad(), stopped);
    EXPECT_LT(off_deg(rig), 2) << "after " << after_s << " s";
  }
}

TEST(RoboArm, AsksForCalibrationAfterFiveToTenDrops) {
  auto rig = active_rig();
  const auto plan =
      cell::plan_drop(cell::default_layout(arm::roboarm()), game::Column(3), neutral());
  ASSERT_TRUE(plan.has_value());
  int drops = 0;
  while (!rig.driver->drift().recalibrate && drops < 20) {
    ++drops;
    ASSERT_TRUE(rig.driver->start_plan(*plan).has_value());
    ASSERT_TRUE(rig.driver->wait().has_value());
  }
  EXPECT_GE(drops, 5);
  EXPECT_LE(drops, 10);
  EXPECT_THAT(rig.driver->drift().words, HasSubstr("calibrate"));
  EXPECT_EQ(rig.driver->calibration_due(), rig.driver->drift().words);
  rig.driver->calibrated();
  EXPECT_FALSE(rig.driver->drift().recalibrate);
  EXPECT_EQ(rig.driver->calibration_due(), "");
}

TEST(RoboArm, RefusesToGoOnWhenItNoLongerKnowsWhereItIs) {
  RoboArmFarEndOptions options;
  options.config.drift_deg_per_motion = 3;
  auto rig = active_rig(options);
  const auto there = turn(0, 5);
  ASSERT_TRUE(cell::run(*rig.driver, there).has_value());
  ASSERT_TRUE(cell::run(*rig.driver, arm::joint_move(arm::roboarm(), there.end_rad(), neutral()))
                  .has_value());
  const auto refused = rig.driver->start(there);
  ASSERT_FALSE(refused.has_value());
  EXPECT_THAT(refused.error().message, HasSubstr("degrees off"));
  EXPECT_EQ(rig.driver->read().state, ArmState::kActive);
}

TEST(RoboArm, ALookAtTheArmFindsWhatTheLineCannotTell) {
  auto rig = active_rig();
  rig.far_end->inject(LineFault::kLost, 3);  // the stops before it are three
  ASSERT_TRUE(cell::run(*rig.driver, turn(0, 20)).has_value());
  const auto looked = rig.driver->seen_at(rig.world->joints_rad(), rig.world->gripper_width_m());
  ASSERT_FALSE(looked.has_value());
  EXPECT_THAT(looked.error().message, HasSubstr("serial line"));
  EXPECT_EQ(rig.driver->read().state, ArmState::kFault);
}

TEST(RoboArm, ALookAtTheHandFindsALostCommand) {
  auto rig = active_rig();
  rig.pacer->advance(0.1);  // the stops of the beginning have passed
  rig.far_end->inject(LineFault::kLost, 0);
  ASSERT_TRUE(rig.driver->grip({.width_m = 0, .force_n = 1}).has_value());
  const auto looked = rig.driver->seen_at(rig.world->joints_rad(), rig.world->gripper_width_m());
  ASSERT_FALSE(looked.has_value());
  EXPECT_THAT(looked.error().message, HasSubstr("the hand is open"));
}

TEST(RoboArm, APulledPlugIsAFaultUntilItIsBack) {
  auto rig = active_rig();
  ASSERT_TRUE(rig.driver->start(turn(0, 20)).has_value());
  rig.far_end->unplug();
  const auto ended = rig.driver->wait();
  ASSERT_FALSE(ended.has_value());
  EXPECT_THAT(ended.error().message, HasSubstr("plug it in again"));
  const auto too_early = rig.driver->clear_fault();
  ASSERT_FALSE(too_early.has_value());
  EXPECT_THAT(too_early.error().message, HasSubstr("plugged in"));
  ASSERT_TRUE(rig.far_end->plug().has_value());
  EXPECT_TRUE(rig.driver->clear_fault().has_value());
  EXPECT_TRUE(rig.driver->activate().has_value());
}

TEST(RoboArm, RunsInRealTimeToo) {
  KinematicWorld world(arm::roboarm());
  auto far_end = RoboArmFarEnd::create(world, {});
  ASSERT_TRUE(far_end.has_value());
  JointVector moved = neutral();
  {
    drivers::RealTimePacer arms_own_time;  // outlived by the driver's commands
    arms_own_time.start(0.01, [&](double elapsed_s) { (*far_end)->advance(elapsed_s); });
    drivers::RoboArm driver({.port = (*far_end)->path()},
                            std::make_shared<drivers::RealTimePacer>());
    ASSERT_TRUE(driver.configure().has_value());
    ASSERT_TRUE(driver.activate().has_value());
    const auto done = cell::run(driver, turn(3, 4));
    ASSERT_TRUE(done.has_value()) << done.error().message;
    moved = driver.read().q_rad;
  }
  EXPECT_LT((world.joints_rad() - moved).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_NEAR(arm::degrees(moved[3]), 4, 1e-6);
}

TEST(RoboArm, RefusesAMotionThatItsBufferDoesNotHold) {
  RoboArmFarEndOptions options;
  options.config.buffer_orders = 3;
  auto rig = active_rig(options);
  JointVector to = neutral();
  to += arm::joint_vector({0.3, 0.2, 0.2, 0});
  const auto refused = rig.driver->start(arm::joint_move(arm::roboarm(), neutral(), to));
  ASSERT_FALSE(refused.has_value());
  EXPECT_THAT(refused.error().message, HasSubstr("buffer holds 3"));
}

/// Of the driver made last; the suite has one at a time.
std::shared_ptr<drivers::SimulatedPacer>& roboarm_pacer() {
  static std::shared_ptr<drivers::SimulatedPacer> pacer;
  return pacer;
}

/// Slow enough for other threads to get their turn: 40 simulated seconds a second.
class UnhurriedWorld final : public WireWorld {
 public:
  [[nodiscard]] const arm::ArmModel& model() const override { return inner_.model(); }
  [[nodiscard]] double step_s() const override { return inner_.step_s(); }
  void command(const arm::JointVector& q_rad, const arm::JointVector& v_rad_s) override {
    inner_.command(q_rad, v_rad_s);
  }
  void command_gripper(double width_m, double force_n) override {
    inner_.command_gripper(width_m, force_n);
  }
  void step() override {
    inner_.step();
    std::this_thread::sleep_for(std::chrono::microseconds(250));
  }
  [[nodiscard]] arm::JointVector joints_rad() const override { return inner_.joints_rad(); }
  [[nodiscard]] arm::JointVector velocities_rad_s() const override {
    return inner_.velocities_rad_s();
  }
  [[nodiscard]] double gripper_width_m() const override { return inner_.gripper_width_m(); }

 private:
  KinematicWorld inner_{arm::roboarm()};
};

std::unique_ptr<cell::ArmDriver> make_roboarm() {
  auto rig = roboarm_rig(std::make_shared<UnhurriedWorld>(), {});
  if (!rig) return nullptr;
  roboarm_pacer() = rig->pacer;
  return std::move(rig->driver);
}

}  // namespace
}  // namespace rowbot::farend

namespace rowbot::cell {

// The motors have one speed, so no motion takes long; the hand opens and closes, nothing between.
INSTANTIATE_TEST_SUITE_P(RoboArm, ArmDriverConformance,
                         testing::Values(DriverCase{
                             .name = "serial",
                             .make = farend::make_roboarm,
                             .pass_time = [](ArmDriver&,
                                             double s) { farend::roboarm_pacer()->advance(s); },
                             .open_share = 1,
                             .closed_share = 0}),
                         [](const auto& param) { return param.param.name; });

}  // namespace rowbot::cell
