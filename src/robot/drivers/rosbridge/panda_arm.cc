#include "robot/drivers/rosbridge/panda_arm.h"

#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <random>
#include <utility>

#include "robot/arm/angles.h"

namespace rowbot::drivers {

using arm::JointVector;

namespace {

constexpr double kBeyondRange = 0.1;  // rad; a joint state further out is a broken message
constexpr double kArrived = 0.02;     // rad
constexpr double kAtRest = 0.02;      // rad/s
constexpr double kSettleS = 0.5;
constexpr double kGripMarginS = 3.0;

std::string fresh_name() {
  std::random_device device;
  return fmt::format("rowbot-{:08x}", device());
}

}  // namespace

PandaArm::PandaArm(PandaOptions options, std::shared_ptr<Pacer> pacer)
    : WholeMotionArm(arm::panda(), std::move(pacer), options.watchdog_s),
      options_(std::move(options)),
      session_(fresh_name()) {
  stance_.q_rad = arm::neutral(model());
  stance_.v_rad_s = JointVector::Zero(arm::joint_count(model()));
}

PandaArm::~PandaArm() { shut_down(); }

std::shared_ptr<TextSocket> PandaArm::socket() const {
  const std::scoped_lock lock(wire_);
  return socket_;
}

PandaArm::Traffic PandaArm::traffic() const {
  const auto now = socket();
  if (!now) return {};
  return {.sent = now->sent(), .arrived = now->arrived(), .open = now->is_open()};
}

Result<void> PandaArm::connect() {
  auto line = socket();
  if (!line || !line->is_open()) {
    auto opened = TextSocket::connect(
        options_.address, std::chrono::milliseconds(static_cast<int>(1000 * options_.hello_s)));
    if (!opened) return opened.error();
    line = *std::move(opened);
    for (std::string& text : greeting(options_.topics)) line->send(std::move(text));
    const std::scoped_lock lock(wire_);
    socket_ = line;
  }
  (void)line->receive();  // what came while nobody listened is of the past
  send_stop();            // goals from before the fault
  std::uint64_t seen = 0;
  {
    const std::scoped_lock lock(wire_);
    seen = states_;
    goal_.reset();
    grip_.reset();
  }
  const double until_s = now_s() + options_.hello_s;
  Result<void> heard;
  const auto enough = [&] {
    heard = hear();
    const std::scoped_lock lock(wire_);
    return !heard || now_s() > until_s ||
           (states_ > seen + 1 && stance_.v_rad_s.cwiseAbs().maxCoeff() < kAtRest);
  };
  if (auto passed = block_until(enough); !passed) return passed;
  if (!heard) return heard;
  const std::scoped_lock lock(wire_);
  if (states_ <= seen + 1) {
    return Error{
        fmt::format("rosbridge answers, but nothing comes on {}; is the arm's driver "
                    "running?",
                    options_.topics.joint_states)};
  }
  if (stance_.v_rad_s.cwiseAbs().maxCoeff() >= kAtRest) {
    return Error{"the arm still moves; another program may be driving it"};
  }
  return {};
}

Result<void> PandaArm::check_motion(const arm::Trajectory& /*motion*/) { return {}; }

std::string PandaArm::next_id() { return fmt::format("{}-{}", session_, ++goals_); }

Result<void> PandaArm::send_motion(const arm::Trajectory& motion) {
  const auto line = socket();
  std::string id;
  {
    const std::scoped_lock lock(wire_);
    id = next_id();
    goal_ = Goal{.id = id,
                 .sent_s = now_s(),
                 .duration_s = motion.duration_s(),
                 .end_rad = motion.end_rad(),
                 .taken_up = false,
                 .result = std::nullopt,
                 .result_s = 0};
  }
  if (!line || !line->is_open()) return Error{"the connection to rosbridge is lost"};
  line->send(trajectory_goal(options_.topics, id, motion, options_.sample_s));
  return {};
}

Result<WholeMotionArm::Progress> PandaArm::motion_progress() {
  const std::scoped_lock lock(wire_);
  if (!goal_) return Progress::kDone;
  const double age_s = now_s() - goal_->sent_s;
  if (!goal_->result) {
    if (!goal_->taken_up && age_s > options_.take_up_s) {
      return Error{
          fmt::format("the controller has not taken up the motion within {:.1f} s; is {} "
                      "running?",
                      options_.take_up_s, options_.topics.trajectory)};
    }
    if (age_s > goal_->duration_s + options_.take_up_s + options_.result_margin_s) {
      return Error{fmt::format("no result {:.1f} s after the motion should have ended",
                               age_s - goal_->duration_s)};
    }
    return Progress::kRunning;
  }
  if (const auto words = failure_words(*goal_->result)) return Error{*words};
  const double off = (stance_.q_rad - goal_->end_rad).cwiseAbs().maxCoeff();
  if (off < kArrived && stance_.v_rad_s.cwiseAbs().maxCoeff() < kAtRest) return Progress::kDone;
  if (now_s() - goal_->result_s < kSettleS) return Progress::kRunning;
  return Error{fmt::format("the controller reports success, but a joint is {:.1f} degrees off",
                           arm::degrees(off))};
}

Result<double> PandaArm::send_grip(const cell::GripCommand& command) {
  const auto line = socket();
  if (!line || !line->is_open()) return Error{"the connection to rosbridge is lost"};
  const arm::Gripper& gripper = model().gripper;
  const GripGoal goal{.width_m = command.width_m,
                      .speed_m_s = gripper.speed_m_s,
                      .force_n = command.force_n,
                      .tolerance_m = gripper.max_width_m};
  double way_m = 0;
  {
    const std::scoped_lock lock(wire_);
    const std::string id = next_id();
    grip_ = Grip{.id = id, .result = std::nullopt, .states_then = 0};
    way_m = command.width_m - stance_.gripper_width_m;
    // Opening is a move; closing may meet a piece, which must then be held.
    line->send(way_m > 0 ? move_goal(options_.topics, id, goal)
                         : grasp_goal(options_.topics, id, goal));
  }
  const double until_s = now_s() + std::abs(way_m) / gripper.speed_m_s + kGripMarginS;
  const auto ended = block_until([&] {
    const std::scoped_lock lock(wire_);
    return now_s() > until_s || (grip_ && grip_->result && states_ > grip_->states_then);
  });
  if (!ended) return ended.error();
  const std::scoped_lock lock(wire_);
  const auto done = std::exchange(grip_, std::nullopt);
  if (!done || !done->result)
    return Error{"the gripper has not answered; is franka_gripper running?"};
  if (const auto words = failure_words(*done->result)) return Error{*words};
  return stance_.gripper_width_m;
}

void PandaArm::send_stop() noexcept {
  try {
    const auto line = socket();
    if (!line) return;
    line->send(cancel_all(options_.topics.trajectory));
    line->send(cancel_all(options_.topics.move));
    line->send(cancel_all(options_.topics.grasp));
  } catch (...) {  // no memory left for three lines of text: the watchdog's turn
  }
}

Result<void> PandaArm::check_wire() {
  if (auto heard = hear(); !heard) return heard;
  const auto line = socket();
  if (!line->is_open()) {
    return Error{fmt::format(
        "rosbridge is gone: {}. The arm's controller may run its motion to the end; clear the "
        "fault to connect again",
        line->why_closed())};
  }
  const std::scoped_lock lock(wire_);
  const double age_s = now_s() - states_s_;
  if (age_s <= options_.stale_s) return {};
  return Error{fmt::format("no joint states for {:.1f} s: where the arm is, nobody knows", age_s)};
}

Result<void> PandaArm::hear() {
  const auto line = socket();
  if (!line) return {};
  for (const std::string& text : line->receive()) {
    const auto message = parse_ros_message(options_.topics, text);
    if (!message) return message.error();
    const std::scoped_lock lock(wire_);
    auto taken = std::visit([this](const auto& known) { return this->take(known); }, *message);
    if (!taken) return taken;
  }
  return {};
}

Result<void> PandaArm::take(const JointStates& states) {
  int joints = 0;
  double width_m = 0;
  int fingers = 0;
  for (std::size_t i = 0; i < states.names.size(); ++i) {
    const std::string& name = states.names[i];
    if (name == kLeftFinger || name == kRightFinger) {
      width_m += states.positions[i];
      ++fingers;
      continue;
    }
    for (int joint = 0; joint < arm::joint_count(model()); ++joint) {
      if (name != panda_joint_name(joint)) continue;
      const arm::JointLimits& limits = model().joints[static_cast<std::size_t>(joint)];
      const double q = states.positions[i];
      if (!(q > limits.min_rad - kBeyondRange && q < limits.max_rad + kBeyondRange)) {
        return Error{
            fmt::format("a joint state is broken: {} at {:.3g} rad is beyond its range", name, q)};
      }
      stance_.q_rad[joint] = q;
      stance_.v_rad_s[joint] = states.velocities.empty() ? 0 : states.velocities[i];
      ++joints;
    }
  }
  if (fingers == 2) stance_.gripper_width_m = width_m;
  if (joints == arm::joint_count(model())) {
    ++states_;
    states_s_ = now_s();
  }
  return {};
}

Result<void> PandaArm::take(const MotionFeedback& feedback) {
  if (goal_ && goal_->id == feedback.goal_id) goal_->taken_up = true;
  return {};
}

Result<void> PandaArm::take(const MotionResult& result) {
  if (!goal_ || goal_->id != result.status.goal_id || goal_->result) return {};
  goal_->result = result;
  goal_->result_s = now_s();
  return {};
}

Result<void> PandaArm::take(const GripResult& result) {
  if (!grip_ || grip_->id != result.status.goal_id || grip_->result) return {};
  grip_->result = result;
  grip_->states_then = states_;
  return {};
}

Result<void> PandaArm::take(const BridgeNote& note) {
  if (note.level != "error") return {};
  return Error{fmt::format("rosbridge complains: {}", note.text)};
}

Result<void> PandaArm::take(const Unrelated& /*other*/) { return {}; }

WholeMotionArm::Stance PandaArm::stance() const {
  const std::scoped_lock lock(wire_);
  return stance_;
}

void PandaArm::motion_over(bool /*completed*/) {
  const std::scoped_lock lock(wire_);
  goal_.reset();
}

}  // namespace rowbot::drivers
