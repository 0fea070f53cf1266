#include "robot/sim/simulated_arm.h"

#include <mujoco/mujoco.h>

#include "robot/arm/forward.h"

namespace rowbot::sim {

using arm::JointVector;
using arm::Pose;

SimulatedArm::SimulatedArm(PhysicsState& state) : state_(state) {
  const arm::ArmModel& arm = state.scene().arm;
  command(arm::neutral(arm), JointVector::Zero(arm::joint_count(arm)));
  command_gripper(state.layout().grip_opening_m, state.layout().grip_force_n);
  open_fingers_to(state.layout().grip_opening_m);
}

void SimulatedArm::command(const JointVector& q_rad, const JointVector& v_rad_s) {
  const Scene& scene = state_.scene();
  mjData& data = state_.data();
  // Feed forward what holds the arm against its weight and its own friction.
  const auto links = static_cast<Eigen::Index>(scene.arm.links.size());
  const JointVector link_v = arm::link_angles(scene.arm, v_rad_s);
  JointVector load(links);
  for (Eigen::Index i = 0; i < links; ++i) {
    load[i] =
        data.qfrc_bias[scene.link_dof[static_cast<std::size_t>(i)]] + scene.damping[i] * link_v[i];
  }
  const JointVector joint_load = scene.arm.link_from_joint.transpose() * load;
  for (int i = 0; i < arm::joint_count(scene.arm); ++i) {
    data.ctrl[i] = q_rad[i] + joint_load[i] / scene.stiffness[i];
  }
}

void SimulatedArm::command_gripper(double width_m, double force_n) {
  const int n = arm::joint_count(state_.scene().arm);
  for (const int finger : {n, n + 1}) {
    state_.data().ctrl[finger] = width_m / 2;
    state_.model().actuator_forcerange[2 * finger] = -force_n;
    state_.model().actuator_forcerange[2 * finger + 1] = force_n;
  }
}

void SimulatedArm::disable_motor(int joint) {
  if (disabled_.contains(joint)) return;
  mjModel& model = state_.model();
  double& gain = model.actuator_gainprm[joint * mjNGAIN];
  double& damping = model.dof_damping[state_.scene().link_dof[static_cast<std::size_t>(joint)]];
  disabled_[joint] = {.gain = gain, .damping = damping};
  gain = 0;
  model.actuator_biasprm[joint * mjNBIAS + 1] = 0;
  // Without its drive the joint turns almost freely.
  damping *= 0.02;
}

void SimulatedArm::enable_motors() {
  mjModel& model = state_.model();
  for (const auto& [joint, motor] : disabled_) {
    model.actuator_gainprm[joint * mjNGAIN] = motor.gain;
    model.actuator_biasprm[joint * mjNBIAS + 1] = -motor.gain;
    model.dof_damping[state_.scene().link_dof[static_cast<std::size_t>(joint)]] = motor.damping;
  }
  disabled_.clear();
}

void SimulatedArm::put(const JointVector& q_rad) {
  const Scene& scene = state_.scene();
  const JointVector link_rad = arm::link_angles(scene.arm, q_rad);
  for (std::size_t i = 0; i < scene.link_qpos.size(); ++i) {
    state_.data().qpos[scene.link_qpos[i]] = link_rad[static_cast<Eigen::Index>(i)];
  }
  stop();
  state_.update();
}

void SimulatedArm::open_fingers_to(double width_m) {
  double* finger = state_.data().qpos + state_.scene().finger_qpos;
  finger[0] = finger[1] = width_m / 2;
}

void SimulatedArm::stop() {
  for (const int dof : state_.scene().link_dof) state_.data().qvel[dof] = 0;
}

JointVector SimulatedArm::joints_rad() const {
  return Eigen::Map<const JointVector>(state_.data().ten_length,
                                       arm::joint_count(state_.scene().arm));
}

JointVector SimulatedArm::velocities_rad_s() const {
  return Eigen::Map<const JointVector>(state_.data().ten_velocity,
                                       arm::joint_count(state_.scene().arm));
}

/// A critically damped joint that is told to stop s ahead moves with
///   v(t) = e^(-wt) (v + w (ws - v) t),
/// where w is the bandwidth. With s = 0 it swings past its goal and creeps back; with s = 0.6 v/w
/// it is within a fiftieth of its speed after 2.1/w and stays there.
JointVector SimulatedArm::stopping_way_rad() const {
  return 0.6 / kServoBandwidth * velocities_rad_s();
}

double SimulatedArm::gripper_width_m() const {
  const double* finger = state_.data().qpos + state_.scene().finger_qpos;
  return finger[0] + finger[1];
}

Pose SimulatedArm::tool_pose() const {
  const int site = state_.scene().tool_site;
  Pose X = Pose::Identity();
  X.translation() = Eigen::Map<const Eigen::Vector3d>(state_.data().site_xpos + 3 * site);
  X.linear() = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(
      state_.data().site_xmat + 9 * site);
  return X;
}

}  // namespace rowbot::sim
