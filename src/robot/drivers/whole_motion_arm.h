// Arms that take a whole motion over their wire and run it by themselves: the RoboArm from its
// buffer, the Panda from a trajectory goal. What a kind of wire has to add are a
// few small functions. The watchdog stands on this side of the wire: when nobody attends to a
// motion, the arm is told to stop.
// Thread safety: as cell::ArmDriver.
#pragma once

#include <atomic>
#include <functional>
#include <memory>

#include "robot/cell/arm_driver_base.h"
#include "robot/drivers/pacer.h"

namespace rowbot::drivers {

class WholeMotionArm : public cell::ArmDriverBase {
 public:
  Result<void> wait() final;
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
      : ArmDriverBase(model, watchdog_s), pacer_(std::move(pacer)) {}

  /// Opens the wire, or opens it again after a fault. May block, by block_until() where it waits
  /// for the far end.
  virtual Result<void> connect() = 0;
  /// Can the wire express this motion? Ranges and speeds are checked already.
  virtual Result<void> check_motion(const arm::Trajectory& motion) = 0;
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
  /// Seconds since the wire was first opened.
  [[nodiscard]] double now_s() const { return now_s_; }
  /// To be called first in the destructor of the class that has the functions above.
  void shut_down();

 private:
  Result<void> on_configure() final;
  Result<void> on_clear_fault() final { return connect(); }
  Result<void> on_start(const arm::Trajectory& motion) final;
  Result<double> on_grip(const cell::GripCommand& command) final;
  void on_fault(bool was_moving) final;
  void tick(double elapsed_s);

  std::shared_ptr<Pacer> pacer_;
  bool running_ = false;  // the pacer; touched by the controlling thread only
  std::atomic<double> now_s_ = 0;
  std::atomic<bool> sending_ = false;  // the motion is on its way to the arm
};

}  // namespace rowbot::drivers
