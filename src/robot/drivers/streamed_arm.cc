#include "robot/drivers/streamed_arm.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

#include "robot/arm/angles.h"

namespace rowbot::drivers {

using arm::JointVector;
using cell::ArmState;

StreamedArm::StreamedArm(const arm::ArmModel& model, std::shared_ptr<Pacer> pacer,
                         double grip_width_m, const StreamedArmOptions& options)
    : model_(model),
      pacer_(std::move(pacer)),
      options_(options),
      sent_rad_(arm::neutral(model)),
      width_m_(grip_width_m) {
  publish(JointVector::Zero(sent_rad_.size()));
}

void StreamedArm::shut_down() {
  if (running_) pacer_->stop();
  running_ = false;
  const std::scoped_lock lock(wire_mutex_);
  if (!limp_) (void)go_limp();
  limp_ = true;
}

cell::ArmReading StreamedArm::read() const {
  const std::scoped_lock lock(reading_mutex_);
  return reading_;
}

ArmState StreamedArm::state() const {
  const std::scoped_lock lock(reading_mutex_);
  return reading_.state;
}

void StreamedArm::set_state(ArmState state, std::string fault) {
  const std::scoped_lock lock(reading_mutex_);
  reading_.state = state;
  reading_.fault = std::move(fault);
}

void StreamedArm::publish(const JointVector& v_rad_s) {
  const std::scoped_lock lock(reading_mutex_);
  reading_.moving = motion_.has_value();
  reading_.q_rad = sent_rad_;
  reading_.v_rad_s = v_rad_s;
  reading_.gripper_width_m = width_m_;
}

void StreamedArm::enter_wire_fault(const Error& error) {
  wire_failed_ = true;
  enter_fault(error.message);
}

void StreamedArm::enter_fault(std::string why) {
  motion_.reset();
  grip_.reset();
  set_state(ArmState::kFault, std::move(why));
  publish(JointVector::Zero(sent_rad_.size()));
}

Result<void> StreamedArm::refuse_unless(ArmState wanted, const char* what) const {
  const ArmState now = state();
  if (now == wanted) return {};
  return Error{fmt::format("only an arm that is {} can {}; this one is {}{}",
                           cell::arm_state_name(wanted), what, cell::arm_state_name(now),
                           now == ArmState::kFault ? "; clear the fault first" : "")};
}

Result<void> StreamedArm::configure() {
  if (auto ok = refuse_unless(ArmState::kUnconfigured, "be configured"); !ok) return ok;
  {
    const std::scoped_lock lock(wire_mutex_);
    if (auto connected = connect(); !connected) return connected;
    set_state(ArmState::kReady);
  }
  running_ = true;
  pacer_->start(options_.period_s, [this](double elapsed_s) { tick(elapsed_s); });
  return {};
}

Result<void> StreamedArm::activate() {
  if (auto ok = refuse_unless(ArmState::kReady, "be activated"); !ok) return ok;
  const std::scoped_lock lock(wire_mutex_);
  if (auto sent = send(sent_rad_); !sent) {
    enter_wire_fault(sent.error());
    return sent;
  }
  limp_ = false;
  at_rest_s_ = 0;
  halt_ = false;
  set_state(ArmState::kActive);
  return {};
}

Result<void> StreamedArm::deactivate() {
  if (auto ok = refuse_unless(ArmState::kActive, "be deactivated"); !ok) return ok;
  const std::scoped_lock lock(wire_mutex_);
  if (motion_) return Error{"the arm is moving; wait or halt first"};
  if (auto limp = go_limp(); !limp) {
    enter_wire_fault(limp.error());
    return limp;
  }
  limp_ = true;
  set_state(ArmState::kReady);
  return {};
}

Result<void> StreamedArm::clear_fault() {
  if (state() != ArmState::kFault) return Error{"there is no fault to clear"};
  const std::scoped_lock lock(wire_mutex_);
  if (wire_failed_) {
    if (auto connected = connect(); !connected) return connected;
    limp_ = true;
    wire_failed_ = false;
  }
  halt_ = false;
  set_state(ArmState::kReady);
  return {};
}

Result<void> StreamedArm::check_motion(const arm::Trajectory& motion) const {
  if (motion.start_rad().size() != arm::joint_count(model_)) {
    return Error{fmt::format("the motion is for an arm with {} joints, {} has {}",
                             motion.start_rad().size(), model_.name, arm::joint_count(model_))};
  }
  const double away = (motion.start_rad() - sent_rad_).cwiseAbs().maxCoeff();
  if (!(away < 0.02)) {
    return Error{
        fmt::format("the motion starts {:.1f} degrees from where the arm stands; plan it "
                    "from there",
                    arm::degrees(away))};
  }
  if (auto checked = arm::check(model_, motion, {}); !checked) return checked;
  const double end_s = motion.duration_s();
  for (double time_s = 0; time_s < end_s + options_.period_s; time_s += options_.period_s) {
    if (auto possible = check_pose(motion.at(time_s).q_rad); !possible) return possible;
  }
  return {};
}

Result<void> StreamedArm::start(const arm::Trajectory& motion) {
  if (auto ok = refuse_unless(ArmState::kActive, "move"); !ok) return ok;
  const std::scoped_lock lock(wire_mutex_);
  if (motion_) return Error{"the arm is still moving; wait or halt first"};
  if (auto checked = check_motion(motion); !checked) return checked;
  motion_ = motion;
  motion_s_ = 0;
  silent_s_ = 0;
  publish(JointVector::Zero(sent_rad_.size()));
  return {};
}

Result<void> StreamedArm::deliver(const JointVector& goal_rad, double elapsed_s) {
  constexpr double kRounding = 1e-6;
  // Along the line to the goal, no further than every joint's speed allows.
  const JointVector way_rad = goal_rad - sent_rad_;
  double share = 1;
  for (int i = 0; i < arm::joint_count(model_); ++i) {
    const double most_rad = model_.joints[static_cast<std::size_t>(i)].velocity_rad_s * elapsed_s;
    if (std::abs(way_rad[i]) > most_rad) share = std::min(share, most_rad / std::abs(way_rad[i]));
  }
  const JointVector q_rad = share < 1 ? JointVector(sent_rad_ + share * way_rad) : goal_rad;
  if (const auto broken = arm::limit_violation(model_, q_rad, kRounding)) {
    return Error{fmt::format("a pose was not sent: {}", *broken)};
  }
  if (auto possible = check_pose(q_rad); !possible) return possible;
  if (auto sent = send(q_rad); !sent) return sent;
  sent_rad_ = q_rad;
  limp_ = false;
  at_rest_s_ = 0;
  publish(share * way_rad / elapsed_s);
  return {};
}

void StreamedArm::tick(double elapsed_s) {
  const std::scoped_lock lock(wire_mutex_);
  const bool halted = halt_.exchange(false);
  if (state() != ArmState::kActive) return;
  if (halted) return enter_fault("halted");
  if (auto heard = poll(); !heard) return enter_wire_fault(heard.error());
  if (motion_) return move_on(elapsed_s);
  if (grip_) return grip_on(elapsed_s);
  rest(elapsed_s);
}

void StreamedArm::move_on(double elapsed_s) {
  const bool heard = heard_.exchange(false);
  silent_s_ = heard || attended_ ? 0 : silent_s_ + elapsed_s;
  if (silent_s_ > options_.watchdog_s) {
    return enter_fault(fmt::format("no sign of life for {:.0f} ms: the watchdog stopped the arm",
                                   1000 * options_.watchdog_s));
  }
  const double step_s = std::min(elapsed_s, options_.period_s);
  motion_s_ += step_s;
  if (auto sent = deliver(motion_->at(motion_s_).q_rad, step_s); !sent) {
    return enter_wire_fault(sent.error());
  }
  const bool there = sent_rad_ == motion_->end_rad();
  if (!there || motion_s_ < motion_->duration_s() + options_.settle_s) return;
  motion_.reset();
  publish(JointVector::Zero(sent_rad_.size()));
}

void StreamedArm::grip_on(double elapsed_s) {
  const double step_m = model_.gripper.speed_m_s * std::min(elapsed_s, options_.period_s);
  const double width_m = width_m_ + std::clamp(grip_->width_m - width_m_, -step_m, step_m);
  if (auto sent = send_grip(width_m, grip_->force_n); !sent) {
    return enter_wire_fault(sent.error());
  }
  width_m_ = width_m;
  limp_ = false;
  at_rest_s_ = 0;
  publish(JointVector::Zero(sent_rad_.size()));
  if (width_m_ != grip_->width_m) return;
  grip_->held_s += elapsed_s;
  if (grip_->held_s >= options_.grip_hold_s) grip_.reset();
}

void StreamedArm::rest(double elapsed_s) {
  at_rest_s_ += elapsed_s;
  if (limp_ || options_.idle_off_s <= 0 || at_rest_s_ < options_.idle_off_s) return;
  if (auto limp = go_limp(); !limp) return enter_wire_fault(limp.error());
  limp_ = true;
}

Result<void> StreamedArm::block_until(const std::function<bool()>& done) {
  attended_ = true;
  const bool ended = pacer_->wait_for([&] { return state() != ArmState::kActive || done(); });
  attended_ = false;
  if (!ended) {
    halt_ = true;
    return Error{
        "the arm's wire has not taken a command for two seconds; check its cable and power"};
  }
  if (state() == ArmState::kFault) return Error{read().fault};
  return {};
}

Result<void> StreamedArm::wait() {
  if (state() == ArmState::kFault) return Error{read().fault};
  return block_until([this] {
    const std::scoped_lock lock(wire_mutex_);
    return !motion_.has_value();
  });
}

Result<double> StreamedArm::grip(const cell::GripCommand& command) {
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
  {
    const std::scoped_lock lock(wire_mutex_);
    if (motion_) return Error{"the arm is moving; wait before gripping"};
    grip_ = Grip{.width_m = command.width_m, .force_n = command.force_n};
  }
  const auto ended = block_until([this] {
    const std::scoped_lock lock(wire_mutex_);
    return !grip_.has_value();
  });
  if (!ended) return ended.error();
  return read().gripper_width_m;
}

}  // namespace rowbot::drivers
