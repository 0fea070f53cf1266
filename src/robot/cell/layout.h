// Where columns meet metres: the pieces, the board, the magazine, the camera and the table around
// one arm, all in the frame of its base. Planner, twin and drivers read the same layout.
//
//      column 1 ... 7 as the human sees them, from left to right
//      "slot" is the middle of a column's mouth, at the top of the board
//
// Thread safety: plain values; a const CellLayout may be shared by any number of threads.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "game/column.h"
#include "robot/arm/arm_model.h"
#include "robot/arm/collision.h"

namespace rowbot::cell {

enum class PieceShape { kDisc, kBall };

struct Piece {
  PieceShape shape = PieceShape::kDisc;
  double radius_m = 0;
  double thickness_m = 0;  // of a disc; a ball's is its diameter
  double mass_kg = 0;
};

struct Board {
  double pitch_m = 0;           // from column to column
  double slot_width_m = 0;      // inside, along the board
  double slot_depth_m = 0;      // inside, between the front and the back panel
  double panel_m = 0;           // thickness of each panel
  double lip_m = 0;             // height of the 45-degree funnel above the mouth
  double release_height_m = 0;  // middle of the piece above the slot when the gripper opens
  /// Calibration: two slots as touched by the arm; the others lie evenly between them.
  Eigen::Vector3d first_slot_m = Eigen::Vector3d::Zero();
  Eigen::Vector3d last_slot_m = Eigen::Vector3d::Zero();
};

/// Pieces roll down a rail to a stop, where the first one waits to be picked up.
struct Magazine {
  Eigen::Vector3d pick_m = Eigen::Vector3d::Zero();  // middle of the waiting piece
  double yaw_rad = 0;                                // direction in which the rail rises
  double slope_rad = 0;
  int capacity = 0;
};

struct CameraPlace {
  Eigen::Vector3d position_m = Eigen::Vector3d::Zero();
  Eigen::Vector3d look_at_m = Eigen::Vector3d::Zero();
  double vertical_view_rad = 0;
};

struct Table {
  Eigen::Vector2d centre_m = Eigen::Vector2d::Zero();
  Eigen::Vector2d half_m = Eigen::Vector2d::Zero();
};

/// Joint angles found by trying, for arms whose servos are too coarse for calculated ones.
struct Taught {
  std::string name;  // "pick", "pick above", "column 1", "column 1 above", ...
  arm::JointVector q_rad;
};

struct CellLayout {
  std::string robot;
  Piece piece;
  Board board;
  Magazine magazine;
  CameraPlace camera;
  Table table;
  double lift_m = 0;  // how high pieces are lifted off the magazine and above the board
  double grip_force_n = 0;
  double grip_opening_m = 0;  // between the fingers when they are open
  std::vector<Taught> taught;
};

/// The layout that comes with each robot.
[[nodiscard]] const CellLayout& default_layout(const arm::ArmModel& model);

/// Sizes that fit each other, corners as far apart as the board is wide, numbers that are finite.
[[nodiscard]] Result<void> check_layout(const CellLayout& layout);

/// The mouth of a column.
[[nodiscard]] Eigen::Vector3d slot_m(const CellLayout& layout, game::Column column);
/// Origin in the middle of the slots; x from column 1 to 7, z up.
[[nodiscard]] arm::Pose board_pose(const CellLayout& layout);
/// Origin in the waiting piece; x up the rail, z up and square to it.
[[nodiscard]] arm::Pose magazine_pose(const CellLayout& layout);
/// By how many columns a corner must be off in the picture for the board to have moved: deep tubes
/// blur its lattice more than thin walls do.
[[nodiscard]] inline double moved_columns(const CellLayout& layout) {
  return layout.piece.shape == PieceShape::kBall ? 0.3 : 0.1;
}
/// The middle of the marker on a finger, in the tool's frame but for how far the fingers are open.
[[nodiscard]] Eigen::Vector3d marker_in_tool_m(const arm::Gripper& gripper);
/// Where a camera sees the marker of a hand at these joints: on the front of the board, in columns
/// from the middle of the first. None if the hand has no marker.
[[nodiscard]] std::optional<double> marker_seen_at(const CellLayout& layout,
                                                   const arm::JointVector& q_rad);
/// Height of the lowest piece's bottom above the table.
[[nodiscard]] double board_floor_m(const CellLayout& layout);

/// The same cell with the board moved along the table and turned about its middle.
[[nodiscard]] CellLayout with_board_moved(CellLayout layout, const Eigen::Vector2d& by_m,
                                          double turned_rad);

/// Everything the arm must not touch: table, board, magazine, camera mast.
[[nodiscard]] arm::Surroundings surroundings(const CellLayout& layout);

}  // namespace rowbot::cell
