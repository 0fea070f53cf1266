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

Twin::Twin(std::unique_ptr<World> world, const TwinOptions& options)
    : world_(std::move(world)), options_(options), rng_(options.seed) {
  target_rad_ = arm::neutral(world_->arm());
  drift_rad_ = slide_rad_ = play_rad_ = JointVector::Zero(target_rad_.size());
  grip_width_m_ = world_->layout().grip_opening_m;
  grip_force_n_ = world_->layout().grip_force_n;
  publish();
}

Result<std::unique_ptr<Twin>> Twin::create(const cell::CellLayout& layout,
                                           const TwinOptions& options) {
  const auto model = arm::model_by_name(layout.robot);
  if (!model) return model.error();
  auto world = World::create(**model, layout, options.seed);
  if (!world) return world.error();
  return std::unique_ptr<Twin>(new Twin(*std::move(world), options));
}

void Twin::publish() {
  const std::scoped_lock lock(mutex_);
  reading_.moving = motion_.has_value();
  // Motors without feedback do not know how far they have drifted.
  reading_.q_rad = world_->joints_rad() - drift_rad_;
  reading_.v_rad_s = world_->velocities_rad_s();
  reading_.gripper_width_m = world_->gripper_width_m();
}

cell::ArmReading Twin::read() const {
  const std::scoped_lock lock(mutex_);
  return reading_;
}

Result<void> Twin::configure() {
  if (read().state != ArmState::kUnconfigured) return Error{"the arm is configured already"};
  // Let everything come to rest under its own weight.
  for (int i = 0; i < 150; ++i) tick();
  const std::scoped_lock lock(mutex_);
  reading_.state = ArmState::kReady;
  return {};
}

Result<void> Twin::activate() {
  if (read().state != ArmState::kReady) {
    return Error{fmt::format("only a ready arm can be activated; it is {}{}",
                             cell::arm_state_name(read().state),
                             read().state == ArmState::kFault ? "; clear the fault first" : "")};
  }
  halt_ = false;
  const std::scoped_lock lock(mutex_);
  reading_.state = ArmState::kActive;
  return {};
}

Result<void> Twin::deactivate() {
  if (read().state != ArmState::kActive) return Error{"the arm is not active"};
  if (motion_) return Error{"the arm is moving; wait or halt first"};
  const std::scoped_lock lock(mutex_);
  reading_.state = ArmState::kReady;
  return {};
}

Result<void> Twin::clear_fault() {
  if (read().state != ArmState::kFault) return Error{"there is no fault to clear"};
  halt_ = false;
  const std::scoped_lock lock(mutex_);
  reading_.state = ArmState::kReady;
  reading_.fault.clear();
  return {};
}

void Twin::enter_fault(std::string why) {
  motion_.reset();
  // The brakes hold the arm where it comes to rest soonest, within its range.
  target_rad_ =
      arm::clamped(model(), world_->joints_rad() + world_->stopping_way_rad() - drift_rad_);
  const std::scoped_lock lock(mutex_);
  reading_.state = ArmState::kFault;
  reading_.fault = std::move(why);
  reading_.moving = false;
}

Result<void> Twin::start(const arm::Trajectory& motion) {
  const ArmState state = read().state;
  if (state != ArmState::kActive) {
    return Error{
        fmt::format("the arm is {}, not active; it does not move", cell::arm_state_name(state))};
  }
  if (motion_) return Error{"the arm is still moving; wait or halt first"};
  if (motion.start_rad().size() != arm::joint_count(model())) {
    return Error{"the motion is for an arm with another number of joints"};
  }
  if (lost_) return Error{"the arm does not answer; check its cable"};
  const double away = (motion.start_rad() - target_rad_).cwiseAbs().maxCoeff();
  if (!(away < 0.02)) {
    return Error{
        fmt::format("the motion starts {:.1f} degrees from where the arm stands; plan it "
                    "from the measured pose",
                    arm::degrees(away))};
  }
  if (auto checked = arm::check(model(), motion, {}); !checked) return checked;
  motion_ = motion;
  motion_s_ = 0;
  silent_s_ = 0;
  delay_s_ = late_ ? 0.15 : 0;
  if (options_.servo.drift_rad_per_move > 0) {
    for (double& drift : drift_rad_) {
      drift += options_.servo.drift_rad_per_move * (2 * rng_.uniform() - 1);
    }
  }
  publish();
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
  return arm::clamped(world_->arm(), q);
}

/// A joint slides off its marks slower than it can move, so that this alone breaks no limit.
void Twin::let_drift() {
  const double most = 0.2 * world_->step_s();
  const JointVector step = slide_rad_.cwiseMax(-most).cwiseMin(most);
  drift_rad_ += step;
  slide_rad_ -= step;
}

void Twin::tick() {
  JointVector velocity = JointVector::Zero(target_rad_.size());
  if (halt_.exchange(false) && read().state == ArmState::kActive) enter_fault("halted");
  if (motion_) {
    if (delay_s_ > 0) {
      delay_s_ -= world_->step_s();
    } else {
      motion_s_ += world_->step_s();
    }
    const arm::JointState state = motion_->at(motion_s_);
    target_rad_ = state.q_rad;
    velocity = state.v_rad_s;
    silent_s_ += world_->step_s();
    if (silent_s_ > options_.watchdog_s) {
      enter_fault(fmt::format("no sign of life for {:.0f} ms: the watchdog stopped the arm",
                              1000 * options_.watchdog_s));
      velocity.setZero();
    }
  }
  let_drift();
  const bool exact =
      options_.servo.step_rad == 0 && options_.servo.backlash_rad == 0 && drift_rad_.isZero(0);
  world_->command(exact ? target_rad_ : as_servo(target_rad_), velocity);
  if (slip_ && motion_ && motion_s_ > 0.5 * motion_->duration_s() && world_->holds_piece()) {
    slip_ = false;
    grip_width_m_ = world_->gripper_width_m() + 0.006;  // the fingers give way
  }
  world_->command_gripper(grip_width_m_, grip_force_n_);
  world_->step();
  if (read().state == ArmState::kActive) {
    const JointVector error = (world_->joints_rad() - target_rad_ - drift_rad_).cwiseAbs();
    Eigen::Index worst = 0;
    if (error.maxCoeff(&worst) > kFollowingError + options_.servo.step_rad) {
      enter_fault(fmt::format("joint {} ({}) does not follow: it is {:.1f} degrees off", worst + 1,
                              model().joints[static_cast<std::size_t>(worst)].name,
                              arm::degrees(error[worst])));
    }
  }
  publish();
  if (watcher_) watcher_(*world_);
}

void Twin::step_world() {
  world_->step();
  publish();
  if (watcher_) watcher_(*world_);
}

Result<void> Twin::wait() {
  double after_s = 0;
  while (true) {
    if (read().state == ArmState::kFault) return Error{read().fault};
    if (!motion_) return {};
    silent_s_ = 0;
    tick();
    if (!motion_ || motion_s_ < motion_->duration_s()) continue;
    // The clock has run out; the arm still has to come to rest.
    after_s += world_->step_s();
    const JointVector error = world_->joints_rad() - as_servo(JointVector(motion_->end_rad()));
    const bool arrived = error.cwiseAbs().maxCoeff() < 0.0006 &&
                         world_->velocities_rad_s().cwiseAbs().maxCoeff() < 0.01;
    if (arrived || after_s > 0.5) {
      motion_.reset();
      publish();
    }
  }
}

void Twin::advance(double seconds) {
  if (pass_) return pass_(seconds);
  const auto steps = static_cast<int>(std::ceil(seconds / world_->step_s()));
  for (int i = 0; i < steps; ++i) tick();
}

bool Twin::settle(double seconds) {
  const auto steps = static_cast<int>(std::ceil(seconds / world_->step_s()));
  for (int i = 0; i < steps; ++i) {
    if (i > 60 && world_->all_at_rest()) return true;
    advance(world_->step_s());
  }
  return world_->all_at_rest();
}

Result<double> Twin::grip(const cell::GripCommand& command) {
  const ArmState state = read().state;
  if (state != ArmState::kActive) {
    return Error{fmt::format("the arm is {}, not active; the gripper does not move",
                             cell::arm_state_name(state))};
  }
  if (motion_) return Error{"the arm is moving; wait before gripping"};
  const arm::Gripper& gripper = model().gripper;
  if (!(command.width_m >= 0 && command.width_m <= gripper.max_width_m)) {
    return Error{fmt::format("a gripper of {} opens 0 to {:.0f} mm, not {:.1f}", model().name,
                             1000 * gripper.max_width_m, 1000 * command.width_m)};
  }
  if (!(command.force_n > 0 && command.force_n <= gripper.max_force_n)) {
    return Error{fmt::format("a gripper of {} pulls up to {:.0f} N, not {:.1f}", model().name,
                             gripper.max_force_n, command.force_n)};
  }
  if (lost_) return Error{"the arm does not answer; check its cable"};
  if (command.width_m < world_->gripper_width_m()) world_->wake_rail();
  grip_force_n_ = command.force_n;
  double still_s = 0;
  double last = world_->gripper_width_m();
  const auto patience = static_cast<int>(3 / world_->step_s());
  for (int i = 0; i < patience; ++i) {
    const double step = gripper.speed_m_s * world_->step_s();
    grip_width_m_ += std::clamp(command.width_m - grip_width_m_, -step, step);
    tick();
    if (read().state == ArmState::kFault) return Error{read().fault};
    const double width = world_->gripper_width_m();
    // A firm grip trembles by some micrometres; closing fingers move thirty times as fast.
    still_s = std::abs(width - last) < 6e-6 ? still_s + world_->step_s() : 0;
    last = width;
    const bool there = std::abs(width - command.width_m) < 0.0005;
    if (grip_width_m_ == command.width_m && (there || still_s > 0.06)) break;
  }
  return world_->gripper_width_m();
}

bool Twin::human_drop(game::Column column) {
  const double sway =
      0.2 * (world_->layout().board.slot_depth_m - world_->layout().piece.thickness_m);
  const Vector3d offset(0.0008 * (2 * rng_.uniform() - 1), sway * (2 * rng_.uniform() - 1),
                        0.004 + 0.006 * rng_.uniform());
  return world_->release_human_piece(column, offset);
}

void Twin::new_game() {
  world_->open_gate(true);
  advance(1.2);
  world_->open_gate(false);
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
      world_->empty_rail();
      return;
    case Fault::kPieceOnRim:
      // Let go across the rib between two columns and half outside: it stays on top.
      world_->release_human_piece(game::Column(std::clamp(index, 0, 5)),
                                  {world_->layout().board.pitch_m / 2, 0, 0.002});
      return;
    case Fault::kJammedColumn:
      world_->jam(game::Column(std::clamp(index, 0, 6)));
      return;
    case Fault::kDeadJoint:
      world_->kill_joint(std::clamp(index, 0, arm::joint_count(model()) - 1));
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
      world_->move_board({0.015, 0.010}, arm::radians(6));
      return;
    case Fault::kCoveredCamera:
      camera_covered_ = true;
      return;
  }
}

void Twin::repair() {
  drift_rad_.setZero();
  slide_rad_.setZero();
  if (read().state == ArmState::kFault) target_rad_ = arm::neutral(model());
  // In fault, off its marks, or hanging on something. What others command, they bring back.
  if (!pass_ && (world_->joints_rad() - target_rad_).cwiseAbs().maxCoeff() > 0.01) {
    world_->put_arm(target_rad_);
  }
  publish();
  slip_ = late_ = lost_ = camera_covered_ = false;
  world_->revive_joints();
  world_->tidy();
  world_->put_board_back();
  world_->set_feeding(true);
}

}  // namespace rowbot::sim
