#include "robot/sim/twin.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <utility>

#include "base/text.h"
#include "robot/arm/angles.h"

namespace rowbot::sim {
namespace {

using arm::JointVector;
using cell::ArmState;
using Eigen::Vector3d;

constexpr double kFollowingError = 0.12;  // rad; more means that a joint does not obey

constexpr std::array<std::pair<Fault, const char*>, 10> kFaults = {{
    {Fault::kSlippedPiece, "slipped-piece"},
    {Fault::kEmptyMagazine, "empty-magazine"},
    {Fault::kPieceOnRim, "piece-on-rim"},
    {Fault::kJammedColumn, "jammed-column"},
    {Fault::kDeadJoint, "dead-joint"},
    {Fault::kDriftedJoint, "drifted-joint"},
    {Fault::kLateMessages, "late-messages"},
    {Fault::kLostMessages, "lost-messages"},
    {Fault::kMovedBoard, "moved-board"},
    {Fault::kCoveredCamera, "covered-camera"},
}};

}  // namespace

ServoModel exact_servos() { return {}; }
ServoModel coarse_servos() {
  return {.step_rad = arm::radians(4), .backlash_rad = arm::radians(0.5), .drift_rad_per_move = 0};
}
ServoModel drifting_motors() {
  return {.step_rad = arm::radians(1), .backlash_rad = 0, .drift_rad_per_move = arm::radians(0.15)};
}

const char* fault_name(Fault fault) {
  for (const auto& [known, name] : kFaults) {
    if (known == fault) return name;
  }
  return "?";
}

Result<Fault> fault_by_name(std::string_view name) {
  std::string known;
  for (const auto& [fault, text] : kFaults) {
    if (name == text) return fault;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", text);
  }
  return Error{fmt::format("there is no fault {}; there are {}", in_quotes(name), known)};
}

Twin::Twin(const arm::ArmModel& model, std::unique_ptr<World> world, const TwinOptions& options)
    : ArmDriverBase(model, options.watchdog_s),
      world_(std::move(world)),
      options_(options),
      rng_(options.seed) {
  target_rad_ = arm::neutral(model);
  drift_rad_ = slide_rad_ = play_rad_ = JointVector::Zero(target_rad_.size());
  grip_width_m_ = world_->state.layout().grip_opening_m;
  grip_force_n_ = world_->state.layout().grip_force_n;
  publish_state();
}

Result<std::unique_ptr<Twin>> Twin::create(const cell::CellLayout& layout,
                                           const TwinOptions& options) {
  const auto model = arm::model_by_name(layout.robot);
  if (!model) return model.error();
  auto world = World::create(**model, layout);
  if (!world) return world.error();
  return std::unique_ptr<Twin>(new Twin(**model, *std::move(world), options));
}

void Twin::publish_state() {
  // Motors without feedback do not know how far they have drifted.
  publish(world_->arm.joints_rad() - drift_rad_, world_->arm.velocities_rad_s(),
          world_->arm.gripper_width_m());
}

Result<void> Twin::on_configure() {
  // Let everything come to rest under its own weight.
  for (int i = 0; i < 150; ++i) tick();
  return {};
}

Result<void> Twin::on_activate() {
  halt_ = false;
  return {};
}

Result<void> Twin::on_clear_fault() {
  halt_ = false;
  return {};
}

void Twin::on_fault(bool /*was_moving*/) {
  motion_.reset();
  // The brakes hold the arm where it comes to rest soonest, within its range.
  target_rad_ =
      arm::clamped(model(), world_->arm.joints_rad() + world_->arm.stopping_way_rad() - drift_rad_);
}

Result<void> Twin::on_start(const arm::Trajectory& motion) {
  if (lost_) return Error{"the arm does not answer; check its cable"};
  if (auto begun = begin_motion(); !begun) return begun;
  motion_ = motion;
  motion_s_ = 0;
  delay_s_ = late_ ? 0.15 : 0;
  if (options_.servo.drift_rad_per_move > 0) {
    for (double& drift : drift_rad_) {
      drift += options_.servo.drift_rad_per_move * (2 * rng_.uniform() - 1);
    }
  }
  publish_state();
  return {};
}

JointVector Twin::as_servo(const JointVector& q_rad) {
  JointVector q = q_rad + drift_rad_;
  const ServoModel& servo = options_.servo;
  for (Eigen::Index i = 0; i < q.size(); ++i) {
    if (servo.step_rad > 0) q[i] = std::round(q[i] / servo.step_rad) * servo.step_rad;
    // The link follows only when the motor has taken up the play.
    const double gap = q[i] - play_rad_[i];
    const double half = servo.backlash_rad / 2;
    if (std::abs(gap) > half) play_rad_[i] = q[i] - std::copysign(half, gap);
    q[i] = play_rad_[i];
  }
  return arm::clamped(model(), q);
}

/// A joint slides off its marks slower than it can move, so that this alone breaks no limit.
void Twin::let_drift() {
  const double most = 0.2 * world_->state.step_s();
  const JointVector step = slide_rad_.cwiseMax(-most).cwiseMin(most);
  drift_rad_ += step;
  slide_rad_ -= step;
}

/// Sets where the motors are told to be; answers with how fast they should move there.
JointVector Twin::follow_motion() {
  const double step_s = world_->state.step_s();
  if (delay_s_ > 0) {
    delay_s_ -= step_s;
  } else {
    motion_s_ += step_s;
  }
  const arm::JointState state = motion_->at(motion_s_);
  target_rad_ = state.q_rad;
  if (stopped_by_watchdog(step_s)) return JointVector::Zero(target_rad_.size());
  return state.v_rad_s;
}

void Twin::tick() {
  if (halt_.exchange(false) && state() == ArmState::kActive) enter_fault("halted");
  const JointVector velocity =
      motion_ ? follow_motion() : JointVector(JointVector::Zero(target_rad_.size()));
  let_drift();
  const bool exact =
      options_.servo.step_rad == 0 && options_.servo.backlash_rad == 0 && drift_rad_.isZero(0);
  world_->arm.command(exact ? target_rad_ : as_servo(target_rad_), velocity);
  if (slip_ && motion_ && motion_s_ > 0.5 * motion_->duration_s() && world_->safety.holds_piece()) {
    slip_ = false;
    grip_width_m_ = world_->arm.gripper_width_m() + 0.006;  // the fingers give way
  }
  world_->arm.command_gripper(grip_width_m_, grip_force_n_);
  world_->step();
  if (state() == ArmState::kActive) check_following();
  publish_state();
  if (watcher_) watcher_(*world_);
}

void Twin::check_following() {
  const JointVector error = (world_->arm.joints_rad() - target_rad_ - drift_rad_).cwiseAbs();
  Eigen::Index worst = 0;
  if (error.maxCoeff(&worst) <= kFollowingError + options_.servo.step_rad) return;
  enter_fault(fmt::format("joint {} ({}) does not follow: it is {:.1f} degrees off", worst + 1,
                          model().joints[static_cast<std::size_t>(worst)].name,
                          arm::degrees(error[worst])));
}

void Twin::step_world() {
  world_->step();
  publish_state();
  if (watcher_) watcher_(*world_);
}

Result<void> Twin::wait() {
  double after_s = 0;
  while (true) {
    if (auto ok = check_no_fault(); !ok) return ok;
    if (!motion_) return {};
    heartbeat();
    tick();
    if (!motion_ || motion_s_ < motion_->duration_s()) continue;
    // The clock has run out; the arm still has to come to rest.
    after_s += world_->state.step_s();
    const JointVector error = world_->arm.joints_rad() - as_servo(JointVector(motion_->end_rad()));
    const bool arrived = error.cwiseAbs().maxCoeff() < 0.0006 &&
                         world_->arm.velocities_rad_s().cwiseAbs().maxCoeff() < 0.01;
    if (arrived || after_s > 0.5) {
      motion_.reset();
      end_motion();
    }
  }
}

void Twin::advance(double seconds) {
  if (pass_) return pass_(seconds);
  const auto steps = static_cast<int>(std::ceil(seconds / world_->state.step_s()));
  for (int i = 0; i < steps; ++i) tick();
}

bool Twin::settle(double seconds) {
  const auto steps = static_cast<int>(std::ceil(seconds / world_->state.step_s()));
  for (int i = 0; i < steps; ++i) {
    if (i > 60 && world_->pieces.all_at_rest()) return true;
    advance(world_->state.step_s());
  }
  return world_->pieces.all_at_rest();
}

Result<double> Twin::on_grip(const cell::GripCommand& command) {
  if (lost_) return Error{"the arm does not answer; check its cable"};
  if (command.width_m < world_->arm.gripper_width_m()) world_->magazine.wake();
  grip_force_n_ = command.force_n;
  double still_s = 0;
  double last = world_->arm.gripper_width_m();
  const auto patience = static_cast<int>(3 / world_->state.step_s());
  for (int i = 0; i < patience; ++i) {
    const double step = model().gripper.speed_m_s * world_->state.step_s();
    grip_width_m_ += std::clamp(command.width_m - grip_width_m_, -step, step);
    tick();
    if (auto ok = check_no_fault(); !ok) return ok.error();
    const double width = world_->arm.gripper_width_m();
    // A firm grip trembles by some micrometres; closing fingers move thirty times as fast.
    still_s = std::abs(width - last) < 6e-6 ? still_s + world_->state.step_s() : 0;
    last = width;
    const bool there = std::abs(width - command.width_m) < 0.0005;
    if (grip_width_m_ == command.width_m && (there || still_s > 0.06)) break;
  }
  return world_->arm.gripper_width_m();
}

bool Twin::human_drop(game::Column column) {
  const double sway =
      0.2 * (world_->state.layout().board.slot_depth_m - world_->state.layout().piece.thickness_m);
  const Vector3d offset(0.0008 * (2 * rng_.uniform() - 1), sway * (2 * rng_.uniform() - 1),
                        0.004 + 0.006 * rng_.uniform());
  return world_->board.release_human_piece(column, offset);
}

void Twin::new_game() {
  world_->board.open_gate(true);
  advance(1.2);
  world_->board.open_gate(false);
  advance(0.4);
  world_->reload();
  advance(0.4);
}

void Twin::inject(Fault fault, int index) {
  switch (fault) {
    case Fault::kSlippedPiece:
      slip_ = true;
      return;
    case Fault::kEmptyMagazine:
      world_->magazine.set_feeding(false);
      world_->magazine.clear();
      return;
    case Fault::kPieceOnRim:
      // Let go across the rib between two columns and half outside: it stays on top.
      world_->board.release_human_piece(game::Column(std::clamp(index, 0, 5)),
                                        {world_->state.layout().board.pitch_m / 2, 0, 0.002});
      return;
    case Fault::kJammedColumn:
      world_->board.jam(game::Column(std::clamp(index, 0, 6)));
      return;
    case Fault::kDeadJoint:
      world_->arm.disable_motor(std::clamp(index, 0, arm::joint_count(model()) - 1));
      return;
    case Fault::kDriftedJoint:
      slide_rad_[std::clamp(index, 0, arm::joint_count(model()) - 1)] = arm::radians(-5);
      return;
    case Fault::kLateMessages:
      late_ = true;
      return;
    case Fault::kLostMessages:
      lost_ = true;
      return;
    case Fault::kMovedBoard:
      world_->board.move({0.015, 0.010}, arm::radians(6));
      return;
    case Fault::kCoveredCamera:
      camera_covered_ = true;
      return;
  }
}

void Twin::repair() {
  drift_rad_.setZero();
  slide_rad_.setZero();
  if (state() == ArmState::kFault) target_rad_ = arm::neutral(model());
  // In fault, off its marks, or hanging on something. What others command, they bring back.
  if (!pass_ && (world_->arm.joints_rad() - target_rad_).cwiseAbs().maxCoeff() > 0.01) {
    world_->arm.put(target_rad_);
  }
  publish_state();
  slip_ = late_ = lost_ = camera_covered_ = false;
  world_->arm.enable_motors();
  world_->tidy();
  world_->board.move_back();
  world_->magazine.set_feeding(true);
}

}  // namespace rowbot::sim
