#include "robot/sim/scene_export.h"

#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include "robot/sim/twin.h"

namespace rowbot::sim {
namespace {

std::unique_ptr<Twin> twin_of(const arm::ArmModel& model) {
  auto twin = Twin::create(cell::default_layout(model));
  EXPECT_TRUE(twin.has_value());
  EXPECT_TRUE((*twin)->configure().has_value());
  EXPECT_TRUE((*twin)->activate().has_value());
  return *std::move(twin);
}

/// What MuJoCo itself would draw, without the pieces.
int drawn_by_mujoco(const World& world) {
  mjvScene scene;
  mjv_defaultScene(&scene);
  mjv_makeScene(&world.state.model(), &scene, 2000);
  mjvOption option;
  mjv_defaultOption(&option);
  mjvCamera eye;
  mjv_defaultCamera(&eye);
  auto* data = const_cast<mjData*>(&world.state.data());  // only read
  mjv_updateScene(&world.state.model(), data, &option, nullptr, &eye, mjCAT_ALL, &scene);
  int count = 0;
  for (int i = 0; i < scene.ngeom; ++i) {
    const mjvGeom& geom = scene.geoms[i];
    if (geom.objtype != mjOBJ_GEOM || geom.rgba[3] == 0) continue;
    const char* name = mj_id2name(&world.state.model(), mjOBJ_GEOM, geom.objid);
    const std::string_view text = name == nullptr ? "" : name;
    count += text.starts_with("piece_") || text.starts_with("ghost_") ? 0 : 1;
  }
  mjv_freeScene(&scene);
  return count;
}

/// The place of a body by its name.
arm::Pose place_of(const SceneExport& scene, const ScenePoses& poses, std::string_view name) {
  std::size_t moving = 0;
  for (const SceneBody& body : scene.bodies) {
    if (body.name == name) return body.moves ? poses.bodies.at(moving) : body.X_world_body;
    moving += body.moves ? 1U : 0U;
  }
  ADD_FAILURE() << "no body " << name;
  return arm::Pose::Identity();
}

class SceneOfEveryArm : public testing::TestWithParam<const arm::ArmModel*> {};

INSTANTIATE_TEST_SUITE_P(Arms, SceneOfEveryArm,
                         testing::ValuesIn(arm::all_models().begin(), arm::all_models().end()),
                         [](const auto& param) { return param.param->name; });

TEST_P(SceneOfEveryArm, ShowsWhatMuJoCoDraws) {
  const auto twin = twin_of(*GetParam());
  const SceneExport scene = export_scene(twin->world());
  EXPECT_EQ(static_cast<int>(scene.geoms.size()), drawn_by_mujoco(twin->world()));
  for (const SceneGeom& geom : scene.geoms) {
    ASSERT_GE(geom.body, 0);
    ASSERT_LT(geom.body, static_cast<int>(scene.bodies.size()));
    if (!geom.mesh) continue;
    const SceneMesh& mesh = scene.meshes.at(static_cast<std::size_t>(*geom.mesh));
    for (const int vertex : mesh.faces) {
      ASSERT_LT(static_cast<std::size_t>(vertex), mesh.vertices.size() / 3);
    }
  }
}

TEST_P(SceneOfEveryArm, PutsTheHandWhereTheWorldHasIt) {
  const auto twin = twin_of(*GetParam());
  const SceneExport scene = export_scene(twin->world());
  const arm::Pose before = place_of(scene, scene_poses(twin->world()), "tool");
  arm::JointVector to = arm::neutral(*GetParam());
  to[0] -= 0.2;
  ASSERT_TRUE(cell::run(*twin, arm::joint_move(*GetParam(), twin->read().q_rad, to)).has_value());
  const arm::Pose after = place_of(scene, scene_poses(twin->world()), "tool");
  EXPECT_GT((after.translation() - before.translation()).norm(), 0.01);
  EXPECT_LT((after.translation() - twin->world().arm.tool_pose().translation()).norm(), 1e-6);
  EXPECT_TRUE(after.linear().isApprox(twin->world().arm.tool_pose().linear(), 1e-6));
}

TEST(SceneExport, ShowsAPieceWhileItFallsAndWhereItRests) {
  const auto twin = twin_of(arm::eezybot());
  const auto humans = [&] {
    std::vector<ScenePiece> found;
    for (const ScenePiece& piece : scene_poses(twin->world()).pieces) {
      if (piece.side == Side::kHuman) found.push_back(piece);
    }
    return found;
  };
  EXPECT_TRUE(humans().empty());
  ASSERT_TRUE(twin->human_drop(game::Column(5)));
  ASSERT_EQ(humans().size(), 1U);
  const double above = humans()[0].X_world_piece.translation().z();
  ASSERT_TRUE(twin->settle(3));
  twin->advance(0.5);
  ASSERT_EQ(twin->world().board.truth()[5][0], Side::kHuman);
  ASSERT_EQ(humans().size(), 1U);
  const cell::CellLayout& layout = twin->world().state.layout();
  const Eigen::Vector3d p =
      cell::board_pose(layout).inverse() * humans()[0].X_world_piece.translation();
  EXPECT_NEAR(p.x(), 2 * layout.board.pitch_m, 0.1 * layout.board.pitch_m);
  EXPECT_LT(humans()[0].X_world_piece.translation().z(), above - 8 * layout.piece.radius_m);
  EXPECT_EQ(scene_poses(twin->world()).pieces.size(),
            1U + static_cast<unsigned>(layout.magazine.capacity));
}

TEST(SceneExport, FollowsABoardThatWasBumped) {
  const auto twin = twin_of(arm::eezybot());
  const SceneExport scene = export_scene(twin->world());
  const arm::Pose before = place_of(scene, scene_poses(twin->world()), "board");
  twin->inject(Fault::kMovedBoard);
  twin->advance(0.1);
  const arm::Pose after = place_of(scene, scene_poses(twin->world()), "board");
  EXPECT_GT((after.translation() - before.translation()).norm(), 0.001);
}

}  // namespace
}  // namespace rowbot::sim
