#include "robot/drivers/streamed_arm.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace rowbot::drivers {

using arm::JointVector;
using cell::ArmState;

StreamedArm::StreamedArm(const arm::ArmModel& model, std::shared_ptr<Pacer> pacer,
                         double grip_width_m, const StreamedArmOptions& options)
    : ArmDriverBase(model, options.watchdog_s),
      pacer_(std::move(pacer)),
      options_(options),
      sent_rad_(arm::neutral(model)),
      width_m_(grip_width_m) {
  publish_at_rest();
}

void StreamedArm::shut_down() {
  if (running_) pacer_->stop();
  running_ = false;
  const std::scoped_lock lock(wire_mutex_);
  if (!limp_) (void)go_limp();
  limp_ = true;
}

void StreamedArm::publish_speed(const JointVector& v_rad_s) {
  publish(sent_rad_, v_rad_s, width_m_);
}

void StreamedArm::publish_at_rest() { publish_speed(JointVector::Zero(sent_rad_.size())); }

void StreamedArm::enter_wire_fault(const Error& error) {
  wire_failed_ = true;
  enter_fault(error.message);
}

void StreamedArm::on_fault(bool /*was_moving*/) {
  motion_.reset();
  grip_.reset();
  publish_at_rest();
}

Result<void> StreamedArm::on_configure() {
  {
    const std::scoped_lock lock(wire_mutex_);
    if (auto connected = connect(); !connected) return connected;
  }
  running_ = true;
  pacer_->start(options_.period_s, [this](double elapsed_s) { tick(elapsed_s); });
  return {};
}

Result<void> StreamedArm::on_activate() {
  const std::scoped_lock lock(wire_mutex_);
  if (auto sent = send(sent_rad_); !sent) {
    enter_wire_fault(sent.error());
    return sent;
  }
  limp_ = false;
  at_rest_s_ = 0;
  halt_ = false;
  return {};
}

Result<void> StreamedArm::on_deactivate() {
  const std::scoped_lock lock(wire_mutex_);
  if (auto limp = go_limp(); !limp) {
    enter_wire_fault(limp.error());
    return limp;
  }
  limp_ = true;
  return {};
}

Result<void> StreamedArm::on_clear_fault() {
  const std::scoped_lock lock(wire_mutex_);
  if (wire_failed_) {
    if (auto connected = connect(); !connected) return connected;
    limp_ = true;
    wire_failed_ = false;
  }
  halt_ = false;
  return {};
}

Result<void> StreamedArm::on_start(const arm::Trajectory& motion) {
  const std::scoped_lock lock(wire_mutex_);
  const double end_s = motion.duration_s();
  for (double time_s = 0; time_s < end_s + options_.period_s; time_s += options_.period_s) {
    if (auto possible = check_pose(motion.at(time_s).q_rad); !possible) return possible;
  }
  if (auto begun = begin_motion(); !begun) return begun;
  motion_ = motion;
  motion_s_ = 0;
  publish_at_rest();
  return {};
}

Result<void> StreamedArm::deliver(const JointVector& goal_rad, double elapsed_s) {
  constexpr double kRounding = 1e-6;
  // Along the line to the goal, no further than every joint's speed allows.
  const JointVector way_rad = goal_rad - sent_rad_;
  double share = 1;
  for (int i = 0; i < arm::joint_count(model()); ++i) {
    const double most_rad = model().joints[static_cast<std::size_t>(i)].velocity_rad_s * elapsed_s;
    if (std::abs(way_rad[i]) > most_rad) share = std::min(share, most_rad / std::abs(way_rad[i]));
  }
  const JointVector q_rad = share < 1 ? JointVector(sent_rad_ + share * way_rad) : goal_rad;
  if (const auto broken = arm::limit_violation(model(), q_rad, kRounding)) {
    return Error{fmt::format("a pose was not sent: {}", *broken)};
  }
  if (auto possible = check_pose(q_rad); !possible) return possible;
  if (auto sent = send(q_rad); !sent) return sent;
  sent_rad_ = q_rad;
  limp_ = false;
  at_rest_s_ = 0;
  publish_speed(share * way_rad / elapsed_s);
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
  if (stopped_by_watchdog(elapsed_s)) return;
  const double step_s = std::min(elapsed_s, options_.period_s);
  motion_s_ += step_s;
  if (auto sent = deliver(motion_->at(motion_s_).q_rad, step_s); !sent) {
    return enter_wire_fault(sent.error());
  }
  const bool there = sent_rad_ == motion_->end_rad();
  if (!there || motion_s_ < motion_->duration_s() + options_.settle_s) return;
  motion_.reset();
  publish_at_rest();
  end_motion();
}

void StreamedArm::grip_on(double elapsed_s) {
  const double step_m = model().gripper.speed_m_s * std::min(elapsed_s, options_.period_s);
  const double width_m = width_m_ + std::clamp(grip_->width_m - width_m_, -step_m, step_m);
  if (auto sent = send_grip(width_m, grip_->force_n); !sent) {
    return enter_wire_fault(sent.error());
  }
  width_m_ = width_m;
  limp_ = false;
  at_rest_s_ = 0;
  publish_at_rest();
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
  set_attended(true);
  const bool ended = pacer_->wait_for([&] { return state() != ArmState::kActive || done(); });
  set_attended(false);
  if (!ended) {
    halt_ = true;
    return Error{
        "the arm's wire has not taken a command for two seconds; check its cable and power"};
  }
  return check_no_fault();
}

Result<void> StreamedArm::wait() {
  if (auto ok = check_no_fault(); !ok) return ok;
  return block_until([this] { return !moving(); });
}

Result<double> StreamedArm::on_grip(const cell::GripCommand& command) {
  {
    const std::scoped_lock lock(wire_mutex_);
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
