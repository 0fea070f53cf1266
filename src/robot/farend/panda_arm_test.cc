#include "robot/drivers/rosbridge/panda_arm.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "robot/arm/angles.h"
#include "robot/cell/arm_driver_conformance.h"
#include "robot/farend/driver_rigs.h"

namespace rowbot::farend {
namespace {

using arm::JointVector;
using cell::ArmState;
using nlohmann::json;
using testing::HasSubstr;

JointVector panda_neutral() { return arm::neutral(arm::panda()); }

arm::Trajectory panda_nudge(double by_rad, double speed = 1.0) {
  JointVector to = panda_neutral();
  to[0] += by_rad;
  to[3] += by_rad / 2;
  return arm::joint_move(arm::panda(), panda_neutral(), to, speed);
}

PandaRig active_panda() {
  auto rig = panda_rig(std::make_shared<KinematicWorld>(arm::panda()), {});
  EXPECT_TRUE(rig.has_value());
  const auto configured = rig->driver->configure();
  EXPECT_TRUE(configured.has_value()) << configured.error().message;
  EXPECT_TRUE(rig->driver->activate().has_value());
  return *std::move(rig);
}

/// The words with which a motion fails under a fault.
std::string fails_with(BridgeFault fault, std::uint64_t after, double seconds) {
  auto rig = active_panda();
  rig.far_end->inject(fault, after, seconds);
  const auto ran = cell::run(*rig.driver, panda_nudge(0.4));
  if (ran) return "";
  EXPECT_EQ(rig.driver->read().state, ArmState::kFault);
  // The way back.
  rig.far_end->clear_faults();
  rig.pacer->advance(0.2);
  const auto cleared = rig.driver->clear_fault();
  EXPECT_TRUE(cleared.has_value()) << cleared.error().message;
  EXPECT_TRUE(rig.driver->activate().has_value());
  const auto home = arm::joint_move(arm::panda(), rig.driver->read().q_rad, panda_neutral());
  const auto back = cell::run(*rig.driver, home);
  EXPECT_TRUE(back.has_value()) << back.error().message;
  return ran.error().message;
}

TEST(RosMessages, AGoalIsWhatActionlibExpects) {
  const auto motion = panda_nudge(0.3);
  const json goal = json::parse(drivers::trajectory_goal({}, "rowbot-1", motion, 0.05));
  EXPECT_EQ(goal["op"], "publish");
  EXPECT_EQ(goal["topic"], "/position_joint_trajectory_controller/follow_joint_trajectory/goal");
  EXPECT_EQ(goal["msg"]["goal_id"]["id"], "rowbot-1");
  const json& trajectory = goal["msg"]["goal"]["trajectory"];
  EXPECT_EQ(trajectory["joint_names"][6], "panda_joint7");
  const json& last = trajectory["points"].back();
  EXPECT_NEAR(last["positions"][0].get<double>(), motion.end_rad()[0], 1e-12);
  EXPECT_NEAR(last["velocities"][0].get<double>(), 0, 1e-12);
  EXPECT_NEAR(last["time_from_start"]["secs"].get<double>() +
                  last["time_from_start"]["nsecs"].get<double>() * 1e-9,
              motion.duration_s(), 1e-6);
  const json grasp = json::parse(drivers::grasp_goal({}, "g", {.width_m = 0.01, .force_n = 5}));
  EXPECT_EQ(grasp["topic"], "/franka_gripper/grasp/goal");
  EXPECT_EQ(grasp["msg"]["goal"]["force"], 5);
  EXPECT_TRUE(grasp["msg"]["goal"]["epsilon"].contains("inner"));
}

TEST(RosMessages, TheFarEndReadsTheGoalThatTheDriverWrote) {
  const auto motion = panda_nudge(0.5);
  const auto read =
      parse_client_text({}, arm::panda(), drivers::trajectory_goal({}, "rowbot-7", motion, 0.05));
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->refusal, "");
  ASSERT_TRUE(read->trajectory.has_value());
  EXPECT_EQ(read->trajectory->id, "rowbot-7");
  for (int k = 0; k <= 200; ++k) {
    const double time_s = motion.duration_s() * k / 200;
    const auto state = goal_at(*read->trajectory, motion.start_rad(), time_s);
    EXPECT_LT((state.q_rad - motion.at(time_s).q_rad).cwiseAbs().maxCoeff(), 1e-4);
    EXPECT_LT((state.v_rad_s - motion.at(time_s).v_rad_s).cwiseAbs().maxCoeff(), 5e-3);
  }
}

TEST(RosMessages, TheFarEndRefusesWhatALimitForbids) {
  json goal = json::parse(drivers::trajectory_goal({}, "x", panda_nudge(0.5), 0.05));
  goal["msg"]["goal"]["trajectory"]["points"][0]["positions"][0] = 9.3;
  EXPECT_NE(parse_client_text({}, arm::panda(), goal.dump())->refusal, "");
  goal["msg"]["goal"]["trajectory"]["joint_names"][0] = "elbow";
  EXPECT_EQ(parse_client_text({}, arm::panda(), goal.dump())->refusal, "other joints");
}

TEST(RosMessages, BrokenOnesAreRefusedInWords) {
  const auto says = [](const char* text) {
    const auto read = drivers::parse_ros_message({}, text);
    return read ? std::string("fine") : read.error().message;
  };
  EXPECT_THAT(says("{"), HasSubstr("not JSON"));
  EXPECT_THAT(says("[]"), HasSubstr("not a JSON object"));
  EXPECT_THAT(says("{}"), HasSubstr("op is missing"));
  EXPECT_EQ(says(R"({"op":"publish","topic":"/elsewhere","msg":{}})"), "fine");
  EXPECT_THAT(
      says(
          R"({"op":"publish","topic":"/joint_states","msg":{"name":["a"],"position":[1,2],"velocity":[]}})"),
      HasSubstr("1 joints"));
  EXPECT_THAT(
      says(
          R"({"op":"publish","topic":"/joint_states","msg":{"name":["a"],"position":["b"],"velocity":[]}})"),
      HasSubstr("/joint_states"));
}

TEST(RosMessages, ErrorCodesAreWords) {
  EXPECT_FALSE(drivers::failure_words(drivers::MotionResult{.status = {.code = 3}}).has_value());
  const auto words = [](int status, int error) {
    return failure_words(drivers::MotionResult{.status = {.code = status}, .error_code = error})
        .value_or("");
  };
  EXPECT_THAT(words(4, -4), HasSubstr("left the path"));
  EXPECT_THAT(words(4, -5), HasSubstr("did not come to its goal"));
  EXPECT_THAT(words(5, -1), HasSubstr("refused"));
  EXPECT_THAT(words(5, -2), HasSubstr("other joints"));
  EXPECT_THAT(words(5, -3), HasSubstr("clocks"));
  EXPECT_THAT(words(2, 0), HasSubstr("cancelled"));
  EXPECT_THAT(words(77, -9), HasSubstr("77"));
}

TEST(WsUrl, NamesHostPortAndTarget) {
  const auto full = drivers::parse_ws_url("ws://robot.local:9091/bridge");
  ASSERT_TRUE(full.has_value());
  EXPECT_EQ(full->host, "robot.local");
  EXPECT_EQ(full->port, "9091");
  EXPECT_EQ(full->target, "/bridge");
  EXPECT_EQ(drivers::parse_ws_url("ws://robot")->port, "9090");
  for (const char* wrong : {"http://robot", "ws://", "ws://robot:0", "ws://robot:x", "ws:///x",
                            "ws://robot/x\r\nHost: y"}) {
    EXPECT_FALSE(drivers::parse_ws_url(wrong).has_value()) << wrong;
  }
}

TEST(PandaArm, AGoalOnTheWireMovesTheArm) {
  auto rig = active_panda();
  const auto motion = panda_nudge(0.4);
  const auto done = cell::run(*rig.driver, motion);
  ASSERT_TRUE(done.has_value()) << done.error().message;
  EXPECT_LT((rig.world->joints_rad() - motion.end_rad()).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_LT((rig.driver->read().q_rad - motion.end_rad()).cwiseAbs().maxCoeff(), 1e-6);
}

TEST(PandaArm, HaltReachesTheArm) {
  auto rig = active_panda();
  ASSERT_TRUE(rig.driver->start(panda_nudge(0.5)).has_value());
  rig.pacer->advance(0.15);
  EXPECT_TRUE(rig.far_end->running());
  rig.driver->halt();
  rig.pacer->advance(0.3);
  EXPECT_FALSE(rig.far_end->running());
  const JointVector stopped = rig.world->joints_rad();
  rig.pacer->advance(1);
  EXPECT_EQ(rig.world->joints_rad(), stopped);
}

TEST(PandaArm, NothingIsSentThatALimitForbids) {
  auto rig = active_panda();
  const auto taken = rig.far_end->goals_taken();
  JointVector to = panda_neutral();
  to[3] = 0.3;  // the elbow ends at -0.07
  EXPECT_FALSE(rig.driver->start(arm::joint_move(arm::panda(), panda_neutral(), to)).has_value());
  EXPECT_FALSE(rig.driver->grip({.width_m = 0.02, .force_n = 500}).has_value());
  rig.pacer->advance(0.2);
  EXPECT_EQ(rig.far_end->goals_taken(), taken);
}

TEST(PandaArm, SaysWhyAGoalFailedAndComesBack) {
  EXPECT_THAT(fails_with(BridgeFault::kRefusedGoal, 0, 0), HasSubstr("refused"));
  EXPECT_THAT(fails_with(BridgeFault::kAbortedGoal, 0, 0.2), HasSubstr("left the path"));
  EXPECT_THAT(fails_with(BridgeFault::kLostGoal, 0, 0), HasSubstr("not taken up"));
}

TEST(PandaArm, SaysWhyTheConnectionFailedAndComesBack) {
  EXPECT_THAT(fails_with(BridgeFault::kClosed, 5, 0), HasSubstr("rosbridge is gone"));
  EXPECT_THAT(fails_with(BridgeFault::kBrokenFrame, 5, 0), HasSubstr("rosbridge is gone"));
  EXPECT_THAT(fails_with(BridgeFault::kSilentJoints, 3, 2), HasSubstr("no joint states"));
  EXPECT_THAT(fails_with(BridgeFault::kLateTexts, 3, 2), HasSubstr("no joint states"));
}

TEST(PandaArm, ALittleLatenessIsNoFault) {
  EXPECT_EQ(fails_with(BridgeFault::kLateTexts, 3, 0.2), "");
  EXPECT_EQ(fails_with(BridgeFault::kLostText, 3, 0), "");
  EXPECT_EQ(fails_with(BridgeFault::kDoubledText, 3, 0), "");
}

TEST(PandaArm, RunsInRealTimeToo) {
  KinematicWorld world(arm::panda());
  auto far_end = RosbridgeFarEnd::create(world, {});
  ASSERT_TRUE(far_end.has_value());
  const auto motion = panda_nudge(0.05);
  {
    drivers::RealTimePacer arms_own_time;
    arms_own_time.start(0.01, [&](double elapsed_s) { (*far_end)->advance(elapsed_s); });
    // A busy machine is no fault here.
    drivers::PandaArm driver({.address = (*far_end)->address(),
                              .take_up_s = 20,
                              .result_margin_s = 20,
                              .stale_s = 20,
                              .hello_s = 20},
                             std::make_shared<drivers::RealTimePacer>());
    const auto configured = driver.configure();
    ASSERT_TRUE(configured.has_value()) << configured.error().message;
    ASSERT_TRUE(driver.activate().has_value());
    const auto done = cell::run(driver, motion);
    ASSERT_TRUE(done.has_value()) << done.error().message;
  }
  EXPECT_LT((world.joints_rad() - motion.end_rad()).cwiseAbs().maxCoeff(), 1e-6);
}

TEST(PandaArm, WithoutARosbridgeItSaysWhereItLooked) {
  drivers::PandaArm arm({.address = {.host = "127.0.0.1", .port = "1"}},
                        std::make_shared<drivers::SimulatedPacer>());
  const auto configured = arm.configure();
  ASSERT_FALSE(configured.has_value());
  EXPECT_THAT(configured.error().message, HasSubstr("ws://127.0.0.1:1/"));
  EXPECT_EQ(arm.read().state, ArmState::kUnconfigured);
}

/// Of the driver made last; the suite has one at a time.
std::shared_ptr<drivers::SimulatedPacer>& panda_pacer() {
  static std::shared_ptr<drivers::SimulatedPacer> pacer;
  return pacer;
}

std::unique_ptr<cell::ArmDriver> make_panda() {
  auto rig = panda_rig(std::make_shared<KinematicWorld>(arm::panda()), {});
  if (!rig) return nullptr;
  panda_pacer() = rig->pacer;
  return std::move(rig->driver);
}

}  // namespace
}  // namespace rowbot::farend

namespace rowbot::cell {

INSTANTIATE_TEST_SUITE_P(Panda, ArmDriverConformance,
                         testing::Values(DriverCase{
                             .name = "rosbridge",
                             .make = farend::make_panda,
                             .pass_time = [](ArmDriver&,
                                             double s) { farend::panda_pacer()->advance(s); }}),
                         [](const auto& param) { return param.param.name; });

}  // namespace rowbot::cell
