#include "robot/arm/forward.h"

#include <cmath>

namespace rowbot::arm {

JointVector link_angles(const ArmModel& model, const JointVector& q_rad) {
  return model.link_from_joint * q_rad;
}

Pose link_transform(const DhLink& link, double angle_rad) {
  const double theta = link.theta_rad + angle_rad;
  const double ct = std::cos(theta);
  const double st = std::sin(theta);
  const double ca = std::cos(link.alpha_rad);
  const double sa = std::sin(link.alpha_rad);
  Pose X;
  X.matrix() << ct, -st, 0, link.a_m,         //
      st * ca, ct * ca, -sa, -sa * link.d_m,  //
      st * sa, ct * sa, ca, ca * link.d_m,    //
      0, 0, 0, 1;
  return X;
}

Frames link_frames(const ArmModel& model, const JointVector& q_rad) {
  const JointVector angle_rad = link_angles(model, q_rad);
  Frames frames;
  Pose X = Pose::Identity();
  frames.X_base_frame[0] = X;
  std::size_t i = 0;
  for (const DhLink& link : model.links) {
    X = X * link_transform(link, angle_rad[static_cast<Eigen::Index>(i)]);
    frames.X_base_frame[++i] = X;
  }
  frames.X_base_frame[++i] = X * model.X_last_tool;
  frames.count = static_cast<int>(i) + 1;
  return frames;
}

Pose forward(const ArmModel& model, const JointVector& q_rad) {
  const JointVector angle_rad = link_angles(model, q_rad);
  Pose X = Pose::Identity();
  Eigen::Index i = 0;
  for (const DhLink& link : model.links) X = X * link_transform(link, angle_rad[i++]);
  return X * model.X_last_tool;
}

Jacobian jacobian(const ArmModel& model, const JointVector& q_rad) {
  const Frames frames = link_frames(model, q_rad);
  const Eigen::Vector3d p_tool = frames.tool().translation();
  const auto links = static_cast<Eigen::Index>(model.links.size());
  Jacobian per_link(6, links);
  for (Eigen::Index i = 0; i < links; ++i) {
    const Pose& X = frames[static_cast<int>(i) + 1];  // each link turns about its own z axis
    const Eigen::Vector3d axis = X.linear().col(2);
    per_link.col(i).head<3>() = axis.cross(p_tool - X.translation());
    per_link.col(i).tail<3>() = axis;
  }
  return per_link * model.link_from_joint;
}

double rotation_distance(const Eigen::Matrix3d& a, const Eigen::Matrix3d& b) {
  const Eigen::Matrix3d R = a.transpose() * b;
  const Eigen::Vector3d twice_sine(R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1));
  return std::atan2(twice_sine.norm(), R.trace() - 1);
}

}  // namespace rowbot::arm
