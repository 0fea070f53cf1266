// The life cycle of ArmDriver, once for all drivers: which call is allowed when, what is checked
// before the wire hears of it, how a fault is entered, and the watchdog. A kind of driver adds what
// its wire or its simulation does, in the functions that begin with on_.
// Thread safety: as ArmDriver; the protected functions from any thread.
#pragma once

#include <atomic>
#include <mutex>
#include <string>

#include "robot/cell/arm_driver.h"

namespace rowbot::cell {

class ArmDriverBase : public ArmDriver {
 public:
  [[nodiscard]] const arm::ArmModel& model() const final { return model_; }
  [[nodiscard]] double watchdog_s() const final { return watchdog_s_; }
  Result<void> configure() final;
  Result<void> activate() final;
  Result<void> deactivate() final;
  Result<void> clear_fault() final;
  Result<void> start(const arm::Trajectory& motion) final;
  Result<double> grip(const GripCommand& command) final;
  void heartbeat() final { heard_ = true; }
  [[nodiscard]] ArmReading read() const override;

 protected:
  /// The model outlives the driver.
  ArmDriverBase(const arm::ArmModel& model, double watchdog_s)
      : model_(model), watchdog_s_(watchdog_s) {}

  // Each is called in the state that its transition starts from, without a lock of this class. An
  // error keeps that state, unless the function has entered a fault.
  virtual Result<void> on_configure() = 0;
  virtual Result<void> on_activate() { return {}; }
  virtual Result<void> on_deactivate() { return {}; }
  virtual Result<void> on_clear_fault() { return {}; }
  /// A motion within the limits that starts where the arm stands. It calls begin_motion().
  virtual Result<void> on_start(const arm::Trajectory& motion) = 0;
  /// A command that the gripper can carry out. Blocks until it has.
  virtual Result<double> on_grip(const GripCommand& command) = 0;
  /// The arm is in fault now: stop whatever moves.
  virtual void on_fault(bool was_moving) = 0;
  /// Where a motion has to start, and how near to it.
  [[nodiscard]] virtual arm::JointVector start_pose_rad() const { return read().q_rad; }
  [[nodiscard]] virtual double start_tolerance_rad() const { return 0.02; }

  [[nodiscard]] ArmState state() const;
  [[nodiscard]] bool moving() const;
  /// An error in words while in fault.
  [[nodiscard]] Result<void> check_no_fault() const;
  /// May a motion that starts there begin now?
  [[nodiscard]] Result<void> check_start(const arm::JointVector& from_rad) const;
  [[nodiscard]] Result<void> begin_motion();
  void end_motion();
  /// From ready or active; does nothing in other states.
  void enter_fault(std::string why);

  /// Someone is in wait() or grip(), which is as good as a heartbeat.
  void set_attended(bool attended) { attended_ = attended; }
  /// At each tick of a motion: true when the watchdog has stopped it, with a fault.
  bool stopped_by_watchdog(double elapsed_s);

  /// What read() gives from now on.
  void publish(const arm::JointVector& q_rad, const arm::JointVector& v_rad_s,
               double gripper_width_m);

 private:
  [[nodiscard]] Result<void> require(ArmState wanted, const char* what) const;
  [[nodiscard]] Result<void> change(ArmState from, ArmState to);

  const arm::ArmModel& model_;
  double watchdog_s_;
  std::atomic<bool> heard_ = false;
  std::atomic<bool> attended_ = false;

  mutable std::mutex mutex_;  // guards what follows; taken last, held for no call to others
  ArmReading reading_;
  double silent_s_ = 0;
};

}  // namespace rowbot::cell
