#include "robot/drivers/rosbridge/messages.h"

#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/fields.h"
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

GoalStatus read_status(Fields& message) {
  Fields status = message.section("status");
  return {.goal_id = status.section("goal_id").get<std::string>("id"),
          .code = status.get<int>("status"),
          .text = status.get<std::string>("text")};
}

Result<RosMessage> read_joint_states(Fields& message) {
  JointStates states{.names = message.get<std::vector<std::string>>("name"),
                     .positions = message.get<std::vector<double>>("position"),
                     .velocities = message.get<std::vector<double>>("velocity")};
  if (states.positions.size() != states.names.size() ||
      (!states.velocities.empty() && states.velocities.size() != states.names.size())) {
    return Error{fmt::format("it names {} joints and gives {} positions", states.names.size(),
                             states.positions.size())};
  }
  return RosMessage(std::move(states));
}

Result<RosMessage> read_published(const RosTopics& topics, const std::string& topic,
                                  Fields message) {
  if (topic == topics.joint_states) return read_joint_states(message);
  if (topic == topics.trajectory + "/result") {
    Fields result = message.section("result");
    return RosMessage(MotionResult{.status = read_status(message),
                                   .error_code = result.get<int>("error_code"),
                                   .error_text = result.get<std::string>("error_string")});
  }
  if (topic == topics.move + "/result" || topic == topics.grasp + "/result") {
    Fields result = message.section("result");
    return RosMessage(GripResult{.status = read_status(message),
                                 .success = result.get<bool>("success"),
                                 .error_text = result.get<std::string>("error")});
  }
  if (topic == topics.trajectory + "/feedback") {
    return RosMessage(MotionFeedback{.goal_id = read_status(message).goal_id});
  }
  return RosMessage(Unrelated{});
}

Result<RosMessage> read_message(const RosTopics& topics, Fields root) {
  const auto op = root.get<std::string>("op");
  if (op == "status") {
    return RosMessage(
        BridgeNote{.level = root.get<std::string>("level"), .text = root.get<std::string>("msg")});
  }
  if (op != "publish") return RosMessage(Unrelated{});
  return read_published(topics, root.get<std::string>("topic"), root.section("msg"));
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
  auto reader = FieldReader::from_json(text);
  auto message = reader ? read_message(topics, reader->top()) : Result<RosMessage>(reader.error());
  const auto& error = reader && reader->error() ? reader->error() : std::nullopt;
  if (message && !error) return message;
  return Error{fmt::format("rosbridge sent {}: {}", in_quotes(text),
                           error ? error->message : message.error().message)};
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
