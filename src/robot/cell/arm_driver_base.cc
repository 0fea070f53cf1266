#include "robot/cell/arm_driver_base.h"

#include <fmt/format.h>
#include <utility>

#include "robot/arm/angles.h"

namespace rowbot::cell {

ArmReading ArmDriverBase::read() const {
  const std::scoped_lock lock(mutex_);
  return reading_;
}

ArmState ArmDriverBase::state() const {
  const std::scoped_lock lock(mutex_);
  return reading_.state;
}

bool ArmDriverBase::moving() const {
  const std::scoped_lock lock(mutex_);
  return reading_.moving;
}

void ArmDriverBase::publish(const arm::JointVector& q_rad, const arm::JointVector& v_rad_s,
                            double gripper_width_m) {
  const std::scoped_lock lock(mutex_);
  reading_.q_rad = q_rad;
  reading_.v_rad_s = v_rad_s;
  reading_.gripper_width_m = gripper_width_m;
}

Result<void> ArmDriverBase::require(ArmState wanted, const char* what) const {
  const ArmState now = state();
  if (now == wanted) return {};
  return Error{fmt::format("only an arm that is {} can {}; this one is {}{}",
                           arm_state_name(wanted), what, arm_state_name(now),
                           now == ArmState::kFault ? "; clear the fault first" : "")};
}

/// A fault may have come up since the state was checked; it wins.
Result<void> ArmDriverBase::change(ArmState from, ArmState to) {
  const std::scoped_lock lock(mutex_);
  if (reading_.state != from) return Error{reading_.fault};
  reading_.state = to;
  reading_.fault.clear();
  return {};
}

Result<void> ArmDriverBase::configure() {
  if (auto ok = require(ArmState::kUnconfigured, "be configured"); !ok) return ok;
  if (auto done = on_configure(); !done) return done;
  return change(ArmState::kUnconfigured, ArmState::kReady);
}

Result<void> ArmDriverBase::activate() {
  if (auto ok = require(ArmState::kReady, "be activated"); !ok) return ok;
  if (auto done = on_activate(); !done) return done;
  return change(ArmState::kReady, ArmState::kActive);
}

Result<void> ArmDriverBase::deactivate() {
  if (auto ok = require(ArmState::kActive, "be deactivated"); !ok) return ok;
  if (moving()) return Error{"the arm is moving; wait or halt first"};
  if (auto done = on_deactivate(); !done) return done;
  return change(ArmState::kActive, ArmState::kReady);
}

Result<void> ArmDriverBase::clear_fault() {
  if (state() != ArmState::kFault) return Error{"there is no fault to clear"};
  if (auto done = on_clear_fault(); !done) return done;
  return change(ArmState::kFault, ArmState::kReady);
}

Result<void> ArmDriverBase::check_no_fault() const {
  const std::scoped_lock lock(mutex_);
  if (reading_.state == ArmState::kFault) return Error{reading_.fault};
  return {};
}

Result<void> ArmDriverBase::check_start(const arm::JointVector& from_rad) const {
  if (auto ok = require(ArmState::kActive, "move"); !ok) return ok;
  if (moving()) return Error{"the arm is still moving; wait or halt first"};
  if (from_rad.size() != arm::joint_count(model_)) {
    return Error{fmt::format("the motion is for an arm with {} joints, {} has {}", from_rad.size(),
                             model_.name, arm::joint_count(model_))};
  }
  const double away = (from_rad - start_pose_rad()).cwiseAbs().maxCoeff();
  if (away <= start_tolerance_rad()) return {};
  return Error{
      fmt::format("the motion starts {:.1f} degrees from where the arm stands; plan it "
                  "from the measured pose",
                  arm::degrees(away))};
}

Result<void> ArmDriverBase::start(const arm::Trajectory& motion) {
  if (auto ok = check_start(motion.start_rad()); !ok) return ok;
  if (auto checked = arm::check(model_, motion, {}); !checked) return checked;
  return on_start(motion);
}

Result<void> ArmDriverBase::begin_motion() {
  const std::scoped_lock lock(mutex_);
  if (reading_.state == ArmState::kFault) return Error{reading_.fault};
  reading_.moving = true;
  silent_s_ = 0;
  heard_ = false;
  return {};
}

void ArmDriverBase::end_motion() {
  const std::scoped_lock lock(mutex_);
  reading_.moving = false;
}

void ArmDriverBase::enter_fault(std::string why) {
  bool was_moving = false;
  {
    const std::scoped_lock lock(mutex_);
    if (reading_.state != ArmState::kActive && reading_.state != ArmState::kReady) return;
    reading_.state = ArmState::kFault;
    reading_.fault = std::move(why);
    was_moving = std::exchange(reading_.moving, false);
  }
  on_fault(was_moving);
}

bool ArmDriverBase::stopped_by_watchdog(double elapsed_s) {
  const bool alive = heard_.exchange(false) || attended_;
  {
    const std::scoped_lock lock(mutex_);
    silent_s_ = alive ? 0 : silent_s_ + elapsed_s;
    if (!(silent_s_ > watchdog_s_)) return false;
  }
  enter_fault(fmt::format("no sign of life for {:.0f} ms: the watchdog stopped the arm",
                          1000 * watchdog_s_));
  return true;
}

Result<double> ArmDriverBase::grip(const GripCommand& command) {
  if (auto ok = require(ArmState::kActive, "grip"); !ok) return ok.error();
  if (moving()) return Error{"the arm is moving; wait before gripping"};
  const arm::Gripper& gripper = model_.gripper;
  if (!(command.width_m >= 0 && command.width_m <= gripper.max_width_m)) {
    return Error{fmt::format("the gripper of {} opens 0 to {:.0f} mm, not {:.1f}", model_.name,
                             1000 * gripper.max_width_m, 1000 * command.width_m)};
  }
  if (!(command.force_n > 0 && command.force_n <= gripper.max_force_n)) {
    return Error{fmt::format("the gripper of {} pulls up to {:.0f} N, not {:.1f}", model_.name,
                             gripper.max_force_n, command.force_n)};
  }
  return on_grip(command);
}

}  // namespace rowbot::cell
