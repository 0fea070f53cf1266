// The arm behind a simulated far end: whatever follows commands and can be looked at. The physics
// twin is one; the kinematic arm here is another, fast enough for thousands of trials.
// Thread safety: none.
#pragma once

#include <cstdint>
#include <string>

#include "robot/arm/arm_model.h"

namespace rowbot::farend {

class WireWorld {
 public:
  WireWorld() = default;
  virtual ~WireWorld() = default;
  WireWorld(const WireWorld&) = delete;
  WireWorld& operator=(const WireWorld&) = delete;
  WireWorld(WireWorld&&) = delete;
  WireWorld& operator=(WireWorld&&) = delete;

  [[nodiscard]] virtual const arm::ArmModel& model() const = 0;
  [[nodiscard]] virtual double step_s() const = 0;
  virtual void command(const arm::JointVector& q_rad, const arm::JointVector& v_rad_s) = 0;
  virtual void command_gripper(double width_m, double force_n) = 0;
  virtual void step() = 0;
  [[nodiscard]] virtual arm::JointVector joints_rad() const = 0;
  [[nodiscard]] virtual arm::JointVector velocities_rad_s() const = 0;
  [[nodiscard]] virtual double gripper_width_m() const = 0;
};

/// Stands exactly where it is told to, and counts every step on which a joint is beyond its range
/// or was moved faster than its speed.
class KinematicWorld final : public WireWorld {
 public:
  /// In the neutral pose.
  explicit KinematicWorld(const arm::ArmModel& model, double step_s = 0.01);

  [[nodiscard]] const arm::ArmModel& model() const override { return model_; }
  [[nodiscard]] double step_s() const override { return step_s_; }
  void command(const arm::JointVector& q_rad, const arm::JointVector& v_rad_s) override;
  void command_gripper(double width_m, double force_n) override;
  void step() override;
  [[nodiscard]] arm::JointVector joints_rad() const override { return q_rad_; }
  [[nodiscard]] arm::JointVector velocities_rad_s() const override { return v_rad_s_; }
  [[nodiscard]] double gripper_width_m() const override { return width_m_; }

  /// A person moves the arm by hand and opens its hand.
  void put(const arm::JointVector& q_rad);
  [[nodiscard]] std::uint64_t violations() const { return violations_; }
  [[nodiscard]] const std::string& first_violation() const { return first_violation_; }

 private:
  const arm::ArmModel& model_;
  double step_s_;
  arm::JointVector q_rad_;
  arm::JointVector v_rad_s_;
  arm::JointVector target_rad_;
  double width_m_ = 0;
  double target_m_ = 0;
  std::uint64_t violations_ = 0;
  std::string first_violation_;
};

}  // namespace rowbot::farend
