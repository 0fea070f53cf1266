// The cell as something to draw elsewhere: shapes once, places as often as wanted. Taken from the
// compiled MuJoCo model, so that what a browser shows is what the physics knows.
//
//   SceneExport   bodies, the shapes fixed to them, the shape of a piece
//   ScenePoses    where the bodies and the pieces are now
//
// Pieces are a list of their own: whether one moves or rests is the physics' business.
// Thread safety: pure functions; the World must not step meanwhile.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "robot/arm/arm_model.h"
#include "robot/sim/world.h"

namespace rowbot::sim {

enum class SceneShape : std::uint8_t { kPlane, kSphere, kCapsule, kCylinder, kBox, kMesh };
[[nodiscard]] std::string_view shape_text(SceneShape shape);

struct SceneMesh {
  std::vector<float> vertices;  // x y z, in metres
  std::vector<int> faces;       // three vertices each
};

struct SceneGeom {
  int body = 0;  // index into bodies
  SceneShape shape = SceneShape::kBox;
  /// As MuJoCo has it: radius; radius and half length along z; half sizes.
  std::array<double, 3> size_m{};
  std::array<float, 4> rgba{};
  arm::Pose X_body_geom = arm::Pose::Identity();
  std::optional<int> mesh;  // index into meshes, for kMesh
};

struct SceneBody {
  std::string name;
  arm::Pose X_world_body = arm::Pose::Identity();
  bool moves = false;  // its place is part of ScenePoses
};

struct SceneExport {
  std::vector<SceneMesh> meshes;
  std::vector<SceneBody> bodies;
  std::vector<SceneGeom> geoms;  // those one can see, without the pieces
  SceneShape piece = SceneShape::kCylinder;
  std::array<double, 3> piece_size_m{};
  std::array<float, 4> robot_rgba{};
  std::array<float, 4> human_rgba{};
  Eigen::Vector3d look_at_m = Eigen::Vector3d::Zero();  // a good view of the whole cell
  Eigen::Vector3d look_from_m = Eigen::Vector3d::Zero();
};

struct ScenePiece {
  int number = 0;  // stays with the piece
  Side side = Side::kRobot;
  arm::Pose X_world_piece = arm::Pose::Identity();
};

struct ScenePoses {
  double time_s = 0;
  std::vector<arm::Pose> bodies;   // those that move, in the order of SceneExport::bodies
  std::vector<ScenePiece> pieces;  // those that are not in the store
};

/// From the visitor's place, far enough for an upright arm. So low and so little aside that the
/// pieces are seen through the holes of a board as deep as they are wide.
void choose_view(const arm::ArmModel& arm, const cell::CellLayout& layout, SceneExport& scene);

[[nodiscard]] SceneExport export_scene(const World& world);
[[nodiscard]] ScenePoses scene_poses(const World& world);

}  // namespace rowbot::sim
