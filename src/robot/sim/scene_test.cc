#include "robot/sim/scene.h"

#include <cstddef>
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>
#include <vector>

#include "robot/sim/renderer.h"
#include "robot/sim/world.h"

namespace rowbot::sim {
namespace {

std::vector<std::byte> bytes_of(const mjModel& model) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(mj_sizeModel(&model)));
  mj_saveModel(&model, nullptr, bytes.data(), static_cast<int>(bytes.size()));
  return bytes;
}

TEST(Scene, StaysAsItWasCompiledWhateverHappensInASimulation) {
  const arm::ArmModel& arm = arm::eezybot();
  const auto scene = Scene::compile(arm, cell::default_layout(arm));
  ASSERT_TRUE(scene.has_value()) << scene.error().message;
  const std::vector<std::byte> before = bytes_of(*(*scene)->model);

  World used(*scene);
  World untouched(*scene);
  const std::vector<std::byte> at_start = bytes_of(untouched.state.model());
  used.arm.disable_motor(1);
  used.arm.command_gripper(0.01, 1);
  used.board.jam(game::Column(2));
  used.board.move({0.01, 0.01}, 0.1);
  BoardTruth truth;
  truth[0][0] = Side::kHuman;
  used.set_board(truth);
  for (int i = 0; i < 20; ++i) used.step();
  ASSERT_TRUE(Renderer::create(used, 64, 48, Finish::kFast).has_value());

  EXPECT_NE(bytes_of(used.state.model()), at_start);
  EXPECT_EQ(bytes_of(untouched.state.model()), at_start);
  EXPECT_EQ(bytes_of(*(*scene)->model), before);
}

TEST(Scene, StartsEverySimulationAlike) {
  const arm::ArmModel& arm = arm::panda();
  const auto scene = Scene::compile(arm, cell::default_layout(arm));
  ASSERT_TRUE(scene.has_value()) << scene.error().message;
  World first(*scene);
  for (int i = 0; i < 50; ++i) first.step();
  World second(*scene);
  for (int i = 0; i < 50; ++i) second.step();
  EXPECT_EQ(first.arm.joints_rad(), second.arm.joints_rad());
  EXPECT_EQ(first.pieces.pose(0)->matrix(), second.pieces.pose(0)->matrix());
}

}  // namespace
}  // namespace rowbot::sim
