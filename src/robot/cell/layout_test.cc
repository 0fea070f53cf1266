#include "robot/cell/layout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "robot/arm/angles.h"

namespace rowbot::cell {
namespace {

using Eigen::Vector3d;
using game::Column;
using testing::HasSubstr;

class LayoutOfEveryArm : public testing::TestWithParam<const arm::ArmModel*> {
 protected:
  [[nodiscard]] static const CellLayout& layout() { return default_layout(*GetParam()); }
};

INSTANTIATE_TEST_SUITE_P(Arms, LayoutOfEveryArm,
                         testing::ValuesIn(arm::all_models().begin(), arm::all_models().end()),
                         [](const auto& param) { return param.param->name; });

TEST_P(LayoutOfEveryArm, TheDefaultIsSound) {
  const auto verdict = check_layout(layout());
  EXPECT_TRUE(verdict.has_value()) << verdict.error().message;
  EXPECT_EQ(layout().robot, GetParam()->name);
}

TEST_P(LayoutOfEveryArm, ColumnsLieEvenlyBetweenTheCorners) {
  EXPECT_TRUE(slot_m(layout(), Column(0)).isApprox(layout().board.first_slot_m));
  EXPECT_TRUE(slot_m(layout(), Column(6)).isApprox(layout().board.last_slot_m));
  for (int c = 1; c < 7; ++c) {
    const double step = (slot_m(layout(), Column(c)) - slot_m(layout(), Column(c - 1))).norm();
    EXPECT_NEAR(step, layout().board.pitch_m, 1e-9);
  }
}

TEST_P(LayoutOfEveryArm, ColumnOneIsOnTheLeftForTheCamera) {
  const Vector3d look = layout().camera.look_at_m - layout().camera.position_m;
  const Vector3d right = look.cross(Vector3d::UnitZ());
  EXPECT_GT((layout().board.last_slot_m - layout().board.first_slot_m).dot(right), 0);
}

TEST_P(LayoutOfEveryArm, TheNeutralPoseIsClearOfEverything) {
  EXPECT_EQ(arm::contact(*GetParam(), arm::neutral(*GetParam()), surroundings(layout())),
            std::nullopt);
}

TEST_P(LayoutOfEveryArm, MovingTheBoardKeepsItsSizeAndItsPieces) {
  const CellLayout moved = with_board_moved(layout(), {0.02, -0.01}, 0.3);
  EXPECT_TRUE(check_layout(moved).has_value());
  EXPECT_NEAR(board_floor_m(moved), board_floor_m(layout()), 1e-12);
  const Vector3d shift = board_pose(moved).translation() - board_pose(layout()).translation();
  EXPECT_TRUE(shift.isApprox(Vector3d(0.02, -0.01, 0)));
}

TEST_P(LayoutOfEveryArm, CornersThatDoNotFitTheBoardAreRefused) {
  CellLayout wrong = layout();
  wrong.board.last_slot_m += 0.5 * (wrong.board.last_slot_m - wrong.board.first_slot_m);
  const auto verdict = check_layout(wrong);
  ASSERT_FALSE(verdict.has_value());
  EXPECT_THAT(verdict.error().message, HasSubstr("mm apart"));
}

TEST_P(LayoutOfEveryArm, ALeaningBoardIsRefused) {
  CellLayout wrong = layout();
  wrong.board.last_slot_m.z() += 0.02;
  wrong.board.first_slot_m.z() += 0.05;
  const auto verdict = check_layout(wrong);
  ASSERT_FALSE(verdict.has_value());
}

TEST_P(LayoutOfEveryArm, SizesThatCannotBeAreRefused) {
  const auto refused = [](CellLayout wrong) { return !check_layout(wrong).has_value(); };
  CellLayout wrong = layout();
  wrong.piece.radius_m = -1;
  EXPECT_TRUE(refused(wrong));
  wrong = layout();
  wrong.board.slot_depth_m = wrong.piece.thickness_m / 2;
  EXPECT_TRUE(refused(wrong));
  wrong = layout();
  wrong.board.first_slot_m.x() = std::nan("");
  EXPECT_TRUE(refused(wrong));
  wrong = layout();
  wrong.grip_opening_m = wrong.piece.thickness_m;
  EXPECT_TRUE(refused(wrong));
  wrong = layout();
  wrong.robot = "nobody";
  EXPECT_TRUE(refused(wrong));
}

}  // namespace
}  // namespace rowbot::cell
