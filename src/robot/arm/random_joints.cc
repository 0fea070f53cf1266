#include "robot/arm/random_joints.h"

namespace rowbot::arm {

JointVector random_joints(const ArmModel& model, Rng& rng) {
  const auto pick = [&rng](double min, double max) { return min + (max - min) * rng.uniform(); };
  JointVector q(joint_count(model));
  for (int i = 0; i < joint_count(model); ++i) {
    const JointLimits& limits = model.joints[static_cast<std::size_t>(i)];
    q[i] = pick(limits.min_rad, limits.max_rad);
  }
  for (const CoupledLimits& coupled : model.coupled) {
    const Range range = joint_range(model, q, coupled.joint);
    q[coupled.joint] = pick(range.min, range.max);
  }
  return q;
}

}  // namespace rowbot::arm
