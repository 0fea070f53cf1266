#include "robot/sim/last_good_state.h"

#include <gtest/gtest.h>

#include "robot/sim/world.h"

namespace rowbot::sim {
namespace {

/// Reaches into the physics to break it, as no port can.
mjData& inside(const World& world) {
  return const_cast<mjData&>(*world.data());  // NOLINT(cppcoreguidelines-pro-type-const-cast)
}

class BrokenStep : public testing::Test {
 protected:
  void SetUp() override {
    auto world = World::create(arm::panda(), cell::default_layout(arm::panda()), 1);
    ASSERT_TRUE(world.has_value());
    world_ = *std::move(world);
    BoardTruth board;
    board[3][0] = Side::kRobot;
    world_->set_board(board);
    ASSERT_TRUE(world_->release_human_piece(game::Column(3), {0, 0, 0.01}));
    const arm::JointVector& neutral = arm::neutral(arm::panda());
    world_->command(neutral, arm::JointVector::Zero(neutral.size()));
    for (int i = 0; i < 20; ++i) world_->step();
  }

  std::unique_ptr<World> world_;
};

TEST_F(BrokenStep, CostsThePieceThatBrokeItAndNothingElse) {
  const arm::JointVector before = world_->joints_rad();
  const double time_s = world_->time_s();
  const int rail = world_->pieces_on_rail();
  // The human's first piece is falling.
  const int joint =
      mj_name2id(world_->model(), mjOBJ_JOINT, ("piece_" + std::to_string(kPiecesPerSide)).c_str());
  ASSERT_GE(joint, 0);
  inside(*world_).qfrc_applied[world_->model()->jnt_dofadr[joint]] = 1e14;
  world_->step();
  EXPECT_EQ(world_->counters().broken_steps, 1U);
  EXPECT_FALSE(world_->piece_pose(kPiecesPerSide).has_value()) << "off the table";
  EXPECT_EQ(world_->board()[3][0], Side::kRobot);
  EXPECT_EQ(world_->pieces_on_rail(), rail);
  EXPECT_LT((world_->joints_rad() - before).cwiseAbs().maxCoeff(), 0.01);
  EXPECT_GT(world_->time_s(), time_s);
  for (int i = 0; i < 100; ++i) world_->step();
  EXPECT_EQ(world_->counters().broken_steps, 1U);
}

TEST_F(BrokenStep, LetsAnArmThatBrokeItStandStill) {
  const arm::JointVector before = world_->joints_rad();
  inside(*world_).qfrc_applied[0] = 1e14;
  world_->step();
  EXPECT_EQ(world_->counters().broken_steps, 1U);
  for (int i = 0; i < 100; ++i) world_->step();
  EXPECT_EQ(world_->counters().broken_steps, 1U);
  EXPECT_LT((world_->joints_rad() - before).cwiseAbs().maxCoeff(), 0.01);
}

}  // namespace
}  // namespace rowbot::sim
