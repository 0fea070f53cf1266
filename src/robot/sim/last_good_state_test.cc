#include "robot/sim/last_good_state.h"

#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include "robot/sim/world.h"

namespace rowbot::sim {
namespace {

class BrokenStep : public testing::Test {
 protected:
  void SetUp() override {
    auto world = World::create(arm::panda(), cell::default_layout(arm::panda()));
    ASSERT_TRUE(world.has_value());
    world_ = *std::move(world);
    BoardTruth board;
    board[3][0] = Side::kRobot;
    world_->set_board(board);
    ASSERT_TRUE(world_->board.release_human_piece(game::Column(3), {0, 0, 0.01}));
    const arm::JointVector& neutral = arm::neutral(arm::panda());
    world_->arm.command(neutral, arm::JointVector::Zero(neutral.size()));
    for (int i = 0; i < 20; ++i) world_->step();
  }

  std::unique_ptr<World> world_;
};

TEST_F(BrokenStep, CostsThePieceThatBrokeItAndNothingElse) {
  const arm::JointVector before = world_->arm.joints_rad();
  const double time_s = world_->state.time_s();
  const int rail = world_->magazine.count();
  // The human's first piece is falling.
  const int joint = mj_name2id(&world_->state.model(), mjOBJ_JOINT,
                               ("piece_" + std::to_string(kPiecesPerSide)).c_str());
  ASSERT_GE(joint, 0);
  world_->state.data().qfrc_applied[world_->state.model().jnt_dofadr[joint]] = 1e14;
  world_->step();
  EXPECT_EQ(world_->state.broken_steps(), 1U);
  EXPECT_FALSE(world_->pieces.pose(kPiecesPerSide).has_value()) << "off the table";
  EXPECT_EQ(world_->board.truth()[3][0], Side::kRobot);
  EXPECT_EQ(world_->magazine.count(), rail);
  EXPECT_LT((world_->arm.joints_rad() - before).cwiseAbs().maxCoeff(), 0.01);
  EXPECT_GT(world_->state.time_s(), time_s);
  for (int i = 0; i < 100; ++i) world_->step();
  EXPECT_EQ(world_->state.broken_steps(), 1U);
}

TEST_F(BrokenStep, LetsAnArmThatBrokeItStandStill) {
  const arm::JointVector before = world_->arm.joints_rad();
  world_->state.data().qfrc_applied[0] = 1e14;
  world_->step();
  EXPECT_EQ(world_->state.broken_steps(), 1U);
  for (int i = 0; i < 100; ++i) world_->step();
  EXPECT_EQ(world_->state.broken_steps(), 1U);
  EXPECT_LT((world_->arm.joints_rad() - before).cwiseAbs().maxCoeff(), 0.01);
}

}  // namespace
}  // namespace rowbot::sim
