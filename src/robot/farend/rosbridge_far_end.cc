#include "robot/farend/rosbridge_far_end.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <thread>
#include <utility>

namespace rowbot::farend {
namespace {

using arm::JointVector;
using nlohmann::json;

constexpr double kJointsEveryS = 0.02;
constexpr double kFeedbackEveryS = 0.05;
constexpr int kPreempted = 2;
constexpr int kSucceeded = 3;
constexpr int kAborted = 4;
constexpr int kRejected = 5;
constexpr int kInvalidGoal = -1;
constexpr int kPathViolated = -4;

json status(const std::string& goal_id, int code, const std::string& words) {
  return {{"goal_id", {{"stamp", {{"secs", 0}, {"nsecs", 0}}}, {"id", goal_id}}},
          {"status", code},
          {"text", words}};
}

std::string published(const std::string& topic, json message) {
  return json{{"op", "publish"}, {"topic", topic}, {"msg", std::move(message)}}.dump();
}

}  // namespace

const char* bridge_fault_name(BridgeFault fault) {
  switch (fault) {
    case BridgeFault::kLostText:
      return "lost text";
    case BridgeFault::kDoubledText:
      return "doubled text";
    case BridgeFault::kLateTexts:
      return "late texts";
    case BridgeFault::kBrokenText:
      return "broken text";
    case BridgeFault::kLostGoal:
      return "lost goal";
    case BridgeFault::kRefusedGoal:
      return "refused goal";
    case BridgeFault::kAbortedGoal:
      return "aborted goal";
    case BridgeFault::kSilentJoints:
      return "silent joints";
    case BridgeFault::kBrokenFrame:
      return "broken frame";
    case BridgeFault::kClosed:
      return "closed socket";
  }
  return "?";
}

RosbridgeFarEnd::RosbridgeFarEnd(WireWorld& world, const RosbridgeFarEndOptions& options)
    : world_(world), options_(options), rng_(options.seed), width_m_(world.gripper_width_m()) {
  hold();
}

Result<std::unique_ptr<RosbridgeFarEnd>> RosbridgeFarEnd::create(
    WireWorld& world, const RosbridgeFarEndOptions& options) {
  std::unique_ptr<RosbridgeFarEnd> made(new RosbridgeFarEnd(world, options));
  auto listener = drivers::TextListener::create(
      options.port, [end = made.get()](std::unique_ptr<drivers::TextSocket> client) {
        const std::scoped_lock lock(end->arriving_mutex_);
        end->arriving_.push_back(std::move(client));
      });
  if (!listener) return listener.error();
  made->listener_ = *std::move(listener);
  return made;
}

drivers::SocketAddress RosbridgeFarEnd::address() const {
  return {.host = "127.0.0.1", .port = std::to_string(listener_->port()), .target = "/"};
}

void RosbridgeFarEnd::settle() {
  if (!traffic_) return;
  using std::chrono::steady_clock;
  const auto patience = steady_clock::now() + std::chrono::milliseconds(500);
  for (int turn = 0; steady_clock::now() < patience; ++turn) {
    meet_clients();
    const drivers::PandaArm::Traffic driver = traffic_();
    if (!driver.open) return;
    if (client_ && client_->is_open() && client_->sent() == driver.arrived &&
        client_->arrived() == driver.sent) {
      return;
    }
    if (turn < 20)
      std::this_thread::yield();
    else
      std::this_thread::sleep_for(std::chrono::microseconds(20));
  }
}

void RosbridgeFarEnd::meet_clients() {
  const std::scoped_lock lock(arriving_mutex_);
  if (arriving_.empty()) return;
  client_ = std::move(arriving_.back());
  arriving_.clear();
  subscribed_.clear();
  held_.clear();
}

void RosbridgeFarEnd::advance(double seconds) {
  settle();
  meet_clients();
  if (client_) {
    for (const std::string& text : client_->receive()) hear(text);
  }
  const double step_s = world_.step_s();
  for (double left = seconds; left > step_s / 2; left -= step_s) move_on(step_s);
  late_s_ = std::max(0.0, late_s_ - seconds);
  if (late_s_ == 0) {
    for (std::string& text : std::exchange(held_, {})) send(std::move(text));
  }
  settle();
}

void RosbridgeFarEnd::inject(BridgeFault fault, std::uint64_t after, double seconds) {
  fault_ = Pending{.kind = fault, .after = after, .seconds = seconds};
}

void RosbridgeFarEnd::clear_faults() {
  fault_.reset();
  late_s_ = silent_s_ = 0;
}

bool RosbridgeFarEnd::befalls(BridgeFault kind) {
  if (!fault_ || fault_->kind != kind) return false;
  if (fault_->after > 0) {
    --fault_->after;
    return false;
  }
  return true;
}

void RosbridgeFarEnd::hear(const std::string& text) {
  auto read = parse_client_text(options_.topics, world_.model(), text);
  if (read) return obey(*std::move(read));
  send(json{{"op", "status"}, {"level", "error"}, {"msg", read.error().message}}.dump());
}

void RosbridgeFarEnd::obey(ClientText text) {
  if (!text.subscribed.empty()) subscribed_.insert(text.subscribed);
  if (!text.cancelled.empty()) cancel(text.cancelled);
  if (!text.trajectory && !text.grip) return;
  ++goals_taken_;
  if (befalls(BridgeFault::kLostGoal)) return fault_.reset();
  if (befalls(BridgeFault::kRefusedGoal)) {
    fault_.reset();
    text.refusal = "not now";
  }
  if (text.trajectory) {
    if (text.refusal.empty()) return begin(*std::move(text.trajectory));
    return report_motion(text.goal_id, kRejected, kInvalidGoal, text.refusal);
  }
  if (!text.refusal.empty()) return report_grip(*text.grip, kRejected, false, text.refusal);
  if (grip_) report_grip(*grip_, kPreempted, false, "another goal came");
  grip_ = text.grip;
  grip_s_ = still_s_ = 0;
  width_m_ = last_width_m_ = world_.gripper_width_m();
}

void RosbridgeFarEnd::begin(TrajectoryGoal goal) {
  if (goal_) report_motion(goal_->goal.id, kPreempted, 0, "another goal came");
  if ((goal.points.front().state.q_rad - target_rad_).cwiseAbs().maxCoeff() > 0.3) {
    return report_motion(goal.id, kRejected, kInvalidGoal, "it does not begin at the arm");
  }
  goal_ = Running{.goal = std::move(goal), .from_rad = target_rad_, .time_s = 0, .abort_s = {}};
  if (befalls(BridgeFault::kAbortedGoal)) {
    goal_->abort_s = std::min(fault_->seconds, 0.9 * goal_->goal.points.back().time_s);
    fault_.reset();
  }
  feedback_due_s_ = time_s_;
}

void RosbridgeFarEnd::cancel(const std::string& action) {
  if (action == options_.topics.trajectory && goal_) {
    report_motion(goal_->goal.id, kPreempted, 0, "cancelled");
    goal_.reset();
  }
  if (action != options_.topics.trajectory && grip_ &&
      grip_->grasp == (action == options_.topics.grasp)) {
    report_grip(*grip_, kPreempted, false, "cancelled");
    grip_.reset();
  }
}

void RosbridgeFarEnd::hold() {
  target_rad_ = arm::clamped(world_.model(), world_.joints_rad());
  target_v_rad_s_ = JointVector::Zero(target_rad_.size());
}

void RosbridgeFarEnd::move_on(double seconds) {
  time_s_ += seconds;
  run_motion(seconds);
  run_grip(seconds);
  world_.command(target_rad_, target_v_rad_s_);
  world_.step();
  silent_s_ = std::max(0.0, silent_s_ - seconds);
  if (befalls(BridgeFault::kSilentJoints)) {
    silent_s_ = fault_->seconds;
    fault_.reset();
  }
  if (time_s_ < joints_due_s_) return;
  joints_due_s_ = time_s_ + kJointsEveryS - seconds / 2;
  if (silent_s_ == 0) report_joints();
}

void RosbridgeFarEnd::run_motion(double seconds) {
  if (!goal_) {
    // A cancelled motion ends as fast as the joints allow.
    for (int i = 0; i < static_cast<int>(target_v_rad_s_.size()); ++i) {
      const double most =
          world_.model().joints[static_cast<std::size_t>(i)].acceleration_rad_s2 * seconds;
      target_v_rad_s_[i] -= std::clamp(target_v_rad_s_[i], -most, most);
    }
    target_rad_ = arm::clamped(world_.model(), target_rad_ + seconds * target_v_rad_s_);
    return;
  }
  goal_->time_s += seconds;
  const arm::JointState state = goal_at(goal_->goal, goal_->from_rad, goal_->time_s);
  target_rad_ = state.q_rad;
  target_v_rad_s_ = state.v_rad_s;
  if (time_s_ >= feedback_due_s_) {
    feedback_due_s_ = time_s_ + kFeedbackEveryS;
    say(options_.topics.trajectory + "/feedback",
        published(options_.topics.trajectory + "/feedback",
                  {{"status", status(goal_->goal.id, 1, "")}, {"feedback", json::object()}}));
  }
  if (goal_->abort_s && goal_->time_s >= *goal_->abort_s) {
    report_motion(goal_->goal.id, kAborted, kPathViolated, "a joint left the path");
    goal_.reset();
    return;
  }
  // The controller waits for the joints, not for the clock alone.
  const double end_s = goal_->goal.points.back().time_s;
  const double off = (world_.joints_rad() - target_rad_).cwiseAbs().maxCoeff();
  if (goal_->time_s < end_s || (off > 0.002 && goal_->time_s < end_s + 0.5)) return;
  report_motion(goal_->goal.id, kSucceeded, 0, "");
  goal_.reset();
}

void RosbridgeFarEnd::run_grip(double seconds) {
  if (!grip_) return;
  grip_s_ += seconds;
  const double step_m = grip_->speed_m_s * seconds;
  width_m_ += std::clamp(grip_->width_m - width_m_, -step_m, step_m);
  world_.command_gripper(width_m_, grip_->force_n);
  const double width_m = world_.gripper_width_m();
  still_s_ = std::abs(width_m - last_width_m_) < 2e-6 ? still_s_ + seconds : 0;
  last_width_m_ = width_m;
  const bool there = std::abs(width_m - grip_->width_m) < 0.0005;
  if (width_m_ != grip_->width_m || !(there || still_s_ > 0.06 || grip_s_ > 3)) return;
  const GripGoalRead done = *std::exchange(grip_, std::nullopt);
  if (there || done.grasp) return report_grip(done, kSucceeded, true, "");
  report_grip(done, kAborted, false, "something is between the fingers");
}

void RosbridgeFarEnd::report_joints() {
  json names = json::array();
  json positions = json::array();
  json velocities = json::array();
  const JointVector q = world_.joints_rad();
  const JointVector v = world_.velocities_rad_s();
  for (int i = 0; i < static_cast<int>(q.size()); ++i) {
    names.push_back(drivers::panda_joint_name(i));
    positions.push_back(q[i]);
    velocities.push_back(v[i]);
  }
  for (const char* finger : {drivers::kLeftFinger, drivers::kRightFinger}) {
    names.push_back(finger);
    positions.push_back(world_.gripper_width_m() / 2);
    velocities.push_back(0.0);
  }
  say(options_.topics.joint_states,
      published(options_.topics.joint_states, {{"header", json::object()},
                                               {"name", std::move(names)},
                                               {"position", std::move(positions)},
                                               {"velocity", std::move(velocities)},
                                               {"effort", json::array()}}));
}

void RosbridgeFarEnd::report_motion(const std::string& goal_id, int code, int error,
                                    const std::string& words) {
  const std::string topic = options_.topics.trajectory + "/result";
  say(topic, published(topic, {{"status", status(goal_id, code, words)},
                               {"result", {{"error_code", error}, {"error_string", words}}}}));
}

void RosbridgeFarEnd::report_grip(const GripGoalRead& goal, int code, bool success,
                                  const std::string& words) {
  const std::string topic = (goal.grasp ? options_.topics.grasp : options_.topics.move) + "/result";
  say(topic, published(topic, {{"status", status(goal.id, code, words)},
                               {"result", {{"success", success}, {"error", words}}}}));
}

void RosbridgeFarEnd::say(const std::string& topic, std::string text) {
  if (!subscribed_.contains(topic)) return;
  if (late_s_ > 0) return held_.push_back(std::move(text));
  send(std::move(text));
}

void RosbridgeFarEnd::send(std::string text) {
  if (!client_) return;
  if (befalls(BridgeFault::kLostText)) return fault_.reset();
  if (befalls(BridgeFault::kDoubledText)) {
    fault_.reset();
    client_->send(text);
  } else if (befalls(BridgeFault::kBrokenText)) {
    fault_.reset();
    for (int k = 0; k < 3; ++k) {
      text[rng_.below(static_cast<std::uint32_t>(text.size()))] =
          static_cast<char>(' ' + rng_.below(95));
    }
  } else if (befalls(BridgeFault::kLateTexts)) {
    late_s_ = fault_->seconds;
    fault_.reset();
    return held_.push_back(std::move(text));
  } else if (befalls(BridgeFault::kBrokenFrame)) {
    fault_.reset();
    client_->send_raw("\xff\xff\xff\xff nonsense");
    return;
  } else if (befalls(BridgeFault::kClosed)) {
    fault_.reset();
    client_->close();
    return;
  }
  client_->send(std::move(text));
}

}  // namespace rowbot::farend
