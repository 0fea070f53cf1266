// What an arm is: a constant description of its links, joints, limits and gripper. Everything else
// in this room is a free function over it. The three arms of the project are built here, and the
// twin draws its scene from the same numbers.
//
// Frames: `base` stands on the table below the first axis, z up, x forward. `tool` is the point
// between the fingertips: z points out of the gripper, y is the direction in which it closes.
// Units: metres, radians, seconds, newtons, unless a name says otherwise.
// Thread safety: plain values; a const ArmModel may be shared by any number of threads.
#pragma once

#include <Eigen/Geometry>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"

namespace rowbot::arm {

inline constexpr int kMaxJoints = 7;

/// One number per actuated joint, in the order of ArmModel::joints. Never allocates.
using JointVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kMaxJoints, 1>;
using Pose = Eigen::Isometry3d;

[[nodiscard]] inline JointVector joint_vector(std::initializer_list<double> values) {
  JointVector q(static_cast<Eigen::Index>(values.size()));
  Eigen::Index i = 0;
  for (const double value : values) q[i++] = value;
  return q;
}

/// One link in Craig's ("proximal", "modified") Denavit-Hartenberg convention:
///   X_previous_this = RotX(alpha) TransX(a) RotZ(theta + link angle) TransZ(d)
struct DhLink {
  double a_m = 0;
  double alpha_rad = 0;
  double d_m = 0;
  double theta_rad = 0;
};

struct JointLimits {
  std::string name;
  double min_rad = 0;
  double max_rad = 0;
  double velocity_rad_s = 0;
  double acceleration_rad_s2 = 0;
};

/// A joint whose range depends on another one, because they share a linkage:
///   min_rad + min_slope * q[on] <= q[joint] <= max_rad + max_slope * q[on]
struct CoupledLimits {
  int joint = 0;
  int on = 0;
  double min_rad = 0;
  double min_slope = 0;
  double max_rad = 0;
  double max_slope = 0;
};

/// A line with a thickness, fixed to a link: what collision checks and the twin see of the arm.
struct Capsule {
  int link = 0;  // 0 is the base, i the frame behind the i-th DhLink, links.size() + 1 the tool
  Eigen::Vector3d start_m;
  Eigen::Vector3d end_m;
  double radius_m = 0;
};

struct Gripper {
  double max_width_m = 0;
  double speed_m_s = 0;
  double max_force_n = 0;
  Eigen::Vector3d finger_size_m = Eigen::Vector3d::Zero();  // along tool x, y and z
  double fingertip_m = 0.004;                               // past the tool point
  /// Side of the square printed on the fingers for the camera to see; none without.
  std::optional<double> marker_m = {};
};

/// EEZYbotARM MK1: rotating base, main arm, forearm; rods keep the gripper level.
struct EezybotGeometry {
  double base_height_m = 0;
  double main_arm_m = 0;
  double forearm_m = 0;
  double hand_m = 0;
};

/// RoboArm: l1 upper arm, l2 forearm with hand, l3 how far the shoulder lies behind the base axis,
/// l4 how far the forearm's plane lies to the right of it, l5 height of the shoulder.
struct RoboarmGeometry {
  double l1_m = 0;
  double l2_m = 0;
  double l3_m = 0;
  double l4_m = 0;
  double l5_m = 0;
};

/// Franka Emika Panda: shoulder height, upper arm, elbow offset, forearm, wrist offset, flange.
struct PandaGeometry {
  double d1_m = 0;
  double d3_m = 0;
  double a4_m = 0;
  double d5_m = 0;
  double a7_m = 0;
  double flange_m = 0;
  double hand_m = 0;
  double hand_turn_rad = 0;
};

struct NamedPosition {
  std::string name;
  JointVector q_rad;
};

struct ArmModel {
  std::string name;
  std::string title;
  std::variant<EezybotGeometry, RoboarmGeometry, PandaGeometry> geometry;

  std::vector<JointLimits> joints;
  std::vector<CoupledLimits> coupled;
  std::vector<DhLink> links;
  /// Link angles are link_from_joint * q: the identity, except where rods couple the joints.
  Eigen::MatrixXd link_from_joint;
  Pose X_last_tool = Pose::Identity();

  Gripper gripper;
  std::vector<Capsule> shape;
  std::vector<NamedPosition> positions;  // the first is the neutral pose after each move
};

[[nodiscard]] const ArmModel& eezybot();
[[nodiscard]] const ArmModel& roboarm();
[[nodiscard]] const ArmModel& panda();

[[nodiscard]] std::span<const ArmModel* const> all_models();
[[nodiscard]] Result<const ArmModel*> model_by_name(std::string_view name);

[[nodiscard]] inline int joint_count(const ArmModel& model) {
  return static_cast<int>(model.joints.size());
}
[[nodiscard]] inline const JointVector& neutral(const ArmModel& model) {
  return model.positions.front().q_rad;
}
[[nodiscard]] Result<JointVector> named_position(const ArmModel& model, std::string_view name);

struct Range {
  double min = 0;
  double max = 0;
};

/// The range of one joint when the others stand as in q.
[[nodiscard]] Range joint_range(const ArmModel& model, const JointVector& q_rad, int joint);
[[nodiscard]] bool within_limits(const ArmModel& model, const JointVector& q_rad,
                                 double tolerance_rad = 1e-9);
/// The first joint out of its range, in words; nothing when all are within.
[[nodiscard]] std::optional<std::string> limit_violation(const ArmModel& model,
                                                         const JointVector& q_rad,
                                                         double tolerance_rad = 1e-9);
/// The nearest joint vector within the limits, joint by joint.
[[nodiscard]] JointVector clamped(const ArmModel& model, JointVector q_rad);

}  // namespace rowbot::arm
