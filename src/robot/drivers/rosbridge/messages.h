// The JSON of rosbridge (protocol 2) with the messages of ROS 1: actions as topics (goal, cancel,
// feedback, result), joint states, and the error codes of control_msgs and actionlib in words.
// Thread safety: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "robot/arm/trajectory.h"
#include "robot/cell/arm_driver.h"

namespace rowbot::drivers {

struct RosTopics {
  std::string trajectory = "/position_joint_trajectory_controller/follow_joint_trajectory";
  std::string move = "/franka_gripper/move";
  std::string grasp = "/franka_gripper/grasp";
  std::string joint_states = "/joint_states";
};

/// panda_joint1 ... panda_joint7; the fingers are panda_finger_joint1 and 2.
[[nodiscard]] std::string panda_joint_name(int joint);
inline constexpr const char* kLeftFinger = "panda_finger_joint1";
inline constexpr const char* kRightFinger = "panda_finger_joint2";

// What goes out.
[[nodiscard]] std::vector<std::string> greeting(const RosTopics& topics);
[[nodiscard]] std::string trajectory_goal(const RosTopics& topics, const std::string& goal_id,
                                          const arm::Trajectory& motion, double sample_s);
struct GripGoal {
  double width_m = 0;
  double speed_m_s = 0;
  double force_n = 0;      // grasp only
  double tolerance_m = 0;  // grasp only: a piece of any width up to this is held
};
[[nodiscard]] std::string move_goal(const RosTopics& topics, const std::string& goal_id,
                                    const GripGoal& goal);
[[nodiscard]] std::string grasp_goal(const RosTopics& topics, const std::string& goal_id,
                                     const GripGoal& goal);
/// Ends every goal of an action, whoever sent it.
[[nodiscard]] std::string cancel_all(const std::string& action);

// What comes in.
struct GoalStatus {
  std::string goal_id;
  int code = 0;  // actionlib_msgs/GoalStatus
  std::string text;
};
struct JointStates {
  std::vector<std::string> names;
  std::vector<double> positions;
  std::vector<double> velocities;  // as many, or none
};
struct MotionFeedback {
  std::string goal_id;
};
struct MotionResult {
  GoalStatus status;
  int error_code = 0;  // control_msgs/FollowJointTrajectoryResult
  std::string error_text;
};
struct GripResult {
  GoalStatus status;
  bool success = false;
  std::string error_text;
};
struct BridgeNote {  // rosbridge itself complains
  std::string level;
  std::string text;
};
struct Unrelated {};
using RosMessage =
    std::variant<JointStates, MotionFeedback, MotionResult, GripResult, BridgeNote, Unrelated>;

[[nodiscard]] Result<RosMessage> parse_ros_message(const RosTopics& topics, std::string_view text);

/// Nothing when the goal succeeded.
[[nodiscard]] std::optional<std::string> failure_words(const MotionResult& result);
[[nodiscard]] std::optional<std::string> failure_words(const GripResult& result);

}  // namespace rowbot::drivers
