// The simulated arm's motors, fingers and joints.
// Thread safety: none; as PhysicsState.
#pragma once

#include <map>

#include "robot/sim/physics_state.h"

namespace rowbot::sim {

/// How stiffly the motors hold their commands, in rad/s.
inline constexpr double kServoBandwidth = 80;

class SimulatedArm {
 public:
  /// In its neutral pose, with open fingers.
  explicit SimulatedArm(PhysicsState& state);

  /// What the motors are told: where each joint should be and how fast it should move there.
  void command(const arm::JointVector& q_rad, const arm::JointVector& v_rad_s);
  void command_gripper(double width_m, double force_n);
  /// A motor that no longer pulls.
  void disable_motor(int joint);
  void enable_motors();
  /// A person leads the arm to a place by hand.
  void put(const arm::JointVector& q_rad);
  /// At once, against all inertia.
  void stop();

  [[nodiscard]] arm::JointVector joints_rad() const;
  [[nodiscard]] arm::JointVector velocities_rad_s() const;
  /// How far ahead the motors must hold the joints so that they come to rest soonest.
  [[nodiscard]] arm::JointVector stopping_way_rad() const;
  [[nodiscard]] double gripper_width_m() const;
  [[nodiscard]] arm::Pose tool_pose() const;

 private:
  struct Motor {
    double gain = 0;
    double damping = 0;
  };
  void open_fingers_to(double width_m);

  PhysicsState& state_;
  std::map<int, Motor> disabled_;  // as they were before
};

}  // namespace rowbot::sim
