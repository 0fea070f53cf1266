#include "robot/drivers/rosbridge/messages.h"

#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/text.h"

namespace rowbot::drivers {
namespace {

using nlohmann::json;

constexpr int kSucceeded = 3;

json stamp(double seconds) {
  const double whole = std::floor(seconds);
  return {{"secs", static_cast<std::int64_t>(whole)},
          {"nsecs", static_cast<std::int64_t>((seconds - whole) * 1e9)}};
}

json header() { return {{"seq", 0}, {"stamp", stamp(0)}, {"frame_id", ""}}; }

std::string publish(const std::string& topic, json message) {
  return json{{"op", "publish"}, {"topic", topic}, {"msg", std::move(message)}}.dump();
}

std::string goal_message(const std::string& action, const std::string& goal_id, json goal) {
  return publish(action + "/goal", {{"header", header()},
                                    {"goal_id", {{"stamp", stamp(0)}, {"id", goal_id}}},
                                    {"goal", std::move(goal)}});
}

json list_of(const arm::JointVector& values) {
  json list = json::array();
  for (const double value : values) list.push_back(value);
  return list;
}

/// Reads what is there and remembers what was missing.
class Reader {
 public:
  [[nodiscard]] const json& at(const json& object, const char* key) {
    static const json kNothing;
    if (const auto found = object.is_object() ? object.find(key) : object.end();
        object.is_object() && found != object.end()) {
      return *found;
    }
    missing(key);
    return kNothing;
  }
  std::string text(const json& object, const char* key) {
    const json& value = at(object, key);
    if (value.is_string()) return value.get<std::string>();
    missing(key);
    return "";
  }
  int integer(const json& object, const char* key) {
    const json& value = at(object, key);
    if (value.is_number_integer()) {
      const auto wide = value.get<std::int64_t>();
      if (wide >= -1000000 && wide <= 1000000) return static_cast<int>(wide);
    }
    missing(key);
    return 0;
  }
  std::vector<double> numbers(const json& object, const char* key) {
    std::vector<double> values;
    const json& list = at(object, key);
    if (!list.is_array()) missing(key);
    for (const json& item : list) {
      if (!item.is_number()) {
        missing(key);
        return {};
      }
      values.push_back(item.get<double>());
    }
    return values;
  }
  GoalStatus status(const json& message) {
    const json& status = at(message, "status");
    return {.goal_id = text(at(status, "goal_id"), "id"),
            .code = integer(status, "status"),
            .text = text(status, "text")};
  }
  template <class Message>
  Result<RosMessage> finish(std::string_view topic, Message message) const {
    if (missing_.empty()) return RosMessage(std::move(message));
    return Error{fmt::format("a message on {} has no proper \"{}\"", topic, missing_)};
  }

 private:
  void missing(const char* key) {
    if (missing_.empty()) missing_ = key;
  }
  std::string missing_;
};

Result<RosMessage> read_joint_states(const std::string& topic, const json& message) {
  Reader reader;
  JointStates states;
  for (const json& name : reader.at(message, "name")) {
    states.names.push_back(name.is_string() ? name.get<std::string>() : "");
  }
  states.positions = reader.numbers(message, "position");
  states.velocities = reader.numbers(message, "velocity");
  if (states.positions.size() != states.names.size() ||
      (!states.velocities.empty() && states.velocities.size() != states.names.size())) {
    return Error{fmt::format("a message on {} names {} joints and gives {} positions", topic,
                             states.names.size(), states.positions.size())};
  }
  return reader.finish(topic, std::move(states));
}

Result<RosMessage> read_motion_result(const std::string& topic, const json& message) {
  Reader reader;
  MotionResult result{.status = reader.status(message)};
  const json& inner = reader.at(message, "result");
  result.error_code = reader.integer(inner, "error_code");
  result.error_text = reader.text(inner, "error_string");
  return reader.finish(topic, std::move(result));
}

Result<RosMessage> read_grip_result(const std::string& topic, const json& message) {
  Reader reader;
  GripResult result{.status = reader.status(message)};
  const json& inner = reader.at(message, "result");
  const json& success = reader.at(inner, "success");
  result.success = success.is_boolean() && success.get<bool>();
  result.error_text = reader.text(inner, "error");
  return reader.finish(topic, std::move(result));
}

std::string status_words(int code) {
  switch (code) {
    case 2:
      return "was cancelled";
    case 4:
      return "was aborted";
    case 5:
      return "was refused";
    case 8:
      return "was recalled before it began";
    case 9:
      return "was lost";
    default:
      return fmt::format("ended with status {}", code);
  }
}

std::string error_words(int code) {
  switch (code) {
    case 0:
      return "";
    case -1:
      return "the controller takes it for invalid; see that it is this arm's";
    case -2:
      return "the controller has other joints; check the arm's name and its controller";
    case -3:
      return "its time had passed when it arrived; compare the clocks of the machines";
    case -4:
      return "a joint left the path; look for something in its way, or a wrong payload";
    case -5:
      return "the arm did not come to its goal in time; look for something in its way";
    default:
      return fmt::format("error code {}", code);
  }
}

std::string with(std::string words, const char* between, const std::string& more) {
  return more.empty() ? std::move(words) : words + between + more;
}

}  // namespace

std::string panda_joint_name(int joint) { return fmt::format("panda_joint{}", joint + 1); }

std::vector<std::string> greeting(const RosTopics& topics) {
  std::vector<std::string> texts;
  const auto advertise = [&](const std::string& topic, const char* type) {
    texts.push_back(json{{"op", "advertise"}, {"topic", topic}, {"type", type}}.dump());
  };
  const auto subscribe = [&](const std::string& topic, const char* type, int every_ms) {
    texts.push_back(json{
        {"op", "subscribe"},
        {"topic", topic},
        {"type", type},
        {"throttle_rate", every_ms},
        {"queue_length",
         0}}.dump());
  };
  const auto action = [&](const std::string& name, const std::string& type) {
    advertise(name + "/goal", (type + "ActionGoal").c_str());
    advertise(name + "/cancel", "actionlib_msgs/GoalID");
    subscribe(name + "/result", (type + "ActionResult").c_str(), 0);
  };
  action(topics.trajectory, "control_msgs/FollowJointTrajectory");
  subscribe(topics.trajectory + "/feedback", "control_msgs/FollowJointTrajectoryActionFeedback",
            50);
  action(topics.move, "franka_gripper/Move");
  action(topics.grasp, "franka_gripper/Grasp");
  subscribe(topics.joint_states, "sensor_msgs/JointState", 20);
  return texts;
}

std::string trajectory_goal(const RosTopics& topics, const std::string& goal_id,
                            const arm::Trajectory& motion, double sample_s) {
  json points = json::array();
  const double end_s = motion.duration_s();
  const int samples = std::max(1, static_cast<int>(std::ceil(end_s / sample_s)));
  for (int k = 1; k <= samples; ++k) {
    const double time_s = end_s * k / samples;
    const arm::JointState state = motion.at(time_s);
    points.push_back({{"positions", list_of(state.q_rad)},
                      {"velocities", list_of(state.v_rad_s)},
                      {"accelerations", list_of(state.a_rad_s2)},
                      {"effort", json::array()},
                      {"time_from_start", stamp(time_s)}});
  }
  json names = json::array();
  for (int i = 0; i < static_cast<int>(motion.start_rad().size()); ++i) {
    names.push_back(panda_joint_name(i));
  }
  return goal_message(
      topics.trajectory, goal_id,
      {{"trajectory",
        {{"header", header()}, {"joint_names", std::move(names)}, {"points", std::move(points)}}},
       {"path_tolerance", json::array()},
       {"goal_tolerance", json::array()},
       {"goal_time_tolerance", stamp(0.5)}});
}

std::string move_goal(const RosTopics& topics, const std::string& goal_id, const GripGoal& goal) {
  return goal_message(topics.move, goal_id, {{"width", goal.width_m}, {"speed", goal.speed_m_s}});
}

std::string grasp_goal(const RosTopics& topics, const std::string& goal_id, const GripGoal& goal) {
  return goal_message(topics.grasp, goal_id,
                      {{"width", goal.width_m},
                       {"epsilon", {{"inner", 0.005}, {"outer", goal.tolerance_m}}},
                       {"speed", goal.speed_m_s},
                       {"force", goal.force_n}});
}

std::string cancel_all(const std::string& action) {
  return publish(action + "/cancel", {{"stamp", stamp(0)}, {"id", ""}});
}

Result<RosMessage> parse_ros_message(const RosTopics& topics, std::string_view text) {
  const json root = json::parse(text, nullptr, false);
  if (!root.is_object()) {
    return Error{
        fmt::format("rosbridge sent something that is no JSON object: {}", in_quotes(text))};
  }
  Reader reader;
  const std::string op = reader.text(root, "op");
  if (op == "status") {
    BridgeNote note{.level = reader.text(root, "level"), .text = reader.text(root, "msg")};
    return reader.finish("status", std::move(note));
  }
  if (op != "publish") return reader.finish("the connection", Unrelated{});
  const std::string topic = reader.text(root, "topic");
  const json& message = reader.at(root, "msg");
  if (topic == topics.joint_states) return read_joint_states(topic, message);
  if (topic == topics.trajectory + "/result") return read_motion_result(topic, message);
  if (topic == topics.move + "/result" || topic == topics.grasp + "/result") {
    return read_grip_result(topic, message);
  }
  if (topic == topics.trajectory + "/feedback") {
    MotionFeedback feedback{.goal_id = reader.status(message).goal_id};
    return reader.finish(topic, std::move(feedback));
  }
  return reader.finish("the connection", Unrelated{});
}

std::optional<std::string> failure_words(const MotionResult& result) {
  if (result.status.code == kSucceeded && result.error_code == 0) return std::nullopt;
  std::string words = "the motion " + status_words(result.status.code);
  if (result.status.code == kSucceeded) words = "the motion ended with an error";
  words = with(std::move(words), ": ", error_words(result.error_code));
  return with(std::move(words), ". The controller says: ",
              result.error_text.empty() ? result.status.text : result.error_text);
}

std::optional<std::string> failure_words(const GripResult& result) {
  if (result.status.code == kSucceeded && result.success) return std::nullopt;
  const std::string words = result.status.code == kSucceeded
                                ? "the gripper did not do it"
                                : "the grip " + status_words(result.status.code);
  return with(words, ". The gripper says: ",
              result.error_text.empty() ? result.status.text : result.error_text);
}

}  // namespace rowbot::drivers
