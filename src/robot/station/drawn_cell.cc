#include "robot/station/drawn_cell.h"

#include <array>
#include <fmt/format.h>
#include <utility>

#include "game/bits.h"
#include "game/game.h"
#include "robot/arm/angles.h"
#include "robot/arm/forward.h"
#include "robot/sim/scene_xml.h"

namespace rowbot::station {
namespace {

using arm::Pose;
using Eigen::Vector3d;
using sim::SceneGeom;
using sim::SceneShape;
using Colour = std::array<float, 4>;

constexpr Colour kTable{0.78F, 0.66F, 0.50F, 1};
constexpr Colour kBoard{0.10F, 0.28F, 0.72F, 1};
constexpr Colour kMetal{0.55F, 0.57F, 0.60F, 1};
constexpr Colour kDark{0.20F, 0.20F, 0.22F, 1};
constexpr Colour kRobot{0.95F, 0.80F, 0.10F, 1};
constexpr Colour kHuman{0.85F, 0.12F, 0.10F, 1};

Pose at(const Vector3d& place_m) {
  Pose X = Pose::Identity();
  X.translation() = place_m;
  return X;
}

SceneGeom box(int body, const Pose& X, const Vector3d& half_m, const Colour& rgba) {
  return {.body = body,
          .shape = SceneShape::kBox,
          .size_m = {half_m.x(), half_m.y(), half_m.z()},
          .rgba = rgba,
          .X_body_geom = X};
}

/// Along z, as MuJoCo and the page have it.
SceneGeom capsule(int body, const arm::Capsule& c, const Colour& rgba) {
  Pose X = at((c.start_m + c.end_m) / 2);
  const Vector3d along = c.end_m - c.start_m;
  if (along.norm() > 0) {
    X.linear() = Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitZ(), along).toRotationMatrix();
  }
  return {.body = body,
          .shape = SceneShape::kCapsule,
          .size_m = {c.radius_m, along.norm() / 2, 0},
          .rgba = rgba,
          .X_body_geom = X};
}

}  // namespace

DrawnCell::DrawnCell(cell::CellLayout layout, bool with_arm)
    : layout_(std::move(layout)),
      model_(**arm::model_by_name(layout_.robot)),
      with_arm_(with_arm) {}

sim::SceneExport DrawnCell::scene() const {
  sim::SceneExport scene;
  scene.bodies.push_back({.name = "world"});
  const auto& table = layout_.table;
  scene.geoms.push_back(box(0, at({table.centre_m.x(), table.centre_m.y(), -0.02}),
                            {table.half_m.x(), table.half_m.y(), 0.02}, kTable));
  for (const arm::Box& b : cell::surroundings(layout_).boxes) {
    const bool shown = b.name == "camera mast" || (b.name == "magazine" && with_arm_);
    if (shown) scene.geoms.push_back(box(0, b.X_base_box, b.half_m, kMetal));
  }
  draw_board(scene);
  if (with_arm_) draw_arm(scene);
  const bool disc = layout_.piece.shape == cell::PieceShape::kDisc;
  scene.piece = disc ? SceneShape::kCylinder : SceneShape::kSphere;
  scene.piece_size_m = {layout_.piece.radius_m, disc ? layout_.piece.thickness_m / 2 : 0, 0};
  scene.robot_rgba = kRobot;
  scene.human_rgba = kHuman;
  sim::choose_view(model_, layout_, scene);
  return scene;
}

/// Two plates with a window for each cell, and feet.
void DrawnCell::draw_board(sim::SceneExport& scene) const {
  const sim::Plate plate = sim::cell_plate(layout_);
  sim::SceneMesh mesh{.vertices = {}, .faces = plate.faces};
  for (const Vector3d& v : plate.vertices_m) {
    for (const double x : v) mesh.vertices.push_back(static_cast<float>(x));
  }
  scene.meshes.push_back(std::move(mesh));
  const auto& b = layout_.board;
  const Pose X = cell::board_pose(layout_);
  const double height = X.translation().z();
  const double front = (b.slot_depth_m + sim::visible_panel_m(layout_)) / 2;
  for (int row = 0; row < game::kRows; ++row) {
    const double z = cell::board_floor_m(layout_) - height + (2 * row + 1) * layout_.piece.radius_m;
    for (int column = 0; column < game::kColumns; ++column) {
      for (const double y : {-front, front}) {
        scene.geoms.push_back({.body = 0,
                               .shape = SceneShape::kMesh,
                               .rgba = kBoard,
                               .X_body_geom = X * at({(column - 3) * b.pitch_m, y, z}),
                               .mesh = 0});
      }
    }
  }
  for (const double side : {-1.0, 1.0}) {
    scene.geoms.push_back(box(0, X * at({side * (3.5 * b.pitch_m + 0.003), 0, -height / 2}),
                              {0.003, b.slot_depth_m / 2 + b.panel_m, height / 2}, kBoard));
  }
}

void DrawnCell::draw_arm(sim::SceneExport& scene) const {
  const int first = static_cast<int>(scene.bodies.size());  // is link 1; the base is the world's
  const int links = static_cast<int>(model_.links.size());
  for (int i = 1; i <= links; ++i) {
    scene.bodies.push_back({.name = fmt::format("link_{}", i), .moves = true});
  }
  for (const char* name : {"tool", "finger_left", "finger_right"}) {
    scene.bodies.push_back({.name = name, .moves = true});
  }
  for (const arm::Capsule& c : model_.shape) {
    if (c.link > links) continue;  // the hand is drawn by itself
    const int body = c.link == 0 ? 0 : first + c.link - 1;
    scene.geoms.push_back(capsule(body, c, c.link % 2 == 0 ? kMetal : kDark));
  }
  const auto& gripper = model_.gripper;
  const Vector3d size = gripper.finger_size_m;
  scene.geoms.push_back(
      box(first + links, at({0, 0, gripper.fingertip_m - 1.15 * size.z()}),
          {size.x() / 2 + 0.002, gripper.max_width_m / 2 + size.y(), 0.15 * size.z()}, kDark));
  for (const int side : {1, -1}) {
    scene.geoms.push_back(box(first + links + (side > 0 ? 1 : 2),
                              at({0, side * size.y() / 2, gripper.fingertip_m - size.z() / 2}),
                              size / 2, kDark));
  }
}

sim::ScenePoses DrawnCell::poses(const cell::ArmReading& arm, double time_s,
                                 std::span<const game::Column> moves, game::Side human) const {
  sim::ScenePoses poses{.time_s = time_s};
  if (with_arm_) {
    const bool known = arm.q_rad.size() == arm::joint_count(model_);
    const arm::Frames frames = arm::link_frames(model_, known ? arm.q_rad : arm::neutral(model_));
    for (int i = 1; i < frames.count; ++i) poses.bodies.push_back(frames[i]);
    for (const double side : {0.5, -0.5}) {
      poses.bodies.push_back(frames.tool() * at({0, side * arm.gripper_width_m, 0}));
    }
  }
  const Pose X = cell::board_pose(layout_);
  Pose upright = Pose::Identity();  // a disc stands on its rim
  upright.linear() = Eigen::AngleAxisd(arm::kPi / 2, Vector3d::UnitX()).toRotationMatrix();
  std::array<int, game::kColumns> heights{};
  for (std::size_t ply = 0; ply < moves.size(); ++ply) {
    const int column = moves[ply].index();
    const int row = heights.at(static_cast<std::size_t>(column))++;
    Vector3d place = X * Vector3d((column - 3) * layout_.board.pitch_m, 0, 0);
    place.z() = cell::board_floor_m(layout_) + (2 * row + 1) * layout_.piece.radius_m;
    Pose X_piece = at(place);
    X_piece.linear() = X.linear() * upright.linear();
    const bool humans = game::Game::mover_of(ply) == human;
    poses.pieces.push_back(
        {.number = static_cast<int>(ply / 2) + (humans ? sim::kPiecesPerSide : 0),
         .side = humans ? sim::Side::kHuman : sim::Side::kRobot,
         .X_world_piece = X_piece});
  }
  return poses;
}

}  // namespace rowbot::station
