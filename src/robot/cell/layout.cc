#include "robot/cell/layout.h"

#include <cmath>
#include <fmt/format.h>

#include "robot/arm/angles.h"
#include "robot/arm/forward.h"

namespace rowbot::cell {
namespace {

using Eigen::AngleAxisd;
using Eigen::Vector2d;
using Eigen::Vector3d;

using game::kRows;
constexpr int kLastColumn = game::kColumns - 1;

Piece disc() {
  return {.shape = PieceShape::kDisc, .radius_m = 0.016, .thickness_m = 0.007, .mass_kg = 0.005};
}

Board disc_board(const Vector3d& first_slot_m, const Vector3d& last_slot_m) {
  return {.pitch_m = 0.036,
          .slot_width_m = 0.0335,
          .slot_depth_m = 0.0095,
          .panel_m = 0.012,
          .lip_m = 0.004,
          .release_height_m = 0.014,
          .first_slot_m = first_slot_m,
          .last_slot_m = last_slot_m};
}

// Panda 2020: the board across in front of the arm, the discs to one side.
CellLayout make_panda_layout() {
  CellLayout layout;
  layout.robot = "panda";
  layout.piece = disc();
  layout.board = disc_board({0.50, -0.108, 0.230}, {0.50, 0.108, 0.230});
  layout.magazine = {.pick_m = {0.38, 0.34, 0.075},
                     .yaw_rad = arm::radians(90),
                     .slope_rad = arm::radians(18),
                     .capacity = 5};
  layout.camera = {.position_m = {1.15, 0, 0.24},
                   .look_at_m = {0.50, 0, 0.13},
                   .vertical_view_rad = arm::radians(28)};
  layout.table = {.centre_m = {0.45, 0}, .half_m = {0.75, 0.70}};
  layout.lift_m = 0.06;
  layout.grip_force_n = 1.5;
  layout.grip_opening_m = 0.030;
  return layout;
}

// The hand of the RoboArm lies in the plane of its forearm, so the board does too: the arm looks
// along it and reaches further out for each column.
CellLayout make_roboarm_layout() {
  const auto& g = std::get<arm::RoboarmGeometry>(arm::roboarm().geometry);
  CellLayout layout;
  layout.robot = "roboarm";
  layout.piece = disc();
  layout.board = disc_board({0.140, -g.l4_m, 0.228}, {0.356, -g.l4_m, 0.228});
  const double base = arm::radians(-60);
  const Vector3d pick = AngleAxisd(base, Vector3d::UnitZ()) * Vector3d(0.24, -g.l4_m, 0.150);
  layout.magazine = {.pick_m = pick, .yaw_rad = base, .slope_rad = arm::radians(18), .capacity = 5};
  layout.camera = {.position_m = {0.25, -0.65, 0.34},
                   .look_at_m = {0.25, -0.045, 0.13},
                   .vertical_view_rad = arm::radians(38)};
  layout.table = {.centre_m = {0.20, -0.10}, .half_m = {0.45, 0.45}};
  layout.lift_m = 0.045;
  layout.grip_force_n = 1.5;
  layout.grip_opening_m = 0.026;
  return layout;
}

// Thesis 000: balls, seven tubes, a ramp. Everything stands high: the hand gets no lower than 43
// mm.
CellLayout make_eezybot_layout() {
  CellLayout layout;
  layout.robot = "eezybot";
  layout.piece = {
      .shape = PieceShape::kBall, .radius_m = 0.007, .thickness_m = 0.014, .mass_kg = 0.003};
  layout.board = {
      .pitch_m = 0.0175,
      .slot_width_m = 0.0152,
      .slot_depth_m = 0.0152,
      .panel_m = 0.010,
      .lip_m = 0.003,
      .release_height_m = 0.013,
      .first_slot_m = {0.155, -0.0475, 0.110},
      .last_slot_m = {0.155, 0.0575, 0.110}};  // a little to the left: the ramp passes on the right
  const double base = arm::radians(-28.5);
  const Vector3d pick = AngleAxisd(base, Vector3d::UnitZ()) * Vector3d(0.118, 0, 0.096);
  layout.magazine = {.pick_m = pick, .yaw_rad = base, .slope_rad = arm::radians(14), .capacity = 5};
  layout.camera = {.position_m = {0.52, 0.005, 0.110},
                   .look_at_m = {0.155, 0.005, 0.070},
                   .vertical_view_rad = arm::radians(24)};
  layout.table = {.centre_m = {0.12, 0}, .half_m = {0.24, 0.22}};
  layout.lift_m = 0.018;
  layout.grip_force_n = 0.8;
  layout.grip_opening_m = 0.026;
  return layout;
}

arm::Box upright_box(const std::string& name, const Vector3d& centre, const Vector3d& half,
                     double yaw_rad = 0) {
  arm::Box box{.name = name, .X_base_box = arm::Pose::Identity(), .half_m = half};
  box.X_base_box.translation() = centre;
  box.X_base_box.rotate(AngleAxisd(yaw_rad, Vector3d::UnitZ()));
  return box;
}

}  // namespace

const CellLayout& default_layout(const arm::ArmModel& model) {
  static const CellLayout kPanda = make_panda_layout();
  static const CellLayout kRoboarm = make_roboarm_layout();
  static const CellLayout kEezybot = make_eezybot_layout();
  if (model.name == kPanda.robot) return kPanda;
  return model.name == kRoboarm.robot ? kRoboarm : kEezybot;
}

Result<void> check_layout(const CellLayout& layout) {
  const Board& board = layout.board;
  const Piece& piece = layout.piece;
  const auto fault = [](std::string what) { return Error{"layout: " + std::move(what)}; };
  if (auto model = arm::model_by_name(layout.robot); !model) return fault(model.error().message);
  const std::array<std::pair<const char*, double>, 12> lengths = {{
      {"piece.radius_m", piece.radius_m},
      {"piece.thickness_m", piece.thickness_m},
      {"piece.mass_kg", piece.mass_kg},
      {"board.pitch_m", board.pitch_m},
      {"board.slot_width_m", board.slot_width_m},
      {"board.slot_depth_m", board.slot_depth_m},
      {"board.panel_m", board.panel_m},
      {"board.lip_m", board.lip_m},
      {"board.release_height_m", board.release_height_m},
      {"lift_m", layout.lift_m},
      {"grip_force_n", layout.grip_force_n},
      {"grip_opening_m", layout.grip_opening_m},
  }};
  for (const auto& [name, value] : lengths) {
    if (!(value > 0 && value < 100)) return fault(fmt::format("{} is {}, not a size", name, value));
  }
  for (const auto& [name, point] : {std::pair{"board.first_slot_m", &board.first_slot_m},
                                    std::pair{"board.last_slot_m", &board.last_slot_m},
                                    std::pair{"magazine.pick_m", &layout.magazine.pick_m},
                                    std::pair{"camera.position_m", &layout.camera.position_m},
                                    std::pair{"camera.look_at_m", &layout.camera.look_at_m}}) {
    if (!(point->allFinite() && point->norm() < 10)) {
      return fault(fmt::format("{} is not a point within ten metres", name));
    }
  }
  if (board.slot_width_m <= 2 * piece.radius_m || board.slot_depth_m <= piece.thickness_m) {
    return fault("the pieces do not fit into the slots");
  }
  if (board.slot_width_m >= board.pitch_m) return fault("the slots are wider than their pitch");
  if (layout.grip_opening_m <= piece.thickness_m) {
    return fault("the open gripper is narrower than a piece");
  }
  const Vector3d across = board.last_slot_m - board.first_slot_m;
  const double wanted = kLastColumn * board.pitch_m;
  if (std::abs(across.norm() - wanted) > board.pitch_m / 4) {
    return fault(
        fmt::format("the first and the last slot are {:.1f} mm apart, but the board's are "
                    "{:.1f} mm; touch the corners again",
                    1000 * across.norm(), 1000 * wanted));
  }
  if (std::abs(across.z()) > 0.05 * wanted) {
    return fault(fmt::format("the board leans: one end is {:.1f} mm higher than the other",
                             1000 * std::abs(across.z())));
  }
  if (board_floor_m(layout) < 0.005) {
    return fault(
        fmt::format("a column of {} pieces ends {:.1f} mm below the table; raise the slots", kRows,
                    -1000 * (board_floor_m(layout) - 0.005)));
  }
  if (!(layout.magazine.slope_rad >= 0 && layout.magazine.slope_rad < 1)) {
    return fault("magazine.slope_deg is not within 0 to 57");
  }
  if (layout.magazine.capacity < 1 || layout.magazine.capacity > 30) {
    return fault("magazine.capacity is not within 1 to 30");
  }
  if (!std::isfinite(layout.magazine.yaw_rad)) return fault("magazine.yaw_deg is not a number");
  if (!(layout.camera.vertical_view_rad > 0.05 && layout.camera.vertical_view_rad < 2.8)) {
    return fault("camera.vertical_view_deg is not within 3 to 160");
  }
  if ((layout.camera.position_m - layout.camera.look_at_m).norm() < 0.01) {
    return fault("the camera looks at itself");
  }
  if (!(layout.table.half_m.allFinite() && layout.table.centre_m.allFinite() &&
        layout.table.half_m.minCoeff() > 0)) {
    return fault("the table has no size");
  }
  return {};
}

Vector3d slot_m(const CellLayout& layout, game::Column column) {
  const double share = static_cast<double>(column.index()) / kLastColumn;
  return layout.board.first_slot_m + share * (layout.board.last_slot_m - layout.board.first_slot_m);
}

arm::Pose board_pose(const CellLayout& layout) {
  const Vector3d along = layout.board.last_slot_m - layout.board.first_slot_m;
  arm::Pose X = arm::Pose::Identity();
  X.translation() = (layout.board.first_slot_m + layout.board.last_slot_m) / 2;
  X.linear() = AngleAxisd(std::atan2(along.y(), along.x()), Vector3d::UnitZ()).toRotationMatrix();
  return X;
}

arm::Pose magazine_pose(const CellLayout& layout) {
  arm::Pose X = arm::Pose::Identity();
  X.translation() = layout.magazine.pick_m;
  X.linear() = (AngleAxisd(layout.magazine.yaw_rad, Vector3d::UnitZ()) *
                AngleAxisd(-layout.magazine.slope_rad, Vector3d::UnitY()))
                   .toRotationMatrix();
  return X;
}

Vector3d marker_in_tool_m(const arm::Gripper& gripper) {
  return {0, 0, -0.45 * gripper.finger_size_m.z()};
}

std::optional<double> marker_seen_at(const CellLayout& layout, const arm::JointVector& q_rad) {
  const arm::ArmModel& model = **arm::model_by_name(layout.robot);
  if (!model.gripper.marker_m) return std::nullopt;
  const arm::Pose X_board_base = board_pose(layout).inverse();
  const Vector3d camera = X_board_base * layout.camera.position_m;
  const double side = std::copysign(1.0, camera.y());
  const arm::Pose X_board_tool = X_board_base * arm::forward(model, q_rad);
  // On the finger that the camera sees, which lies against the piece.
  const double outside = layout.piece.thickness_m / 2 + model.gripper.finger_size_m.y();
  const Vector3d middle = marker_in_tool_m(model.gripper);
  const double tool_side = std::copysign(side, side * X_board_tool.linear()(1, 1));
  const Vector3d marker = X_board_tool * Vector3d(middle.x(), tool_side * outside, middle.z());
  const double front = side * (layout.board.slot_depth_m / 2 + layout.board.panel_m / 3);
  const double along_sight = (front - camera.y()) / (marker.y() - camera.y());
  const double x = camera.x() + along_sight * (marker.x() - camera.x());
  return x / layout.board.pitch_m + 3;
}

double board_floor_m(const CellLayout& layout) {
  // The top piece ends a little below the mouth.
  constexpr double kHeadroom = 0.004;
  return board_pose(layout).translation().z() - kHeadroom - 2 * layout.piece.radius_m * kRows;
}

CellLayout with_board_moved(CellLayout layout, const Vector2d& by_m, double turned_rad) {
  const Vector3d middle = (layout.board.first_slot_m + layout.board.last_slot_m) / 2;
  const AngleAxisd turn(turned_rad, Vector3d::UnitZ());
  const Vector3d shift(by_m.x(), by_m.y(), 0);
  for (Vector3d* slot : {&layout.board.first_slot_m, &layout.board.last_slot_m}) {
    *slot = middle + shift + turn * (*slot - middle);
  }
  return layout;
}

arm::Surroundings surroundings(const CellLayout& layout) {
  arm::Surroundings around;
  around.margin_m = layout.piece.radius_m / 8;
  constexpr double kTableHalf = 0.02;
  // Wider than it is: beyond its edge there is nothing that an arm should reach down for.
  constexpr double kBeyond = 2;
  around.boxes.push_back(upright_box(
      "table", {layout.table.centre_m.x(), layout.table.centre_m.y(), -kTableHalf},
      {layout.table.half_m.x() + kBeyond, layout.table.half_m.y() + kBeyond, kTableHalf}));

  const arm::Pose X_board = board_pose(layout);
  const Vector3d along = layout.board.last_slot_m - layout.board.first_slot_m;
  const double top = X_board.translation().z() + layout.board.lip_m;
  around.boxes.push_back(upright_box(
      "board", {X_board.translation().x(), X_board.translation().y(), top / 2},
      {4 * layout.board.pitch_m, layout.board.slot_depth_m / 2 + layout.board.panel_m, top / 2},
      std::atan2(along.y(), along.x())));

  // The rail with its pieces, from just before the stop to its upper end.
  const double r = layout.piece.radius_m;
  const double length = 2 * r * (layout.magazine.capacity + 1);
  arm::Box rail{
      .name = "magazine",
      .X_base_box = magazine_pose(layout) * Eigen::Translation3d(length / 2 - 1.5 * r, 0, 0),
      .half_m = {length / 2 + r / 2, layout.board.slot_depth_m / 2 + 0.005, 1.1 * r}};
  around.boxes.push_back(std::move(rail));

  // The mast stands behind the camera, as seen from what it looks at.
  const Vector3d eye = layout.camera.position_m;
  const Vector3d away = (eye - layout.camera.look_at_m).normalized();
  around.boxes.push_back(upright_box(
      "camera mast", {eye.x() + 0.03 * away.x(), eye.y() + 0.03 * away.y(), eye.z() / 2 + 0.01},
      {0.008, 0.008, eye.z() / 2 + 0.01}));
  return around;
}

}  // namespace rowbot::cell
