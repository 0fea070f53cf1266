// A way around what stands in the way: OMPL's RRT-Connect in joint space, shortened, seeded.
// Thread safety: plan_move may be called from any thread; calls wait for each other, because the
// library behind it has one source of seeds for the whole process.
#pragma once

#include <cstdint>
#include <vector>

#include "robot/arm/trajectory.h"

namespace rowbot::arm {

struct PlannerOptions {
  std::uint64_t seed = 1;
  int max_iterations = 20000;
  double speed = 1.0;
};

struct PlannedMove {
  Trajectory trajectory;
  std::vector<JointVector> points_rad;
  double length_rad = 0;
  double straight_rad = 0;  // length of the straight joint path, free or not
};

/// A checked trajectory. The straight joint path is taken where it is free, so no free way is ever
/// circuitous. The same arguments give the same answer.
[[nodiscard]] Result<PlannedMove> plan_move(const ArmModel& model, const JointVector& from_rad,
                                            const JointVector& to_rad, const Surroundings& around,
                                            const PlannerOptions& options = {});

}  // namespace rowbot::arm
