// The port to an arm, real or simulated.
//
// Life cycle:
//
//     unconfigured --configure()--> ready --activate()--> active --deactivate()--> ready
//                                     ^                      |
//                                     |                 a fault, halt(), or silence
//                                clear_fault()               |
//                                     +-------- fault <------+
//
// Only an active arm moves. A fault clears the motion; afterwards nothing is resumed: plan anew
// from the measured pose. start() takes only trajectories that begin where the arm stands.
//
// Watchdog: while a motion runs, somebody must be there. wait() is; otherwise call heartbeat() at
// least every watchdog_s() seconds. When commands cease, the arm stops and reports a fault.
//
// What blocks: configure(), activate(), wait() and grip(). start(), heartbeat(), read() and halt()
// return at once.
// Thread safety: halt() and read() from any thread at any time; the rest from one thread at a time.
#pragma once

#include <string>

#include "base/result.h"
#include "robot/arm/trajectory.h"

namespace rowbot::cell {

enum class ArmState { kUnconfigured, kReady, kActive, kFault };
[[nodiscard]] const char* arm_state_name(ArmState state);

struct GripCommand {
  double width_m = 0;  // between the fingers
  double force_n = 0;
};

struct ArmReading {
  ArmState state = ArmState::kUnconfigured;
  std::string fault;  // why, while in fault
  bool moving = false;
  arm::JointVector q_rad;  // measured
  arm::JointVector v_rad_s;
  double gripper_width_m = 0;
};

class ArmDriver {
 public:
  ArmDriver() = default;
  virtual ~ArmDriver() = default;
  ArmDriver(const ArmDriver&) = delete;
  ArmDriver& operator=(const ArmDriver&) = delete;
  ArmDriver(ArmDriver&&) = delete;
  ArmDriver& operator=(ArmDriver&&) = delete;

  [[nodiscard]] virtual const arm::ArmModel& model() const = 0;
  [[nodiscard]] virtual double watchdog_s() const = 0;

  virtual Result<void> configure() = 0;
  virtual Result<void> activate() = 0;
  virtual Result<void> deactivate() = 0;
  virtual Result<void> clear_fault() = 0;

  /// Begins a motion. Refused when not active, already moving, out of limits, or not starting where
  /// the arm stands.
  virtual Result<void> start(const arm::Trajectory& motion) = 0;
  /// Until the motion has ended and the arm has come to rest, or a fault.
  virtual Result<void> wait() = 0;
  virtual void heartbeat() = 0;

  /// Until the fingers have reached the width, or hold something with the force. Answers with the
  /// width reached.
  virtual Result<double> grip(const GripCommand& command) = 0;

  /// Whether the width that grip() and read() give is measured. A hand that does not feel answers
  /// with what it was told.
  [[nodiscard]] virtual bool feels_grip() const { return true; }

  /// Why the arm should be set on its marks before it goes on, in words; empty while it knows well
  /// enough where it is. Only motors without feedback ever ask.
  [[nodiscard]] virtual std::string calibration_due() const { return {}; }
  /// Somebody has put the arm into its neutral pose, with its hand open.
  virtual void calibrated() {}

  virtual void halt() noexcept = 0;
  [[nodiscard]] virtual ArmReading read() const = 0;
};

/// start() and wait().
[[nodiscard]] Result<void> run(ArmDriver& driver, const arm::Trajectory& motion);

}  // namespace rowbot::cell
