#include "robot/farend/wire_world.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace rowbot::farend {

using arm::JointVector;

KinematicWorld::KinematicWorld(const arm::ArmModel& model, double step_s)
    : model_(model), step_s_(step_s) {
  put(arm::neutral(model));
}

void KinematicWorld::put(const JointVector& q_rad) {
  q_rad_ = target_rad_ = q_rad;
  v_rad_s_ = JointVector::Zero(q_rad.size());
  width_m_ = target_m_ = model_.gripper.max_width_m;
}

void KinematicWorld::command(const JointVector& q_rad, const JointVector& /*v_rad_s*/) {
  target_rad_ = q_rad;
}

void KinematicWorld::command_gripper(double width_m, double /*force_n*/) { target_m_ = width_m; }

void KinematicWorld::step() {
  constexpr double kRounding = 0.01;  // a share: interpolation between the points of a goal
  v_rad_s_ = (target_rad_ - q_rad_) / step_s_;
  q_rad_ = target_rad_;
  const double most_m = model_.gripper.speed_m_s * step_s_;
  width_m_ += std::clamp(target_m_ - width_m_, -most_m, most_m);
  std::string broken = arm::limit_violation(model_, q_rad_, 1e-6).value_or("");
  for (int i = 0; i < arm::joint_count(model_); ++i) {
    const arm::JointLimits& limits = model_.joints[static_cast<std::size_t>(i)];
    if (std::abs(v_rad_s_[i]) <= limits.velocity_rad_s * (1 + kRounding)) continue;
    broken = fmt::format("joint {} ({}) turned at {:.2f} rad/s, its limit is {:.2f}", i + 1,
                         limits.name, v_rad_s_[i], limits.velocity_rad_s);
  }
  if (broken.empty()) return;
  if (violations_++ == 0) first_violation_ = broken;
}

}  // namespace rowbot::farend
