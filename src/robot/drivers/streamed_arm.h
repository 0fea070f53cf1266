// An arm whose wire must be fed step by step, in real time: the driver samples the motion at a
// fixed rate and hands each pose to the wire. What a kind of wire has to add are a few small
// functions.
//
// Open loop: nobody measures. read() answers with the pose commanded last and the speed between the
// last two; after configure() the arm is taken to stand in the neutral pose.
//
// Before a motion starts, all of it is checked: ranges, speeds, accelerations, and what the wire
// can express. Before a pose is sent, its range is checked again, and its step from the pose before
// is cut to what every joint's speed allows. A late tick makes the motion later, never faster.
//
// When the wire refuses a command, that is a fault: the arm is left as it is, and clear_fault()
// connects anew.
// halt() ends the motion before the next pose is sent.
// Thread safety: as ArmDriver. The wire's functions are called by one thread at a time.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "robot/cell/arm_driver_base.h"
#include "robot/drivers/pacer.h"

namespace rowbot::drivers {

struct StreamedArmOptions {
  double period_s = 0.02;
  double watchdog_s = 0.2;
  double settle_s = 0.2;     // how long the arm needs to come to rest behind the last pose
  double idle_off_s = 0;     // motors go limp after this time at rest; 0: never
  double grip_hold_s = 0.3;  // until the fingers have closed behind the last width
};

class StreamedArm : public cell::ArmDriverBase {
 public:
  Result<void> wait() final;
  [[nodiscard]] bool feels_grip() const final { return false; }
  void halt() noexcept final { halt_ = true; }

 protected:
  /// The gripper is taken to stand at `grip_width_m`.
  StreamedArm(const arm::ArmModel& model, std::shared_ptr<Pacer> pacer, double grip_width_m,
              const StreamedArmOptions& options);

  /// Finds the device and prepares it; no motor moves. Called again after a fault of the wire.
  virtual Result<void> connect() = 0;
  /// Can the wire express this pose? Asked for every pose of a motion before it starts.
  [[nodiscard]] virtual Result<void> check_pose(const arm::JointVector& q_rad) const = 0;
  virtual Result<void> send(const arm::JointVector& q_rad) = 0;
  virtual Result<void> send_grip(double width_m, double force_n) = 0;
  /// Motors without current. The next send() wakes them.
  virtual Result<void> go_limp() = 0;
  /// Once a tick, also at rest: has the wire anything to say? A failure is a fault.
  virtual Result<void> poll() { return {}; }

  /// To be called first in the destructor of the class that has the functions above: no tick comes
  /// afterwards, and the motors are limp.
  void shut_down();

 private:
  struct Grip {
    double width_m = 0;
    double force_n = 0;
    double held_s = 0;
  };

  Result<void> on_configure() final;
  Result<void> on_activate() final;
  Result<void> on_deactivate() final;
  Result<void> on_clear_fault() final;
  Result<void> on_start(const arm::Trajectory& motion) final;
  Result<double> on_grip(const cell::GripCommand& command) final;
  void on_fault(bool was_moving) final;  // with wire_mutex_ held

  void tick(double elapsed_s);
  void move_on(double elapsed_s);
  void grip_on(double elapsed_s);
  void rest(double elapsed_s);
  [[nodiscard]] Result<void> deliver(const arm::JointVector& goal_rad, double elapsed_s);
  void enter_wire_fault(const Error& error);
  void publish_speed(const arm::JointVector& v_rad_s);
  void publish_at_rest();
  /// Until done() holds, or a fault in words.
  Result<void> block_until(const std::function<bool()>& done);

  std::shared_ptr<Pacer> pacer_;
  StreamedArmOptions options_;

  std::mutex wire_mutex_;  // guards the wire and everything down to limp_
  arm::JointVector sent_rad_;
  double width_m_ = 0;
  std::optional<arm::Trajectory> motion_;
  double motion_s_ = 0;
  std::optional<Grip> grip_;
  double at_rest_s_ = 0;
  bool wire_failed_ = false;  // clear_fault() has to connect anew
  bool limp_ = true;

  std::atomic<bool> halt_ = false;
  bool running_ = false;  // the pacer; touched by the controlling thread only
};

}  // namespace rowbot::drivers
