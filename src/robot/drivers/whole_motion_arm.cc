#include "robot/drivers/whole_motion_arm.h"

namespace rowbot::drivers {

using cell::ArmState;

namespace {
constexpr double kTickS = 0.01;
}  // namespace

Result<void> WholeMotionArm::on_configure() {
  if (!running_) pacer_->start(kTickS, [this](double elapsed_s) { tick(elapsed_s); });
  running_ = true;
  return connect();
}

void WholeMotionArm::shut_down() {
  if (running_) pacer_->stop();
  running_ = false;
  if (moving()) send_stop();
}

void WholeMotionArm::on_fault(bool was_moving) {
  send_stop();
  if (was_moving) motion_over(false);
}

Result<void> WholeMotionArm::on_start(const arm::Trajectory& motion) {
  if (auto possible = check_motion(motion); !possible) return possible;
  return start_with(motion.start_rad(), [&] { return send_motion(motion); });
}

Result<void> WholeMotionArm::start_with(const arm::JointVector& from_rad,
                                        const std::function<Result<void>()>& send) {
  if (auto ok = check_start(from_rad); !ok) return ok;
  sending_ = true;
  Result<void> sent = begin_motion();
  if (sent) sent = send();
  sending_ = false;
  if (!sent) {
    enter_fault(sent.error().message);
    return sent;
  }
  if (state() != ArmState::kFault) return {};
  // A halt came while the motion was being sent: what it stopped may have begun again.
  send_stop();
  motion_over(false);
  return check_no_fault();
}

void WholeMotionArm::tick(double elapsed_s) {
  now_s_ = now_s_ + elapsed_s;
  const ArmState now = state();
  if (now != ArmState::kActive && now != ArmState::kReady) return;
  if (auto sound = check_wire(); !sound) return enter_fault(sound.error().message);
  if (!moving() || sending_ || stopped_by_watchdog(elapsed_s)) return;
  const auto progress = motion_progress();
  if (!progress) return enter_fault(progress.error().message);
  if (*progress == Progress::kRunning) return;
  motion_over(true);
  end_motion();
}

Result<void> WholeMotionArm::block_until(const std::function<bool()>& done) {
  const auto faulty = [this] { return state() == ArmState::kFault; };
  const bool from_fault = faulty();  // on the way out of it, in clear_fault()
  set_attended(true);
  const bool ended = pacer_->wait_for([&] { return (!from_fault && faulty()) || done(); });
  set_attended(false);
  if (!ended) return Error{"the driver's own clock stands still"};
  if (from_fault) return {};
  return check_no_fault();
}

Result<void> WholeMotionArm::wait() {
  if (auto ok = check_no_fault(); !ok) return ok;
  return block_until([this] { return !moving(); });
}

Result<double> WholeMotionArm::on_grip(const cell::GripCommand& command) {
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
  cell::ArmReading reading = ArmDriverBase::read();
  reading.q_rad = now.q_rad;
  reading.v_rad_s = now.v_rad_s;
  reading.gripper_width_m = now.gripper_width_m;
  return reading;
}

}  // namespace rowbot::drivers
