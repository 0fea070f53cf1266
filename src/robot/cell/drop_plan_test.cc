#include "robot/cell/drop_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/rng.h"
#include "robot/arm/angles.h"
#include "robot/arm/forward.h"
#include "trials/plan_trials.h"

namespace rowbot::cell {
namespace {

using arm::JointVector;
using Eigen::Vector3d;
using game::Column;
using testing::ElementsAre;
using testing::HasSubstr;

class PlanOfEveryArm : public testing::TestWithParam<const arm::ArmModel*> {
 protected:
  [[nodiscard]] static const arm::ArmModel& model() { return *GetParam(); }
  [[nodiscard]] static const CellLayout& layout() { return default_layout(*GetParam()); }
};

INSTANTIATE_TEST_SUITE_P(Arms, PlanOfEveryArm,
                         testing::ValuesIn(arm::all_models().begin(), arm::all_models().end()),
                         [](const auto& param) { return param.param->name; });

TEST_P(PlanOfEveryArm, ADropHasItsStepsInOrderAndEndsInTheNeutralPose) {
  const auto plan = plan_drop(layout(), Column(3), arm::neutral(model()));
  ASSERT_TRUE(plan.has_value()) << plan.error().message;
  std::vector<std::string> names;
  for (const DropStep& step : plan->steps) names.push_back(drop_step_name(step.kind));
  EXPECT_THAT(names, ElementsAre("open", "approach", "pick", "close", "lift", "carry", "align",
                                 "release", "retreat", "neutral"));
  EXPECT_TRUE(plan->steps.back().motion->end_rad().isApprox(arm::neutral(model())));
}

TEST_P(PlanOfEveryArm, EachMotionStartsWhereTheLastOneEnded) {
  for (const Column column : game::kAllColumns) {
    const auto plan = plan_drop(layout(), column, arm::neutral(model()));
    ASSERT_TRUE(plan.has_value()) << plan.error().message;
    JointVector at = arm::neutral(model());
    for (const DropStep& step : plan->steps) {
      if (!step.motion) continue;
      EXPECT_LT((step.motion->start_rad() - at).norm(), 1e-6) << drop_step_name(step.kind);
      EXPECT_TRUE(arm::check(model(), *step.motion, {}).has_value()) << drop_step_name(step.kind);
      at = step.motion->end_rad();
    }
  }
}

TEST_P(PlanOfEveryArm, TheHandIsOverTheColumnWhenItLetsGo) {
  for (const Column column : game::kAllColumns) {
    const auto plan = plan_drop(layout(), column, arm::neutral(model()));
    ASSERT_TRUE(plan.has_value()) << plan.error().message;
    const JointVector q = plan->steps[6].motion->end_rad();
    const Vector3d p = arm::forward(model(), q).translation() - slot_m(layout(), column);
    EXPECT_NEAR(p.x(), 0, 1e-6);
    EXPECT_NEAR(p.y(), 0, 1e-6);
    EXPECT_NEAR(p.z(), layout().board.release_height_m, 1e-6);
  }
}

TEST_P(PlanOfEveryArm, TheSamePlanTwiceIsTheSame) {
  const auto a = plan_drop(layout(), Column(5), arm::neutral(model()), {.seed = 3});
  const auto b = plan_drop(layout(), Column(5), arm::neutral(model()), {.seed = 3});
  ASSERT_TRUE(a.has_value() && b.has_value());
  EXPECT_EQ(a->moving_s, b->moving_s);
}

TEST_P(PlanOfEveryArm, ADiscInTheFingersIsCarriedAndNoneFetched) {
  const auto plan = plan_drop(layout(), Column(3), arm::neutral(model()), {.holding = true});
  ASSERT_TRUE(plan.has_value()) << plan.error().message;
  std::vector<std::string> names;
  for (const DropStep& step : plan->steps) names.push_back(drop_step_name(step.kind));
  EXPECT_THAT(names, ElementsAre("carry", "align", "release", "retreat", "neutral"));
  EXPECT_TRUE(plan->steps.front().motion->start_rad().isApprox(arm::neutral(model())));
}

TEST_P(PlanOfEveryArm, OutOfSlotAndMagazineTheHandGoesHomeClearOfBoth) {
  const auto plan = plan_drop(layout(), Column(5), arm::neutral(model()));
  ASSERT_TRUE(plan.has_value()) << plan.error().message;
  for (const DropStep& step : plan->steps) {
    if (step.kind != DropStepKind::kPick && step.kind != DropStepKind::kAlign) continue;
    for (const double part : {0.5, 0.8, 1.0}) {
      const JointVector halted = step.motion->at(part * step.motion->duration_s()).q_rad;
      const auto ways = plan_return(layout(), halted);
      ASSERT_TRUE(ways.has_value()) << ways.error().message;
      const arm::Surroundings around = surroundings(layout());
      EXPECT_FALSE(arm::contact(model(), ways->back().start_rad(), around))
          << *arm::contact(model(), ways->back().start_rad(), around);
      EXPECT_TRUE(arm::check(model(), ways->back(), around).has_value())
          << drop_step_name(step.kind);
      EXPECT_TRUE(ways->back().end_rad().isApprox(arm::neutral(model())));
    }
  }
}

TEST_P(PlanOfEveryArm, OutOfTheMagazineTheHandLeavesAsItCameIn) {
  const auto plan = plan_drop(layout(), Column(5), arm::neutral(model()));
  ASSERT_TRUE(plan.has_value()) << plan.error().message;
  const arm::Trajectory& pick = *plan->steps[2].motion;
  const auto ways = plan_return(layout(), pick.end_rad(), {.holding = true});
  ASSERT_TRUE(ways.has_value()) << ways.error().message;
  ASSERT_EQ(ways->size(), 2U);
  const auto tool_m = [](const JointVector& q) -> Vector3d {
    return arm::forward(model(), q).translation();
  };
  const Vector3d in = tool_m(pick.end_rad()) - tool_m(pick.start_rad());
  const Vector3d out = tool_m(ways->front().end_rad()) - tool_m(pick.end_rad());
  EXPECT_LT(out.normalized().dot(in.normalized()), -0.999);
}

TEST_P(PlanOfEveryArm, ABoardOutOfReachIsExplained) {
  const CellLayout far = with_board_moved(layout(), {1.5, 0}, 0);
  const auto plan = plan_drop(far, Column(3), arm::neutral(model()));
  ASSERT_FALSE(plan.has_value());
  EXPECT_THAT(plan.error().message, HasSubstr("column 4"));
  EXPECT_THAT(plan.error().message, HasSubstr("nearest"));
}

TEST_P(PlanOfEveryArm, TaughtPositionsTakeTheirPlace) {
  CellLayout taught = layout();
  // Teach column 2 a place one degree beside the calculated one.
  const auto calculated = plan_drop(layout(), Column(1), arm::neutral(model()));
  ASSERT_TRUE(calculated.has_value());
  JointVector at = calculated->steps[6].motion->end_rad();
  JointVector above = calculated->steps[6].motion->start_rad();
  at[0] += arm::radians(0.5);
  above[0] += arm::radians(0.5);
  taught.taught = {{.name = "column 2", .q_rad = at}, {.name = "column 2 above", .q_rad = above}};
  const auto plan = plan_drop(taught, Column(1), arm::neutral(model()));
  ASSERT_TRUE(plan.has_value()) << plan.error().message;
  EXPECT_TRUE(plan->steps[6].motion->end_rad().isApprox(at));
}

TEST(RoboarmPlan, ABoardAcrossItsForearmIsRefusedWithTheReason) {
  const CellLayout across =
      with_board_moved(default_layout(arm::roboarm()), {0, 0}, arm::radians(30));
  const auto plan = plan_drop(across, Column(3), arm::neutral(arm::roboarm()));
  ASSERT_FALSE(plan.has_value());
  EXPECT_THAT(plan.error().message, HasSubstr("askew"));
}

TEST(PandaPlan, ReachesABoardThatStandsElsewhereAndAtAnAngle) {
  Rng rng(31);
  const CellLayout& layout = default_layout(arm::panda());
  for (int k = 0; k < 10; ++k) {
    const auto within = [&rng](double size) { return size * (2 * rng.uniform() - 1); };
    const CellLayout moved =
        with_board_moved(layout, {within(0.05), within(0.05)}, within(arm::radians(25)));
    const Column column(static_cast<int>(rng.below(7)));
    const auto plan = plan_drop(moved, column, arm::neutral(arm::panda()));
    EXPECT_TRUE(plan.has_value()) << plan.error().message;
  }
}

TEST(PlanTrials, AMovedBoardIsServedByEveryArm) {
  for (const arm::ArmModel* model : arm::all_models()) {
    trials::PlanTrialOptions options = trials::usual_moves(default_layout(*model));
    options.count = 6;
    const trials::PlanReport report = run_plans(default_layout(*model), options);
    EXPECT_EQ(report.solved, 6U) << model->name << ": " << report.first_failure;
  }
}

}  // namespace
}  // namespace rowbot::cell
