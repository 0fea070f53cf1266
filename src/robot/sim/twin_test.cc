#include "robot/sim/twin.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "robot/arm/forward.h"
#include "robot/cell/arm_driver_conformance.h"
#include "robot/cell/calibration.h"
#include "robot/cell/drop_plan.h"
#include "robot/sim/renderer.h"
#include "trials/drop_trials.h"
#include "trials/hostile_trials.h"
#include "trials/round_trip.h"

namespace rowbot::cell {

// The suite lives in its own room; the twin is its first driver.
INSTANTIATE_TEST_SUITE_P(
    Twin, ArmDriverConformance,
    testing::Values(
        DriverCase{
            .name = "eezybot",
            .make = []() -> std::unique_ptr<ArmDriver> {
              return *sim::Twin::create(default_layout(arm::eezybot()));
            },
            .pass_time = [](ArmDriver& d, double s) { dynamic_cast<sim::Twin&>(d).advance(s); }},
        DriverCase{
            .name = "panda",
            .make = []() -> std::unique_ptr<ArmDriver> {
              return *sim::Twin::create(default_layout(arm::panda()));
            },
            .pass_time = [](ArmDriver& d, double s) { dynamic_cast<sim::Twin&>(d).advance(s); }}),
    [](const auto& param) { return param.param.name; });

}  // namespace rowbot::cell

namespace rowbot::sim {
namespace {

using arm::JointVector;
using cell::ArmState;
using game::Column;
using testing::HasSubstr;

std::unique_ptr<Twin> active_twin(const arm::ArmModel& model, const TwinOptions& options = {}) {
  auto twin = Twin::create(cell::default_layout(model), options);
  EXPECT_TRUE(twin.has_value());
  EXPECT_TRUE((*twin)->configure().has_value());
  EXPECT_TRUE((*twin)->activate().has_value());
  return *std::move(twin);
}

cell::DropPlan plan_for(const arm::ArmModel& model, Column column) {
  auto plan = cell::plan_drop(cell::default_layout(model), column, arm::neutral(model));
  EXPECT_TRUE(plan.has_value());
  return *std::move(plan);
}

class TwinOfEveryArm : public testing::TestWithParam<const arm::ArmModel*> {};

INSTANTIATE_TEST_SUITE_P(Arms, TwinOfEveryArm,
                         testing::ValuesIn(arm::all_models().begin(), arm::all_models().end()),
                         [](const auto& param) { return param.param->name; });

TEST_P(TwinOfEveryArm, MuJoCoAndOurKinematicsAgreeOnTheHand) {
  // Two independent computations of the same chain, rods included.
  const arm::ArmModel& model = *GetParam();
  auto twin = active_twin(model);
  JointVector to = arm::neutral(model);
  to[0] -= 0.1;
  to[1] += 0.1;
  ASSERT_TRUE(cell::run(*twin, arm::joint_move(model, arm::neutral(model), to)).has_value());
  const arm::Pose X = arm::forward(model, twin->read().q_rad);
  EXPECT_LT((twin->world().arm.tool_pose().translation() - X.translation()).norm(), 2e-4);
  EXPECT_LT(arm::rotation_distance(twin->world().arm.tool_pose().linear(), X.linear()), 2e-3);
  EXPECT_LT((X.translation() - arm::forward(model, to).translation()).norm(), 5e-4);
}

TEST_P(TwinOfEveryArm, DropsPiecesIntoItsColumns) {
  const auto report = trials::run_drops(cell::default_layout(*GetParam()), {.count = 1, .seed = 7});
  ASSERT_TRUE(report.has_value()) << report.error().message;
  EXPECT_EQ(report->drops, 1U);
  EXPECT_EQ(report->missed, 0U) << report->first_miss;
  EXPECT_EQ(report->limit_violations, 0U);
  EXPECT_EQ(report->unwanted_contacts, 0U) << report->first_unwanted;
}

TEST_P(TwinOfEveryArm, AColumnHoldsSixPiecesAndTheBottomLetsThemOut) {
  auto twin = active_twin(*GetParam());
  for (int k = 0; k < 6; ++k) {
    ASSERT_TRUE(twin->human_drop(Column(2)));
    EXPECT_TRUE(twin->settle(3));
  }
  const BoardTruth board = twin->world().board.truth();
  for (const auto& cell : board[2]) EXPECT_EQ(cell, Side::kHuman);
  EXPECT_EQ(twin->world().board.count(), 6);
  twin->new_game();
  EXPECT_EQ(twin->world().board.count(), 0);
  EXPECT_EQ(twin->world().magazine.count(), twin->world().state.layout().magazine.capacity);
}

TEST(Twin, WithoutAGripThePieceDoesNotComeAlong) {
  // Nothing welds or teleports: fingers that stay open lift nothing.
  auto twin = active_twin(arm::eezybot());
  for (const cell::DropStep& step : plan_for(arm::eezybot(), Column(3)).steps) {
    if (!step.motion) continue;
    ASSERT_TRUE(cell::run(*twin, *step.motion).has_value());
  }
  twin->settle(2);
  EXPECT_EQ(twin->world().board.count(), 0);
}

TEST_P(TwinOfEveryArm, RandomAndHostileCommandsNeverBreakALimit) {
  const auto report =
      trials::run_hostile(cell::default_layout(*GetParam()), {.count = 40, .seed = 41});
  ASSERT_TRUE(report.has_value()) << report.error().message;
  EXPECT_GT(report->refused, 5U);
  EXPECT_LT(report->refused, 40U);
  EXPECT_EQ(report->limit_violations, 0U);
  EXPECT_EQ(report->unwanted_contacts, 0U) << report->first_unwanted;
}

TEST(Twin, AMotionWithoutEndIsRefusedAtOnce) {
  auto twin = active_twin(arm::eezybot());
  JointVector to = arm::neutral(arm::eezybot());
  to[0] = -1e300;
  const auto refused = twin->start(arm::joint_move(arm::eezybot(), twin->read().q_rad, to));
  ASSERT_FALSE(refused.has_value());
  EXPECT_THAT(refused.error().message, HasSubstr("would take"));
}

TEST(Twin, ADiscStaysUprightBetweenTheFingers) {
  auto twin = active_twin(arm::panda());
  for (const cell::DropStep& step : plan_for(arm::panda(), Column(3)).steps) {
    if (step.kind == cell::DropStepKind::kRelease) break;
    if (step.motion) {
      ASSERT_TRUE(cell::run(*twin, *step.motion).has_value());
    }
    if (step.grip) {
      ASSERT_TRUE(twin->grip(*step.grip).has_value());
    }
  }
  ASSERT_TRUE(twin->world().safety.holds_piece());
  // A disc that tilted or crept would hold the fingers further apart, or hang beside the hand.
  EXPECT_NEAR(twin->world().arm.gripper_width_m(), twin->world().state.layout().piece.thickness_m,
              5e-4);
}

TEST(Twin, ASlippedPieceDoesNotReachTheBoard) {
  auto twin = active_twin(arm::eezybot());
  twin->inject(Fault::kSlippedPiece);
  EXPECT_TRUE(cell::run_plan(*twin, plan_for(arm::eezybot(), Column(3))).has_value());
  twin->settle(2);
  EXPECT_EQ(twin->world().board.count(), 0);
}

TEST(Twin, AnEmptyMagazineLeavesTheGripperEmpty) {
  auto twin = active_twin(arm::eezybot());
  twin->inject(Fault::kEmptyMagazine);
  EXPECT_EQ(twin->world().magazine.count(), 0);
  EXPECT_TRUE(cell::run_plan(*twin, plan_for(arm::eezybot(), Column(3))).has_value());
  EXPECT_EQ(twin->world().board.count(), 0);
}

TEST(Twin, AJammedColumnTakesNoMorePieces) {
  auto twin = active_twin(arm::eezybot());
  twin->inject(Fault::kJammedColumn, 3);
  ASSERT_TRUE(twin->human_drop(Column(3)));
  twin->settle(1);
  EXPECT_EQ(twin->world().board.count(), 0);
}

TEST(Twin, APieceOnTheRimIsInNoColumn) {
  auto twin = active_twin(arm::panda());
  twin->inject(Fault::kPieceOnRim, 2);
  twin->advance(0.05);
  EXPECT_EQ(twin->world().board.count(), 0);
}

TEST(Twin, ADeadJointIsNoticed) {
  auto twin = active_twin(arm::panda());
  twin->inject(Fault::kDeadJoint, 1);
  twin->advance(1.0);
  EXPECT_EQ(twin->read().state, ArmState::kFault);
  EXPECT_THAT(twin->read().fault, HasSubstr("shoulder lift"));
}

TEST(Twin, LostMessagesAreAnErrorAndLateOnesOnlyTakeLonger) {
  auto twin = active_twin(arm::eezybot());
  JointVector to = arm::neutral(arm::eezybot());
  to[0] += 0.2;
  const auto move = arm::joint_move(arm::eezybot(), arm::neutral(arm::eezybot()), to);
  twin->inject(Fault::kLateMessages);
  EXPECT_TRUE(cell::run(*twin, move).has_value());
  twin->inject(Fault::kLostMessages);
  const auto back = arm::joint_move(arm::eezybot(), to, arm::neutral(arm::eezybot()));
  const auto lost = twin->start(back);
  ASSERT_FALSE(lost.has_value());
  EXPECT_THAT(lost.error().message, HasSubstr("does not answer"));
}

TEST(Twin, AMovedBoardMovesItsColumns) {
  auto twin = active_twin(arm::panda());
  const arm::Pose before = cell::board_pose(twin->world().state.layout());
  twin->inject(Fault::kMovedBoard);
  const arm::Pose after = cell::board_pose(twin->world().state.layout());
  EXPECT_GT((after.translation() - before.translation()).norm(), 0.01);
  // A piece dropped where the board is now still falls into its column.
  ASSERT_TRUE(twin->human_drop(Column(4)));
  twin->settle(2);
  EXPECT_EQ(twin->world().board.truth()[4][0], Side::kHuman);
}

TEST(Twin, CoarseServosMissTheirPlaceByUpToHalfAStep) {
  auto twin = active_twin(arm::eezybot(), {.seed = 1, .servo = coarse_servos()});
  JointVector to = arm::neutral(arm::eezybot());
  to[0] += 0.1;
  ASSERT_TRUE(cell::run(*twin, arm::joint_move(arm::eezybot(), arm::neutral(arm::eezybot()), to))
                  .has_value());
  const double error = std::abs(twin->read().q_rad[0] - to[0]);
  EXPECT_GT(error, 0.005);
  EXPECT_LT(error, 0.5 * coarse_servos().step_rad + coarse_servos().backlash_rad);
}

TEST(Twin, ABoardThatWasMovedIsFoundAgainByCalibration) {
  // The real board stands 6 mm further along y than the layout says; three jogs of 2 mm find it.
  const cell::CellLayout real =
      cell::with_board_moved(cell::default_layout(arm::eezybot()), {0, 0.006}, 0);
  auto made = Twin::create(real);
  ASSERT_TRUE(made.has_value());
  Twin& twin = **made;
  ASSERT_TRUE(twin.configure().has_value() && twin.activate().has_value());
  cell::Calibration calibration(twin, cell::default_layout(arm::eezybot()));
  const auto begun = calibration.begin();
  ASSERT_TRUE(begun.has_value()) << begun.error().message;
  for (const char key : std::string("www\n\nn")) {
    const auto done = calibration.key(key);
    ASSERT_TRUE(done.has_value()) << done.error().message;
  }
  ASSERT_TRUE(calibration.finished());
  EXPECT_LT((calibration.layout().board.first_slot_m - real.board.first_slot_m).norm(), 5e-4);
  EXPECT_LT((calibration.layout().board.last_slot_m - real.board.last_slot_m).norm(), 5e-4);
  const auto plan = cell::plan_drop(calibration.layout(), Column(0), twin.read().q_rad);
  ASSERT_TRUE(plan.has_value()) << plan.error().message;
  ASSERT_TRUE(cell::run_plan(twin, *plan).has_value());
  twin.settle(2);
  EXPECT_EQ(twin.world().board.truth()[0][0], Side::kRobot);
}

TEST(Twin, EveryFaultHasANameThatFindsIt) {
  for (const char* name :
       {"slipped-piece", "empty-magazine", "piece-on-rim", "jammed-column", "dead-joint",
        "late-messages", "lost-messages", "moved-board", "covered-camera"}) {
    const auto fault = fault_by_name(name);
    ASSERT_TRUE(fault.has_value());
    EXPECT_STREQ(fault_name(*fault), name);
  }
  EXPECT_FALSE(fault_by_name("earthquake").has_value());
}

TEST(Renderer, DrawsTheBoardInBlueAndThePiecesInYellow) {
  auto twin = active_twin(arm::panda());
  auto renderer = Renderer::create(twin->world(), 160, 120);
  ASSERT_TRUE(renderer.has_value()) << renderer.error().message;
  const Image image = (*renderer)->draw(twin->world(), View::kBoard);
  ASSERT_EQ(image.rgb.size(), 160U * 120U * 3U);
  int blue = 0;
  for (std::size_t i = 0; i < image.rgb.size(); i += 3) {
    if (image.rgb[i + 2] > 90 && image.rgb[i] < 80) ++blue;
  }
  EXPECT_GT(blue, 500);
}

TEST(Renderer, RefusesAPictureOfNoSize) {
  auto twin = active_twin(arm::eezybot());
  EXPECT_FALSE(Renderer::create(twin->world(), 0, 100).has_value());
  EXPECT_FALSE(Renderer::create(twin->world(), 100, 5000).has_value());
  EXPECT_FALSE(view_by_name("inside").has_value());
}

TEST(Renderer, TwoOfThemDrawWhatEachWouldAlone) {
  const auto twin = active_twin(arm::eezybot());
  const auto camera = Renderer::create(twin->world(), 160, 120, Finish::kFast);
  ASSERT_TRUE(camera.has_value());
  const Image alone = (*camera)->draw(twin->world(), View::kCamera);
  {
    const auto film = Renderer::create(twin->world(), 320, 180, Finish::kFine);
    ASSERT_TRUE(film.has_value());
    EXPECT_NE((*film)->draw(twin->world(), View::kOverview).rgb, alone.rgb);
    EXPECT_EQ((*camera)->draw(twin->world(), View::kCamera).rgb, alone.rgb);
  }
  EXPECT_EQ((*camera)->draw(twin->world(), View::kCamera).rgb, alone.rgb);
}

}  // namespace
}  // namespace rowbot::sim
