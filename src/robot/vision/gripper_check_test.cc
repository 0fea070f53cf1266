#include "robot/vision/gripper_check.h"

#include <gtest/gtest.h>

#include "robot/vision/board_finder.h"
#include "robot/vision/synthetic.h"

namespace rowbot::vision {
namespace {

BoardScene scene_with_marker(double column) {
  BoardScene scene;
  Rng rng(31);
  scene.cells = random_cells(rng, 15);
  scene.width_share = 0.55;
  scene.offset = {0, 0.06};
  scene.marker_column = column;
  return scene;
}

TEST(GripperCheck, MeasuresHowFarTheMarkerIsOffInMillimetres) {
  for (const double column : {0.0, 1.1, 2.5, 3.0, 4.8, 6.0}) {
    for (const double yaw : {-15.0, 0.0, 20.0}) {
      BoardScene scene = scene_with_marker(column);
      scene.yaw_deg = yaw;
      const RenderedBoard board = render_board(scene);
      const auto found = find_board(board.image);
      ASSERT_TRUE(found.has_value());
      const auto sight = check_gripper(board.image, found->geometry, 3, {.column_pitch_mm = 35});
      ASSERT_TRUE(sight.has_value()) << column << " yaw " << yaw;
      EXPECT_NEAR(sight->off_mm, (column - 3) * 35, 2.0) << column << " yaw " << yaw;
      EXPECT_EQ(sight->over_column, column == 3.0) << column << " yaw " << yaw;
    }
  }
}

TEST(GripperCheck, SeesNoMarkerWhereThereIsNone) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const RenderedBoard board = render_board(random_scene(seed, 0.3));
    EXPECT_FALSE(check_gripper(board.image, board.geometry, 3).has_value()) << seed;
  }
}

TEST(GripperCheck, WorksInWarmAndColdAndDimLight) {
  for (const double warmth : {-1.0, 0.0, 1.0}) {
    for (const double light : {0.5, 1.0}) {
      BoardScene scene = scene_with_marker(5);
      scene.warmth = warmth;
      scene.light = light;
      const RenderedBoard board = render_board(scene);
      const auto sight = check_gripper(board.image, board.geometry, 5);
      ASSERT_TRUE(sight.has_value()) << warmth << ' ' << light;
      EXPECT_TRUE(sight->over_column) << warmth << ' ' << light;
    }
  }
}

}  // namespace
}  // namespace rowbot::vision
