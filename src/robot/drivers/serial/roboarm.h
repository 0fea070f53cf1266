// The RoboArm of Rhodes 1993 on its serial port. The arm never answers: where it stands and when it
// is done is calculated, with a margin, and read() answers with that. Errors add up, so the driver
// keeps an estimate of them, asks for recalibration and in the end refuses to go on.
// Thread safety: as cell::ArmDriver; the rest from the thread that drives it.
#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "robot/cell/drop_plan.h"
#include "robot/drivers/serial/roboarm_program.h"
#include "robot/drivers/serial/serial_port.h"
#include "robot/drivers/whole_motion_arm.h"

namespace rowbot::drivers {

struct RoboArmOptions {
  std::string port;
  RoboArmConfig config;
  double watchdog_s = 0.2;
};

/// How well the driver still knows where the arm is.
struct RoboArmDrift {
  int motions = 0;  // since the last calibration
  double estimate_deg = 0;
  bool recalibrate = false;
  std::string words;  // for a person
};

class RoboArm final : public WholeMotionArm {
 public:
  /// The arm must stand in its neutral pose: nothing measures where it is.
  RoboArm(RoboArmOptions options, std::shared_ptr<Pacer> pacer);
  ~RoboArm() override { shut_down(); }
  RoboArm(const RoboArm&) = delete;
  RoboArm& operator=(const RoboArm&) = delete;
  RoboArm(RoboArm&&) = delete;
  RoboArm& operator=(RoboArm&&) = delete;

  [[nodiscard]] bool feels_grip() const override { return false; }

  /// A whole drop, grips included, in the arm's buffer and run once, as in Rhodes 1993; then
  /// wait().
  Result<void> start_plan(const cell::DropPlan& plan);
  /// start_plan() and wait().
  Result<void> run_plan(const cell::DropPlan& plan);

  [[nodiscard]] RoboArmDrift drift() const;
  [[nodiscard]] std::string calibration_due() const override;
  void calibrated() override { calibrated_at(arm::neutral(model())); }
  /// Somebody has put the arm there, with its hand open.
  void calibrated_at(const arm::JointVector& q_rad);
  /// Somebody has looked: a fault when the arm is elsewhere, or its hand open where it should be
  /// closed, for that is how lost and broken bytes show on this wire.
  Result<void> seen_at(const arm::JointVector& q_rad, double gripper_width_m);

  [[nodiscard]] const SerialPort& port() const { return port_; }

 private:
  Result<void> connect() override;
  Result<void> check_motion(const arm::Trajectory& motion) override;
  [[nodiscard]] double start_tolerance_rad() const override;
  Result<void> send_motion(const arm::Trajectory& motion) override;
  Result<Progress> motion_progress() override;
  Result<double> send_grip(const cell::GripCommand& command) override;
  void send_stop() noexcept override;
  Result<void> check_wire() override;
  [[nodiscard]] Stance stance() const override;
  void motion_over(bool completed) override;

  [[nodiscard]] RoboArmProgram empty_program() const;
  [[nodiscard]] RoboArmProgram program_for(const arm::Trajectory& motion) const;
  [[nodiscard]] Result<void> check(const RoboArmProgram& program) const;
  Result<void> send(RoboArmProgram program);
  [[nodiscard]] arm::JointVector pose_deg() const;  // requires belief_

  RoboArmOptions options_;
  SerialPort port_;

  mutable std::mutex belief_;  // guards what follows
  arm::JointVector at_deg_;    // at rest, or where the running program began
  RoboArmProgram program_;     // running, when not empty
  double began_s_ = 0;
  double done_s_ = 0;
  bool open_ = true;
  int motions_ = 0;
  double drift_square_deg2_ = 0;
};

}  // namespace rowbot::drivers
