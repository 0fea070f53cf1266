#include "robot/sim/scene_export.h"

#include <algorithm>
#include <cmath>
#include <mujoco/mujoco.h>
#include <string_view>

#include "robot/arm/angles.h"
#include "robot/arm/forward.h"

namespace rowbot::sim {
namespace {

using arm::Pose;
using Eigen::Vector3d;

constexpr int kHiddenGroup = 3;  // MuJoCo draws the groups below by default

Pose pose_from(const double* position, const double* quaternion) {
  Pose X = Pose::Identity();
  X.translation() = Eigen::Map<const Vector3d>(position);
  X.linear() = Eigen::Quaterniond(quaternion[0], quaternion[1], quaternion[2], quaternion[3])
                   .normalized()
                   .toRotationMatrix();
  return X;
}

std::string_view name_of(const mjModel& model, mjtObj kind, int index) {
  const char* name = mj_id2name(&model, kind, index);
  return name == nullptr ? std::string_view() : name;
}

bool is_piece(std::string_view name) {
  return name.starts_with("piece_") || name.starts_with("ghost_");
}

/// By its joints, or because people bump it.
bool can_move(const mjModel& model, int body) {
  return model.body_weldid[body] != 0 || name_of(model, mjOBJ_BODY, body) == "board";
}

/// The board's columns and ribs are bodies in the board's own frame, for the sake of the physics.
bool is_part_of_board(const mjModel& model, int body) {
  return name_of(model, mjOBJ_BODY, body).starts_with("board_");
}

/// Pieces have bodies of their own, which are not part of the scene.
bool is_shown(const mjModel& model, int body) {
  return !is_piece(name_of(model, mjOBJ_BODY, body)) && !is_part_of_board(model, body);
}

std::optional<SceneShape> shape_of(int type) {
  switch (type) {
    case mjGEOM_PLANE:
      return SceneShape::kPlane;
    case mjGEOM_SPHERE:
      return SceneShape::kSphere;
    case mjGEOM_CAPSULE:
      return SceneShape::kCapsule;
    case mjGEOM_CYLINDER:
      return SceneShape::kCylinder;
    case mjGEOM_BOX:
      return SceneShape::kBox;
    case mjGEOM_MESH:
      return SceneShape::kMesh;
    default:
      return std::nullopt;  // height fields and ellipsoids: no cell has any
  }
}

/// A material wins over the geom's own colour; a texture counts with its mean.
std::array<float, 4> colour_of(const mjModel& model, int geom) {
  std::array<float, 4> rgba{};
  const int material = model.geom_matid[geom];
  if (material < 0) {
    std::copy_n(model.geom_rgba + 4 * geom, 4, rgba.begin());
    return rgba;
  }
  std::copy_n(model.mat_rgba + 4 * material, 4, rgba.begin());
  const int texture = model.mat_texid[material];
  if (texture < 0) return rgba;
  const int pixels = model.tex_width[texture] * model.tex_height[texture];
  for (std::size_t channel = 0; channel < 3; ++channel) {
    double sum = 0;
    for (int i = 0; i < pixels; ++i) {
      sum += model.tex_rgb[model.tex_adr[texture] + 3 * i + static_cast<int>(channel)];
    }
    rgba[channel] *= static_cast<float>(sum / (255.0 * pixels));
  }
  return rgba;
}

SceneMesh mesh_of(const mjModel& model, int mesh) {
  const float* vertices = model.mesh_vert + 3 * model.mesh_vertadr[mesh];
  const int* faces = model.mesh_face + 3 * model.mesh_faceadr[mesh];
  return {.vertices = {vertices, vertices + 3 * model.mesh_vertnum[mesh]},
          .faces = {faces, faces + 3 * model.mesh_facenum[mesh]}};
}

}  // namespace

std::string_view shape_text(SceneShape shape) {
  switch (shape) {
    case SceneShape::kPlane:
      return "plane";
    case SceneShape::kSphere:
      return "sphere";
    case SceneShape::kCapsule:
      return "capsule";
    case SceneShape::kCylinder:
      return "cylinder";
    case SceneShape::kBox:
      return "box";
    case SceneShape::kMesh:
      return "mesh";
  }
  return "box";
}

void choose_view(const arm::ArmModel& arm, const cell::CellLayout& layout, SceneExport& scene) {
  const Vector3d board = cell::board_pose(layout).translation();
  const arm::Frames frames = arm::link_frames(arm, arm::neutral(arm));
  double top = board.z();
  for (int i = 0; i < frames.count; ++i) top = std::max(top, frames[i].translation().z());
  Vector3d over = layout.camera.position_m - layout.camera.look_at_m;
  over.z() = 0;
  over = Eigen::AngleAxisd(-0.12, Vector3d::UnitZ()) * over.normalized();
  const double reach = std::max({board.head<2>().norm(), 1.3 * top, 0.2});
  scene.look_at_m = Vector3d(0.55 * board.x(), 0.55 * board.y(), 0.46 * top);
  scene.look_from_m = scene.look_at_m + 1.75 * reach * (over + 0.14 * Vector3d::UnitZ());
}

SceneExport export_scene(const World& world) {
  const mjModel& model = world.state.model();
  const mjData& data = world.state.data();
  SceneExport scene;
  std::vector<int> index_of_body(static_cast<std::size_t>(model.nbody), -1);
  for (int body = 0; body < model.nbody; ++body) {
    if (is_part_of_board(model, body)) {
      index_of_body[static_cast<std::size_t>(body)] =
          index_of_body[static_cast<std::size_t>(model.body_parentid[body])];
    }
    if (!is_shown(model, body)) continue;
    index_of_body[static_cast<std::size_t>(body)] = static_cast<int>(scene.bodies.size());
    scene.bodies.push_back({.name = std::string(name_of(model, mjOBJ_BODY, body)),
                            .X_world_body = pose_from(data.xpos + 3 * body, data.xquat + 4 * body),
                            .moves = can_move(model, body)});
  }
  for (int mesh = 0; mesh < model.nmesh; ++mesh) scene.meshes.push_back(mesh_of(model, mesh));
  for (int geom = 0; geom < model.ngeom; ++geom) {
    const std::string_view name = name_of(model, mjOBJ_GEOM, geom);
    const std::array<float, 4> rgba = colour_of(model, geom);
    const auto shape = shape_of(model.geom_type[geom]);
    if (name == "piece_0" && shape) {
      scene.piece = *shape;
      std::copy_n(model.geom_size + 3 * geom, 3, scene.piece_size_m.begin());
      scene.robot_rgba = rgba;
    }
    if (name == "ghost_" + std::to_string(kPiecesPerSide)) scene.human_rgba = rgba;
    if (is_piece(name) || model.geom_group[geom] >= kHiddenGroup || rgba[3] == 0 || !shape) {
      continue;
    }
    SceneGeom seen{.body = index_of_body[static_cast<std::size_t>(model.geom_bodyid[geom])],
                   .shape = *shape,
                   .rgba = rgba,
                   .X_body_geom = pose_from(model.geom_pos + 3 * geom, model.geom_quat + 4 * geom)};
    std::copy_n(model.geom_size + 3 * geom, 3, seen.size_m.begin());
    if (*shape == SceneShape::kMesh) seen.mesh = model.geom_dataid[geom];
    scene.geoms.push_back(seen);
  }
  choose_view(world.state.scene().arm, world.state.layout(), scene);
  return scene;
}

ScenePoses scene_poses(const World& world) {
  const mjModel& model = world.state.model();
  const mjData& data = world.state.data();
  ScenePoses poses{.time_s = world.state.time_s()};
  for (int body = 0; body < model.nbody; ++body) {
    if (!is_shown(model, body) || !can_move(model, body)) continue;
    poses.bodies.push_back(pose_from(data.xpos + 3 * body, data.xquat + 4 * body));
  }
  for (int k = 0; k < kPieces; ++k) {
    const auto X = world.pieces.pose(static_cast<std::size_t>(k));
    if (!X) continue;
    poses.pieces.push_back({.number = k,
                            .side = k < kPiecesPerSide ? Side::kRobot : Side::kHuman,
                            .X_world_piece = *X});
  }
  return poses;
}

}  // namespace rowbot::sim
