// From joint angles to poses: forward kinematics and the Jacobian, for any ArmModel.
// Thread safety: pure functions.
#pragma once

#include <array>

#include "robot/arm/arm_model.h"

namespace rowbot::arm {

/// Frame 0 is the base, frame i the one behind the i-th DhLink; the tool comes last.
struct Frames {
  std::array<Pose, kMaxJoints + 2> X_base_frame;
  int count = 0;

  [[nodiscard]] const Pose& operator[](int i) const {
    return X_base_frame[static_cast<std::size_t>(i)];
  }
  [[nodiscard]] const Pose& tool() const { return (*this)[count - 1]; }
};

/// The angle of each link's own axis; differs from q where rods couple the joints.
[[nodiscard]] JointVector link_angles(const ArmModel& model, const JointVector& q_rad);

/// X_previous_this of one link at a link angle.
[[nodiscard]] Pose link_transform(const DhLink& link, double angle_rad);

[[nodiscard]] Frames link_frames(const ArmModel& model, const JointVector& q_rad);
/// X_base_tool.
[[nodiscard]] Pose forward(const ArmModel& model, const JointVector& q_rad);

/// Velocity of the tool per unit of joint velocity: three rows of m/s, then three of rad/s, both
/// in the base frame.
using Jacobian = Eigen::Matrix<double, 6, Eigen::Dynamic, 0, 6, kMaxJoints>;
[[nodiscard]] Jacobian jacobian(const ArmModel& model, const JointVector& q_rad);

/// The angle of the single turn that takes one orientation to the other. Exact for small angles,
/// where the arc cosine of a trace is not.
[[nodiscard]] double rotation_distance(const Eigen::Matrix3d& a, const Eigen::Matrix3d& b);

}  // namespace rowbot::arm
