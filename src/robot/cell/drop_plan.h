// The plan of one drop: pick, lift, carry, align, release, retreat, neutral. Everything is checked
// against limits and surroundings before the first motor turns.
// Thread safety: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "game/column.h"
#include "robot/arm/trajectory.h"
#include "robot/cell/arm_driver.h"
#include "robot/cell/layout.h"

namespace rowbot::cell {

enum class DropStepKind : std::uint8_t {
  kOpen,
  kApproach,
  kPick,
  kClose,
  kLift,
  kCarry,
  kAlign,
  kRelease,
  kRetreat,
  kNeutral,
};
[[nodiscard]] const char* drop_step_name(DropStepKind kind);

/// One step moves or grips, never both.
struct DropStep {
  DropStepKind kind = DropStepKind::kNeutral;
  std::optional<arm::Trajectory> motion;
  std::optional<GripCommand> grip;
};

struct DropPlan {
  std::vector<DropStep> steps;
  double moving_s = 0;
};

struct DropOptions {
  std::uint64_t seed = 1;
  double speed = 1.0;
  /// A piece is between the fingers already: it is carried, none is fetched.
  bool holding = false;
  /// Added to the column's place, for experiments with placing errors.
  Eigen::Vector3d offset_m = Eigen::Vector3d::Zero();
};

/// How the hand must be turned to hold a piece at a place of which the slot or rail runs along
/// `along` (horizontal, unit length): one or two ways, best first.
[[nodiscard]] std::vector<arm::Pose> hold_poses(const CellLayout& layout,
                                                const Eigen::Vector3d& point_m,
                                                const Eigen::Vector3d& along);

/// From where the arm stands to the neutral pose, with a piece dropped into the column on the way.
[[nodiscard]] Result<DropPlan> plan_drop(const CellLayout& layout, game::Column column,
                                         const arm::JointVector& from_rad,
                                         const DropOptions& options = {});

/// The ways to the neutral pose from wherever the hand was halted, one after the other: out of a
/// slot or the magazine it leaves as it came in.
[[nodiscard]] Result<std::vector<arm::Trajectory>> plan_return(const CellLayout& layout,
                                                               const arm::JointVector& from_rad,
                                                               const DropOptions& options = {});

/// A planned move through the cell to a joint position.
[[nodiscard]] Result<arm::Trajectory> plan_to(const CellLayout& layout,
                                              const arm::JointVector& from_rad,
                                              const arm::JointVector& to_rad,
                                              const DropOptions& options = {});

/// Runs one step; an error names it.
[[nodiscard]] Result<void> run_step(ArmDriver& driver, const DropStep& step);

/// Runs a plan step by step; stops at the first that fails and says which.
[[nodiscard]] Result<void> run_plan(ArmDriver& driver, const DropPlan& plan);

}  // namespace rowbot::cell
