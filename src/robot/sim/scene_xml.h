// Writes the MuJoCo scene of a cell: arm, gripper, table, board, magazine, camera and pieces, all
// from the same ArmModel and CellLayout that the planner uses. No second set of numbers.
//
// What made the contacts stable: one collision box per board cell, thick panels, 45-degree lips,
// stiff contacts, elliptic friction cones with a high impedance ratio.
// Thread safety: pure function.
#pragma once

#include <string>
#include <vector>

#include "game/bits.h"
#include "robot/arm/arm_model.h"
#include "robot/cell/layout.h"

namespace rowbot::sim {

/// Pieces of each colour: enough to fill the board, half each.
inline constexpr int kPiecesPerSide = 21;
inline constexpr int kPieces = 2 * kPiecesPerSide;
using game::kColumns;
using game::kRows;
/// How far the gate below the columns slides to open them.
[[nodiscard]] double gate_travel_m(const cell::CellLayout& layout);

/// A square plate with a round window: what one sees of a cell of the board, in the plane of its
/// middle.
struct Plate {
  std::vector<Eigen::Vector3d> vertices_m;
  std::vector<int> faces;  // three vertices each
};
[[nodiscard]] Plate cell_plate(const cell::CellLayout& layout);
/// Its thickness.
[[nodiscard]] double visible_panel_m(const cell::CellLayout& layout);

/// MJCF. Names that Scene looks up: joints `link_1`.., `finger_left`, `finger_right`, `gate`,
/// `piece_0`..; geoms begin with arm_, finger_, board_, rail_, table_, mast_, piece_, ghost_.
[[nodiscard]] std::string scene_xml(const arm::ArmModel& model, const cell::CellLayout& layout);

}  // namespace rowbot::sim
