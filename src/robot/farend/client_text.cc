// What the far end reads: texts of a rosbridge client.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "robot/farend/rosbridge_far_end.h"

namespace rowbot::farend {
namespace {

using arm::JointVector;
using nlohmann::json;

const json& at(const json& object, const char* key) {
  static const json kNothing;
  if (!object.is_object()) return kNothing;
  const auto found = object.find(key);
  return found == object.end() ? kNothing : *found;
}

std::string text_at(const json& object, const char* key) {
  const json& value = at(object, key);
  return value.is_string() ? value.get<std::string>() : std::string();
}

std::optional<double> number_at(const json& object, const char* key) {
  const json& value = at(object, key);
  if (!value.is_number()) return std::nullopt;
  return value.get<double>();
}

std::optional<JointVector> joints_at(const json& object, const char* key, int count) {
  const json& list = at(object, key);
  if (!list.is_array() || static_cast<int>(list.size()) != count) return std::nullopt;
  JointVector values(count);
  for (int i = 0; i < count; ++i) {
    const json& value = list[static_cast<std::size_t>(i)];
    if (!value.is_number()) return std::nullopt;
    values[i] = value.get<double>();
  }
  return values;
}

/// The reason why it cannot be taken, or nothing.
std::string read_trajectory(const arm::ArmModel& model, const json& goal, TrajectoryGoal& read) {
  const int joints = arm::joint_count(model);
  const json& trajectory = at(goal, "trajectory");
  const json& names = at(trajectory, "joint_names");
  if (!names.is_array() || static_cast<int>(names.size()) != joints) return "other joints";
  for (int i = 0; i < joints; ++i) {
    if (names[static_cast<std::size_t>(i)] != drivers::panda_joint_name(i)) return "other joints";
  }
  const json& points = at(trajectory, "points");
  if (!points.is_array() || points.empty()) return "no points";
  double before_s = 0;
  for (const json& point : points) {
    const auto q = joints_at(point, "positions", joints);
    const auto v = joints_at(point, "velocities", joints);
    const auto a = joints_at(point, "accelerations", joints);
    const json& time = at(point, "time_from_start");
    const auto secs = number_at(time, "secs");
    const auto nsecs = number_at(time, "nsecs");
    if (!q || !v || !a || !secs || !nsecs) return "a point is incomplete";
    const double time_s = *secs + *nsecs * 1e-9;
    if (!(time_s >= before_s && time_s < 3600)) return "time runs backwards";
    before_s = time_s;
    if (const auto broken = arm::limit_violation(model, *q, 1e-3)) return *broken;
    for (int i = 0; i < joints; ++i) {
      const arm::JointLimits& limits = model.joints[static_cast<std::size_t>(i)];
      if (!(std::abs((*v)[i]) <= 1.01 * limits.velocity_rad_s)) return "too fast";
      if (!(std::abs((*a)[i]) <= 1.01 * limits.acceleration_rad_s2)) return "too sudden";
    }
    read.points.push_back(
        {.time_s = time_s, .state = {.q_rad = *q, .v_rad_s = *v, .a_rad_s2 = *a}});
  }
  return "";
}

std::string read_grip(const arm::ArmModel& model, const json& goal, GripGoalRead& read) {
  const auto width = number_at(goal, "width");
  const auto speed = number_at(goal, "speed");
  const auto force = number_at(goal, "force");
  if (!width || !(*width >= 0 && *width <= model.gripper.max_width_m)) return "no such width";
  if (!speed || !(*speed > 0 && *speed <= 1.01 * model.gripper.speed_m_s)) return "no such speed";
  if (read.grasp && (!force || !(*force > 0 && *force <= model.gripper.max_force_n))) {
    return "no such force";
  }
  read.width_m = *width;
  read.speed_m_s = *speed;
  read.force_n = force.value_or(model.gripper.max_force_n / 10);
  return "";
}

}  // namespace

Result<ClientText> parse_client_text(const drivers::RosTopics& topics, const arm::ArmModel& model,
                                     std::string_view text) {
  const json root = json::parse(text, nullptr, false);
  if (!root.is_object()) return Error{fmt::format("no JSON object: {}", in_quotes(text))};
  ClientText read;
  const std::string op = text_at(root, "op");
  const std::string topic = text_at(root, "topic");
  if (op.empty() || topic.empty()) return Error{"a message without op or topic"};
  if (op == "subscribe") read.subscribed = topic;
  if (op != "publish") return read;
  const json& message = at(root, "msg");
  for (const std::string& action : {topics.trajectory, topics.move, topics.grasp}) {
    if (topic == action + "/cancel") read.cancelled = action;
  }
  read.goal_id = text_at(at(message, "goal_id"), "id");
  const json& goal = at(message, "goal");
  if (topic == topics.trajectory + "/goal") {
    TrajectoryGoal wanted{.id = read.goal_id, .points = {}};
    read.refusal = read_trajectory(model, goal, wanted);
    read.trajectory = std::move(wanted);
  } else if (topic == topics.move + "/goal" || topic == topics.grasp + "/goal") {
    GripGoalRead wanted{.id = read.goal_id, .grasp = topic == topics.grasp + "/goal"};
    read.refusal = read_grip(model, goal, wanted);
    read.grip = std::move(wanted);
  }
  return read;
}

arm::JointState goal_at(const TrajectoryGoal& goal, const JointVector& from_rad, double time_s) {
  const JointVector rest = JointVector::Zero(from_rad.size());
  const auto after = std::upper_bound(
      goal.points.begin(), goal.points.end(), time_s,
      [](double t, const TrajectoryGoal::Point& point) { return t < point.time_s; });
  if (after == goal.points.end()) {
    return {.q_rad = goal.points.back().state.q_rad, .v_rad_s = rest, .a_rad_s2 = rest};
  }
  const TrajectoryGoal::Point start{
      .time_s = 0, .state = {.q_rad = from_rad, .v_rad_s = rest, .a_rad_s2 = rest}};
  const TrajectoryGoal::Point& a = after == goal.points.begin() ? start : *(after - 1);
  const TrajectoryGoal::Point& b = *after;
  const double T = b.time_s - a.time_s;
  const double t = time_s - a.time_s;
  const JointVector d =
      b.state.q_rad - a.state.q_rad - T * a.state.v_rad_s - 0.5 * T * T * a.state.a_rad_s2;
  const JointVector dv = b.state.v_rad_s - a.state.v_rad_s - T * a.state.a_rad_s2;
  const JointVector da = b.state.a_rad_s2 - a.state.a_rad_s2;
  const JointVector c3 = (10 * d - 4 * T * dv + 0.5 * T * T * da) / std::pow(T, 3);
  const JointVector c4 = (-15 * d + 7 * T * dv - T * T * da) / std::pow(T, 4);
  const JointVector c5 = (6 * d - 3 * T * dv + 0.5 * T * T * da) / std::pow(T, 5);
  arm::JointState state;
  state.q_rad = a.state.q_rad + t * a.state.v_rad_s + 0.5 * t * t * a.state.a_rad_s2 +
                std::pow(t, 3) * c3 + std::pow(t, 4) * c4 + std::pow(t, 5) * c5;
  state.v_rad_s = a.state.v_rad_s + t * a.state.a_rad_s2 + 3 * t * t * c3 +
                  4 * std::pow(t, 3) * c4 + 5 * std::pow(t, 4) * c5;
  state.a_rad_s2 = a.state.a_rad_s2 + 6 * t * c3 + 12 * t * t * c4 + 20 * std::pow(t, 3) * c5;
  return state;
}

}  // namespace rowbot::farend
