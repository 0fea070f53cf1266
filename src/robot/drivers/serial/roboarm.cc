#include "robot/drivers/serial/roboarm.h"

#include <array>
#include <cmath>
#include <fmt/format.h>
#include <utility>

#include "robot/arm/angles.h"

namespace rowbot::drivers {

using arm::JointVector;

namespace {

/// The path is checked; half a degree of rounding may be added to it, and as much was already
/// there.
constexpr double kStartToleranceDeg = 1.05;
/// What a look at the arm can be off itself.
constexpr double kLookToleranceDeg = 2.0;

JointVector to_degrees(const JointVector& q_rad) { return q_rad * (180.0 / arm::kPi); }
JointVector to_radians(const JointVector& q_deg) { return q_deg * (arm::kPi / 180.0); }

}  // namespace

RoboArm::RoboArm(RoboArmOptions options, std::shared_ptr<Pacer> pacer)
    : WholeMotionArm(arm::roboarm(), std::move(pacer), options.watchdog_s),
      options_(std::move(options)),
      at_deg_(to_degrees(arm::neutral(arm::roboarm()))) {}

Result<void> RoboArm::connect() {
  if (auto sound = check_config(options_.config); !sound) return sound;
  if (auto opened = port_.open(options_.port, options_.config.baud); !opened) return opened;
  // Ends whatever the arm still does or waits for.
  send_stop();
  return {};
}

double RoboArm::start_tolerance_rad() const { return arm::radians(kStartToleranceDeg); }

RoboArmProgram RoboArm::empty_program() const {
  const std::scoped_lock lock(belief_);
  return {.orders = {}, .start_deg = at_deg_, .end_deg = at_deg_, .motions = 0};
}

RoboArmProgram RoboArm::program_for(const arm::Trajectory& motion) const {
  RoboArmProgram program = empty_program();
  add_motion(model(), options_.config, motion, program);
  return program;
}

Result<void> RoboArm::check_motion(const arm::Trajectory& motion) {
  return check(program_for(motion));
}

Result<void> RoboArm::check(const RoboArmProgram& program) const {
  if (auto fits = check_program(options_.config, program); !fits) return fits;
  if (const auto broken = arm::limit_violation(model(), to_radians(program.end_deg), 1e-6)) {
    return Error{*broken};
  }
  const RoboArmDrift now = drift();
  if (now.estimate_deg > options_.config.refuse_at_deg) return Error{now.words};
  return {};
}

Result<void> RoboArm::send_motion(const arm::Trajectory& motion) {
  return send(program_for(motion));
}

Result<void> RoboArm::start_plan(const cell::DropPlan& plan) {
  const arm::Trajectory* first = nullptr;
  for (const cell::DropStep& step : plan.steps) {
    if (!step.motion) continue;
    if (first == nullptr) first = &*step.motion;
    if (auto checked = arm::check(model(), *step.motion, {}); !checked) {
      return Error{fmt::format("{}: {}", cell::drop_step_name(step.kind), checked.error().message)};
    }
  }
  if (first == nullptr) return Error{"the plan does not move the arm"};
  RoboArmProgram program = empty_program();
  for (const cell::DropStep& step : plan.steps) {
    if (step.motion) add_motion(model(), options_.config, *step.motion, program);
    if (step.grip) add_hand(step.grip->width_m > options_.config.open_width_m / 4, program);
  }
  if (auto possible = check(program); !possible) return possible;
  return start_with(first->start_rad(), [&] { return send(std::move(program)); });
}

Result<void> RoboArm::run_plan(const cell::DropPlan& plan) {
  if (auto started = start_plan(plan); !started) return started;
  return wait();
}

Result<void> RoboArm::send(RoboArmProgram program) {
  const RoboArmConfig& config = options_.config;
  std::vector<RoboArmOrder> orders = {{.verb = RoboArmVerb::kLoad}};
  orders.insert(orders.end(), program.orders.begin(), program.orders.end());
  orders.push_back({.verb = RoboArmVerb::kLoaded});
  orders.push_back({.verb = RoboArmVerb::kRun});
  const auto bytes = encode(config.commands, orders);
  const double line_s = sending_s(config, bytes.size());
  {
    const std::scoped_lock lock(belief_);
    began_s_ = now_s() + line_s;
    done_s_ = began_s_ + (1 + config.margin_share) * running_s(config, program) + config.margin_s;
    program_ = std::move(program);
  }
  return port_.write(bytes);
}

Result<WholeMotionArm::Progress> RoboArm::motion_progress() {
  const std::scoped_lock lock(belief_);
  return now_s() < done_s_ ? Progress::kRunning : Progress::kDone;
}

Result<double> RoboArm::send_grip(const cell::GripCommand& command) {
  const RoboArmConfig& config = options_.config;
  const bool open = command.width_m > config.open_width_m / 4;
  const std::array orders = {RoboArmOrder{.verb = open ? RoboArmVerb::kOpen : RoboArmVerb::kClose}};
  if (auto sent = port_.write(encode(config.commands, orders)); !sent) return sent.error();
  const double until_s =
      now_s() + (1 + config.margin_share) * config.hand_s + config.margin_s + sending_s(config, 1);
  if (auto passed = block_until([&] { return now_s() >= until_s; }); !passed) return passed.error();
  const std::scoped_lock lock(belief_);
  open_ = open;
  return open ? config.open_width_m : 0.0;
}

void RoboArm::send_stop() noexcept {
  // One may be taken for the degrees of a broken-off command, one may be lost.
  const std::uint8_t stop = options_.config.commands[RoboArmVerb::kStop];
  const std::array<std::uint8_t, 3> stops = {stop, stop, stop};
  port_.write_urgently(stops);
}

Result<void> RoboArm::check_wire() {
  if (!port_.hung_up()) return {};
  return Error{
      fmt::format("the serial port {} is gone; plug it in again and clear the fault. The "
                  "arm may go on to the end of what it has loaded",
                  options_.port)};
}

JointVector RoboArm::pose_deg() const {
  if (program_.orders.empty()) return at_deg_;
  return pose_after_deg(options_.config, program_, now_s() - began_s_);
}

WholeMotionArm::Stance RoboArm::stance() const {
  const std::scoped_lock lock(belief_);
  const JointVector now = pose_deg();
  JointVector speed = JointVector::Zero(now.size());
  if (!program_.orders.empty()) {
    constexpr double kStepS = 0.01;
    const double elapsed_s = now_s() - began_s_;
    speed = (pose_after_deg(options_.config, program_, elapsed_s + kStepS) - now) / kStepS;
  }
  return {.q_rad = to_radians(now),
          .v_rad_s = to_radians(speed),
          .gripper_width_m = open_ ? options_.config.open_width_m : 0.0};
}

void RoboArm::motion_over(bool completed) {
  const RoboArmConfig& config = options_.config;
  const std::scoped_lock lock(belief_);
  if (program_.orders.empty() && program_.motions == 0) return;
  at_deg_ = completed ? program_.end_deg : pose_deg();
  for (const RoboArmOrder& order : program_.orders) {
    if (completed && order.verb == RoboArmVerb::kOpen) open_ = true;
    if (completed && order.verb == RoboArmVerb::kClose) open_ = false;
  }
  motions_ += program_.motions;
  drift_square_deg2_ += program_.motions * std::pow(config.drift_deg_per_motion, 2);
  if (!completed) drift_square_deg2_ += std::pow(config.drift_deg_per_stop, 2);
  program_ = {};
}

RoboArmDrift RoboArm::drift() const {
  const RoboArmConfig& config = options_.config;
  const std::scoped_lock lock(belief_);
  RoboArmDrift drift{.motions = motions_, .estimate_deg = std::sqrt(drift_square_deg2_)};
  drift.recalibrate = drift.estimate_deg > config.recalibrate_at_deg;
  drift.words = fmt::format("after {} motions the arm may be {:.1f} degrees off", motions_,
                            drift.estimate_deg);
  if (drift.recalibrate) drift.words += "; put it into its neutral pose and calibrate it anew";
  return drift;
}

std::string RoboArm::calibration_due() const {
  const RoboArmDrift now = drift();
  return now.recalibrate ? now.words : std::string();
}

void RoboArm::calibrated_at(const JointVector& q_rad) {
  const std::scoped_lock lock(belief_);
  at_deg_ = to_degrees(q_rad);
  open_ = true;
  motions_ = 0;
  drift_square_deg2_ = 0;
}

Result<void> RoboArm::seen_at(const JointVector& q_rad, double gripper_width_m) {
  const Stance believed = stance();
  const JointVector off_deg = to_degrees(q_rad - believed.q_rad).cwiseAbs();
  Eigen::Index worst = 0;
  std::string what;
  if (off_deg.maxCoeff(&worst) > kLookToleranceDeg) {
    what = fmt::format(
        "joint {} ({}) is {:.0f} degrees from where the commands should have brought it", worst + 1,
        model().joints[static_cast<std::size_t>(worst)].name, off_deg[worst]);
  } else if (gripper_width_m > options_.config.open_width_m / 2 && believed.gripper_width_m == 0) {
    what = "the hand is open and should be closed";
  } else if (gripper_width_m < options_.config.open_width_m / 2 && believed.gripper_width_m > 0) {
    what = "the hand is closed and should be open";
  } else {
    return {};
  }
  Error error{what +
              ": bytes were lost or broken on the serial line, or the arm has drifted; "
              "calibrate it anew"};
  enter_fault(error.message);
  return error;
}

}  // namespace rowbot::drivers
