// The life cycle of arms that take a whole motion over their wire and run it by themselves: the
// RoboArm from its buffer, the Panda from a trajectory goal. What a kind of wire has to add are a
// few small functions. The watchdog stands on this side of the wire: when nobody attends to a
// motion, the arm is told to stop.
// Thread safety: as cell::ArmDriver.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "robot/cell/arm_driver.h"
#include "robot/drivers/pacer.h"

namespace rowbot::drivers {

class WholeMotionArm : public cell::ArmDriver {
 public:
  [[nodiscard]] const arm::ArmModel& model() const final { return model_; }
  [[nodiscard]] double watchdog_s() const final { return watchdog_s_; }
  Result<void> configure() final;
  Result<void> activate() final;
  Result<void> deactivate() final;
  Result<void> clear_fault() final;
  Result<void> start(const arm::Trajectory& motion) final;
  Result<void> wait() final;
  void heartbeat() final { heard_ = true; }
  Result<double> grip(const cell::GripCommand& command) final;
  void halt() noexcept final;
  [[nodiscard]] cell::ArmReading read() const final;

 protected:
  struct Stance {
    arm::JointVector q_rad;
    arm::JointVector v_rad_s;
    double gripper_width_m = 0;
  };
  enum class Progress { kRunning, kDone };

  WholeMotionArm(const arm::ArmModel& model, std::shared_ptr<Pacer> pacer, double watchdog_s)
      : model_(model), pacer_(std::move(pacer)), watchdog_s_(watchdog_s) {}

  /// Opens the wire, or opens it again after a fault. May block, by block_until() where it waits
  /// for the far end.
  virtual Result<void> connect() = 0;
  /// Can the wire express this motion? Ranges and speeds are checked already.
  virtual Result<void> check_motion(const arm::Trajectory& motion) = 0;
  /// How far the start of a motion may be from where the arm stands.
  [[nodiscard]] virtual double start_tolerance_rad() const = 0;
  /// Hands a checked motion over; the arm begins to run it. Does not block.
  virtual Result<void> send_motion(const arm::Trajectory& motion) = 0;
  /// Asked at each tick while a motion runs; an error is a fault. Does not block.
  virtual Result<Progress> motion_progress() = 0;
  /// A checked command. Blocks by block_until().
  virtual Result<double> send_grip(const cell::GripCommand& command) = 0;
  /// From any thread, at once, whatever else is under way.
  virtual void send_stop() noexcept = 0;
  /// Called at each tick, moving or not; an error is a fault. Does not block.
  virtual Result<void> check_wire() = 0;
  [[nodiscard]] virtual Stance stance() const = 0;
  /// The motion is over, one way or the other.
  virtual void motion_over(bool completed) = 0;

  /// Runs something other than one trajectory as the arm's motion. It begins at `from_rad`.
  Result<void> start_with(const arm::JointVector& from_rad,
                          const std::function<Result<void>()>& send);
  /// Lets time pass until done() holds; an error when a fault comes up first.
  Result<void> block_until(const std::function<bool()>& done);
  void enter_fault(const std::string& why);
  /// Seconds since the wire was first opened.
  [[nodiscard]] double now_s() const { return now_s_; }
  /// To be called first in the destructor of the class that has the functions above.
  void shut_down();

 private:
  void tick(double elapsed_s);
  [[nodiscard]] Result<void> refuse_unless(cell::ArmState wanted, const char* what) const;

  const arm::ArmModel& model_;
  std::shared_ptr<Pacer> pacer_;
  double watchdog_s_;
  bool running_ = false;  // the pacer; touched by the controlling thread only

  std::atomic<double> now_s_ = 0;
  std::atomic<bool> heard_ = false;
  std::atomic<bool> attended_ = false;  // somebody is in wait() or grip()
  double silent_s_ = 0;                 // touched by the pacer only

  mutable std::mutex mutex_;  // guards what follows; never held while the wire is used
  cell::ArmState state_ = cell::ArmState::kUnconfigured;
  std::string fault_;
  bool moving_ = false;
  bool sending_ = false;  // the motion is on its way to the arm
};

}  // namespace rowbot::drivers
