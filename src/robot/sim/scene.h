// The compiled cell: MuJoCo's model of arm, table, board, magazine and pieces, and where each part
// is found in it. Made once and constant afterwards; any number of simulations start from it.
// Thread safety: constant; any thread may read it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/result.h"
#include "robot/arm/arm_model.h"
#include "robot/cell/layout.h"
#include "robot/sim/mujoco_types.h"
#include "robot/sim/scene_xml.h"

namespace rowbot::sim {

struct DeleteMujoco {
  void operator()(const mjModel_* model) const;
  void operator()(const mjData_* data) const;
};
using OwnedModel = std::unique_ptr<mjModel_, DeleteMujoco>;
using OwnedData = std::unique_ptr<mjData_, DeleteMujoco>;

/// What a shape belongs to, for judging who touches whom.
enum class GeomKind : std::uint8_t { kOther, kArm, kFinger, kObstacle, kPiece };

/// Where a piece is found in the model.
struct PieceIds {
  int qpos = 0;
  int dof = 0;
  int body = 0;
  int geoms = 0;  // of the body
  int geom = 0;
  int flat_geom = -1;  // discs have one
  int ghost_geom = 0;  // stands for the piece while it is at rest
};

struct Scene {
  [[nodiscard]] static Result<std::shared_ptr<const Scene>> compile(const arm::ArmModel& arm,
                                                                    const cell::CellLayout& layout);

  arm::ArmModel arm;
  cell::CellLayout layout;  // as the cell is built
  std::unique_ptr<const mjModel_, DeleteMujoco> model;
  // The arm in its neutral pose: places and the solver's first guess. A whole mjData has njmax
  // squared numbers, over a hundred megabytes that a small machine does not have twice.
  std::vector<double> start_qpos;
  std::vector<double> start_qacc;
  std::array<PieceIds, kPieces> pieces;
  std::vector<GeomKind> kind_of_geom;
  std::vector<int> link_qpos;
  std::vector<int> link_dof;
  int finger_qpos = 0;
  int left_finger_geom = 0;
  int board_body = 0;
  int tool_site = 0;
  arm::JointVector stiffness;  // of the motors
  arm::JointVector damping;
};

}  // namespace rowbot::sim
