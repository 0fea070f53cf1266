#include "robot/drivers/whole_motion_arm.h"

#include <fmt/format.h>

#include "robot/arm/angles.h"

namespace rowbot::drivers {

using cell::ArmState;

namespace {
constexpr double kTickS = 0.01;
}  // namespace

Result<void> WholeMotionArm::refuse_unless(ArmState wanted, const char* what) const {
  const std::scoped_lock lock(mutex_);
  if (state_ == wanted) return {};
  return Error{fmt::format("only an arm that is {} can {}; this one is {}{}",
                           cell::arm_state_name(wanted), what, cell::arm_state_name(state_),
                           state_ == ArmState::kFault ? "; clear the fault first" : "")};
}

Result<void> WholeMotionArm::configure() {
  if (auto ok = refuse_unless(ArmState::kUnconfigured, "be configured"); !ok) return ok;
  if (!running_) pacer_->start(kTickS, [this](double elapsed_s) { tick(elapsed_s); });
  running_ = true;
  if (auto done = connect(); !done) return done;
  const std::scoped_lock lock(mutex_);
  state_ = ArmState::kReady;
  return {};
}

void WholeMotionArm::shut_down() {
  if (running_) pacer_->stop();
  running_ = false;
  bool moving = false;
  {
    const std::scoped_lock lock(mutex_);
    moving = moving_;
  }
  if (moving) send_stop();
}

Result<void> WholeMotionArm::activate() {
  if (auto ok = refuse_unless(ArmState::kReady, "be activated"); !ok) return ok;
  const std::scoped_lock lock(mutex_);
  state_ = ArmState::kActive;
  return {};
}

Result<void> WholeMotionArm::deactivate() {
  if (auto ok = refuse_unless(ArmState::kActive, "be deactivated"); !ok) return ok;
  const std::scoped_lock lock(mutex_);
  if (moving_) return Error{"the arm is moving; wait or halt first"};
  state_ = ArmState::kReady;
  return {};
}

Result<void> WholeMotionArm::clear_fault() {
  {
    const std::scoped_lock lock(mutex_);
    if (state_ != ArmState::kFault) return Error{"there is no fault to clear"};
  }
  if (auto done = connect(); !done) return done;
  const std::scoped_lock lock(mutex_);
  state_ = ArmState::kReady;
  fault_.clear();
  return {};
}

void WholeMotionArm::enter_fault(const std::string& why) {
  bool was_moving = false;
  {
    const std::scoped_lock lock(mutex_);
    if (state_ != ArmState::kActive && state_ != ArmState::kReady) return;
    state_ = ArmState::kFault;
    fault_ = why;
    was_moving = moving_;
    moving_ = false;
  }
  send_stop();
  if (was_moving) motion_over(false);
}

Result<void> WholeMotionArm::start(const arm::Trajectory& motion) {
  if (auto ok = refuse_unless(ArmState::kActive, "move"); !ok) return ok;
  if (motion.start_rad().size() != arm::joint_count(model_)) {
    return Error{"the motion is for an arm with another number of joints"};
  }
  if (auto checked = arm::check(model_, motion, {}); !checked) return checked;
  if (auto possible = check_motion(motion); !possible) return possible;
  return start_with(motion.start_rad(), [&] { return send_motion(motion); });
}

Result<void> WholeMotionArm::start_with(const arm::JointVector& from_rad,
                                        const std::function<Result<void>()>& send) {
  if (auto ok = refuse_unless(ArmState::kActive, "move"); !ok) return ok;
  const double away = (from_rad - stance().q_rad).cwiseAbs().maxCoeff();
  {
    const std::scoped_lock lock(mutex_);
    if (moving_) return Error{"the arm is still moving; wait or halt first"};
    if (!(away <= start_tolerance_rad())) {
      return Error{fmt::format(
          "the motion starts {:.1f} degrees from where the arm stands; plan it from there",
          arm::degrees(away))};
    }
    moving_ = sending_ = true;
  }
  heard_ = true;
  Result<void> sent = send();
  bool stopped = false;
  {
    const std::scoped_lock lock(mutex_);
    sending_ = false;
    stopped = state_ == ArmState::kFault;
  }
  if (!sent) {
    enter_fault(sent.error().message);
    return sent;
  }
  if (!stopped) return {};
  // A halt came while the motion was being sent: what it stopped may have begun again.
  send_stop();
  motion_over(false);
  return Error{read().fault};
}

void WholeMotionArm::tick(double elapsed_s) {
  now_s_ = now_s_ + elapsed_s;
  const bool heard = heard_.exchange(false) || attended_;
  {
    const std::scoped_lock lock(mutex_);
    if (state_ != ArmState::kActive && state_ != ArmState::kReady) return;
    silent_s_ = heard || !moving_ || sending_ ? 0 : silent_s_ + elapsed_s;
  }
  if (auto sound = check_wire(); !sound) return enter_fault(sound.error().message);
  if (silent_s_ > watchdog_s_) {
    return enter_fault(fmt::format("no sign of life for {:.0f} ms: the watchdog stopped the arm",
                                   1000 * watchdog_s_));
  }
  {
    const std::scoped_lock lock(mutex_);
    if (!moving_ || sending_) return;
  }
  const auto progress = motion_progress();
  if (!progress) return enter_fault(progress.error().message);
  if (*progress == Progress::kRunning) return;
  motion_over(true);
  const std::scoped_lock lock(mutex_);
  moving_ = false;
}

Result<void> WholeMotionArm::block_until(const std::function<bool()>& done) {
  const auto faulty = [this] {
    const std::scoped_lock lock(mutex_);
    return state_ == ArmState::kFault;
  };
  const bool from_fault = faulty();  // on the way out of it, in clear_fault()
  attended_ = true;
  const bool ended = pacer_->wait_for([&] { return (!from_fault && faulty()) || done(); });
  attended_ = false;
  if (!ended) return Error{"the driver's own clock stands still"};
  if (!from_fault && faulty()) return Error{read().fault};
  return {};
}

Result<void> WholeMotionArm::wait() {
  {
    const std::scoped_lock lock(mutex_);
    if (state_ == ArmState::kFault) return Error{fault_};
  }
  return block_until([this] {
    const std::scoped_lock lock(mutex_);
    return !moving_;
  });
}

Result<double> WholeMotionArm::grip(const cell::GripCommand& command) {
  if (auto ok = refuse_unless(ArmState::kActive, "grip"); !ok) return ok.error();
  const arm::Gripper& gripper = model_.gripper;
  if (!(command.width_m >= 0 && command.width_m <= gripper.max_width_m)) {
    return Error{fmt::format("the gripper of {} opens 0 to {:.0f} mm, not {:.1f}", model_.name,
                             1000 * gripper.max_width_m, 1000 * command.width_m)};
  }
  if (!(command.force_n > 0 && command.force_n <= gripper.max_force_n)) {
    return Error{fmt::format("the gripper of {} pulls up to {:.0f} N, not {:.1f}", model_.name,
                             gripper.max_force_n, command.force_n)};
  }
  if (read().moving) return Error{"the arm is moving; wait before gripping"};
  auto width = send_grip(command);
  if (!width) enter_fault(width.error().message);
  return width;
}

void WholeMotionArm::halt() noexcept {
  send_stop();  // before any lock: nothing on this side may delay it
  try {
    enter_fault("halted");
  } catch (...) {  // no memory for the word; the arm has been stopped
  }
}

cell::ArmReading WholeMotionArm::read() const {
  const Stance now = stance();
  const std::scoped_lock lock(mutex_);
  return {.state = state_,
          .fault = fault_,
          .moving = moving_,
          .q_rad = now.q_rad,
          .v_rad_s = now.v_rad_s,
          .gripper_width_m = now.gripper_width_m};
}

}  // namespace rowbot::drivers
