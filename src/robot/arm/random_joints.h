// Random poses of an arm, for trials and tests.
// Thread safety: a pure function of its arguments.
#pragma once

#include "base/rng.h"
#include "robot/arm/arm_model.h"

namespace rowbot::arm {

/// Uniform within the limits, coupled ones included.
[[nodiscard]] JointVector random_joints(const ArmModel& model, Rng& rng);

}  // namespace rowbot::arm
