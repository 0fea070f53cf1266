// What the far end reads: texts of a rosbridge client.
#include <algorithm>
#include <cmath>

#include "base/fields.h"
#include "robot/farend/rosbridge_far_end.h"

namespace rowbot::farend {
namespace {

using arm::JointVector;

/// The values of all joints; none if the list has another length.
JointVector read_joints(Fields& point, const char* key, int joints) {
  const auto values = point.get<std::vector<double>>(key);
  if (static_cast<int>(values.size()) != joints) return {};
  return Eigen::Map<const Eigen::VectorXd>(values.data(), joints);
}

/// The reason why it cannot be taken, or nothing.
std::string read_trajectory(const arm::ArmModel& model, Fields trajectory, TrajectoryGoal& read) {
  const int joints = arm::joint_count(model);
  std::vector<std::string> names;
  for (int i = 0; i < joints; ++i) names.push_back(drivers::panda_joint_name(i));
  if (trajectory.get<std::vector<std::string>>("joint_names") != names) return "other joints";
  double before_s = 0;
  for (Fields& point : trajectory.get<std::vector<Fields>>("points")) {
    arm::JointState state{.q_rad = read_joints(point, "positions", joints),
                          .v_rad_s = read_joints(point, "velocities", joints),
                          .a_rad_s2 = read_joints(point, "accelerations", joints)};
    Fields time = point.section("time_from_start");
    const double time_s = time.get<double>("secs") + time.get<double>("nsecs") * 1e-9;
    if (state.q_rad.size() == 0 || state.v_rad_s.size() == 0 || state.a_rad_s2.size() == 0) {
      return "a point is incomplete";
    }
    if (!(time_s >= before_s && time_s < 3600)) return "time runs backwards";
    before_s = time_s;
    if (const auto broken = arm::limit_violation(model, state.q_rad, 1e-3)) return *broken;
    for (int i = 0; i < joints; ++i) {
      const arm::JointLimits& limits = model.joints[static_cast<std::size_t>(i)];
      if (!(std::abs(state.v_rad_s[i]) <= 1.01 * limits.velocity_rad_s)) return "too fast";
      if (!(std::abs(state.a_rad_s2[i]) <= 1.01 * limits.acceleration_rad_s2)) return "too sudden";
    }
    read.points.push_back({.time_s = time_s, .state = std::move(state)});
  }
  return read.points.empty() ? "no points" : "";
}

void read_grip(const arm::ArmModel& model, Fields goal, GripGoalRead& read) {
  constexpr double kMoving = 1e-9;  // more than nothing
  read.width_m = goal.get<double>("width", {.least = 0, .most = model.gripper.max_width_m});
  read.speed_m_s =
      goal.get<double>("speed", {.least = kMoving, .most = 1.01 * model.gripper.speed_m_s});
  read.force_n = model.gripper.max_force_n / 10;
  if (read.grasp) {
    read.force_n = goal.get<double>("force", {.least = kMoving, .most = model.gripper.max_force_n});
  }
}

}  // namespace

Result<ClientText> parse_client_text(const drivers::RosTopics& topics, const arm::ArmModel& model,
                                     std::string_view text) {
  auto reader = FieldReader::from_json(text, MissingField::kKeepsDefault);
  if (!reader) return reader.error();
  Fields root = reader->top();
  ClientText read;
  const auto op = root.get<std::string>("op");
  const auto topic = root.get<std::string>("topic");
  if (reader->error()) return *reader->error();
  if (op == "subscribe") read.subscribed = topic;
  if (op != "publish") return read;
  for (const std::string& action : {topics.trajectory, topics.move, topics.grasp}) {
    if (topic == action + "/cancel") read.cancelled = action;
  }
  Fields message = root.section("msg");
  message.section("goal_id")("id", read.goal_id);
  Fields goal = message.section("goal");
  if (topic == topics.trajectory + "/goal") {
    TrajectoryGoal& wanted = read.trajectory.emplace();
    wanted.id = read.goal_id;
    read.refusal = read_trajectory(model, goal.section("trajectory"), wanted);
  } else if (topic == topics.move + "/goal" || topic == topics.grasp + "/goal") {
    GripGoalRead& wanted = read.grip.emplace();
    wanted = {.id = read.goal_id, .grasp = topic == topics.grasp + "/goal"};
    read_grip(model, goal, wanted);
  }
  if (read.refusal.empty() && reader->error()) read.refusal = reader->error()->message;
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
