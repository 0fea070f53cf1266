// rowbot arm: the three robots, from joint angles to moves. Each subcommand prints a table, or with
// --json one object for programs.
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "arm_cell.h"
#include "arm_drivers.h"
#include "commands.h"
#include "fmt/format.h"
#include "json.h"
#include "robot/arm/angles.h"
#include "robot/arm/arm_model.h"
#include "robot/arm/forward.h"
#include "robot/arm/inverse.h"
#include "trials/round_trip.h"

namespace rowbot::app {
namespace {

using arm::ArmModel;
using arm::JointVector;
using arm::Pose;
const ArmModel& robot_named(const std::string& name) {
  return *usage_value(arm::model_by_name(name));
}

std::vector<double> in_degrees(const JointVector& q_rad) {
  std::vector<double> q_deg;
  for (const double q : q_rad) q_deg.push_back(arm::degrees(q));
  return q_deg;
}

JointVector joints_from_degrees(const ArmModel& model, const std::vector<double>& q_deg) {
  if (static_cast<int>(q_deg.size()) != arm::joint_count(model)) {
    fail_usage(Error{fmt::format("{} has {} joints, but {} angles are given", model.name,
                                 arm::joint_count(model), q_deg.size())});
  }
  JointVector q_rad(arm::joint_count(model));
  for (int i = 0; i < arm::joint_count(model); ++i) {
    q_rad[i] = arm::radians(q_deg[static_cast<std::size_t>(i)]);
  }
  return q_rad;
}

/// Roll, pitch and yaw in degrees: turns about the base's x, then y, then z axis.
std::vector<double> roll_pitch_yaw_deg(const Eigen::Matrix3d& R) {
  const double pitch = std::atan2(-R(2, 0), std::hypot(R(0, 0), R(1, 0)));
  return {arm::degrees(std::atan2(R(2, 1), R(2, 2))), arm::degrees(pitch),
          arm::degrees(std::atan2(R(1, 0), R(0, 0)))};
}

Eigen::Matrix3d rotation_from_deg(const std::vector<double>& roll_pitch_yaw) {
  using Eigen::AngleAxisd;
  using Eigen::Vector3d;
  return (AngleAxisd(arm::radians(roll_pitch_yaw[2]), Vector3d::UnitZ()) *
          AngleAxisd(arm::radians(roll_pitch_yaw[1]), Vector3d::UnitY()) *
          AngleAxisd(arm::radians(roll_pitch_yaw[0]), Vector3d::UnitX()))
      .toRotationMatrix();
}

Json pose_json(const Pose& X) {
  const Eigen::Vector3d p = X.translation();
  return {{"position_m", {p.x(), p.y(), p.z()}},
          {"roll_pitch_yaw_deg", roll_pitch_yaw_deg(X.linear())}};
}

void print_pose(const Pose& X) {
  const Eigen::Vector3d p = X.translation();
  const auto rpy = roll_pitch_yaw_deg(X.linear());
  fmt::print("position   x {:8.4f}   y {:8.4f}   z {:8.4f} m\n", p.x(), p.y(), p.z());
  fmt::print("turned  roll {:8.2f} pitch {:8.2f} yaw {:8.2f} degrees\n", rpy[0], rpy[1], rpy[2]);
}

void print_models(bool as_json) {
  auto list = Json::array();
  for (const ArmModel* model : arm::all_models()) {
    auto joints = Json::array();
    for (const arm::JointLimits& joint : model->joints) {
      joints.push_back({{"name", joint.name},
                        {"min_deg", arm::degrees(joint.min_rad)},
                        {"max_deg", arm::degrees(joint.max_rad)},
                        {"velocity_deg_s", arm::degrees(joint.velocity_rad_s)},
                        {"acceleration_deg_s2", arm::degrees(joint.acceleration_rad_s2)}});
    }
    list.push_back({{"name", model->name},
                    {"title", model->title},
                    {"joints", joints},
                    {"gripper_width_m", model->gripper.max_width_m}});
  }
  if (as_json) {
    fmt::print("{}\n", list.dump(2));
    return;
  }
  for (const ArmModel* model : arm::all_models()) {
    fmt::print("{}\n    {}\n", model->name, model->title);
    fmt::print("    {:<15}{:>16}{:>10}{:>12}\n", "joint", "range, degrees", "deg/s", "deg/s2");
    for (const arm::JointLimits& joint : model->joints) {
      const std::string range =
          fmt::format("{:.0f} .. {:.0f}", arm::degrees(joint.min_rad), arm::degrees(joint.max_rad));
      fmt::print("    {:<15}{:>16}{:>10.0f}{:>12.0f}\n", joint.name, range,
                 arm::degrees(joint.velocity_rad_s), arm::degrees(joint.acceleration_rad_s2));
    }
    fmt::print("    gripper opens {:.0f} mm\n\n", 1000 * model->gripper.max_width_m);
  }
}

struct CommonOptions {
  std::string robot = "panda";
  bool json = false;
};

void add_common(CLI::App* command, CommonOptions& options) {
  command->add_option("--robot", options.robot, "eezybot, roboarm or panda")->capture_default_str();
  command->add_flag("--json", options.json, "Print one JSON object");
}

void add_models(CLI::App* arm_command) {
  CLI::App* command = arm_command->add_subcommand("models", "List the robots with their limits");
  auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "Print an array of objects");
  command->callback([json] { print_models(*json); });
}

void add_fk(CLI::App* arm_command) {
  struct Options : CommonOptions {
    std::vector<double> joints_deg;
  };
  CLI::App* command =
      arm_command->add_subcommand("fk", "Where the hand is, for joint angles in degrees");
  auto options = std::make_shared<Options>();
  add_common(command, *options);
  command->add_option("joints", options->joints_deg, "One angle per joint, in degrees")->required();
  command->callback([options] {
    const ArmModel& model = robot_named(options->robot);
    const JointVector q = joints_from_degrees(model, options->joints_deg);
    const Pose X = arm::forward(model, q);
    const auto violation = arm::limit_violation(model, q);
    if (options->json) {
      Json answer = pose_json(X);
      answer["within_limits"] = !violation.has_value();
      fmt::print("{}\n", answer.dump());
    } else {
      print_pose(X);
      if (violation) fmt::print("but {}\n", *violation);
    }
  });
}

void add_ik(CLI::App* arm_command) {
  struct Options : CommonOptions {
    std::vector<double> position_m;
    std::vector<double> roll_pitch_yaw = {180, 0, 0};
  };
  CLI::App* command =
      arm_command->add_subcommand("ik", "Joint angles that bring the hand to a place");
  auto options = std::make_shared<Options>();
  add_common(command, *options);
  command->add_option("position", options->position_m, "x y z in metres, from the base")
      ->expected(3)
      ->required();
  command
      ->add_option("--rpy", options->roll_pitch_yaw,
                   "Roll, pitch and yaw of the hand in degrees; fingers down when not given")
      ->expected(3);
  command->callback([options] {
    const ArmModel& model = robot_named(options->robot);
    Pose X = Pose::Identity();
    X.translation() = Eigen::Map<const Eigen::Vector3d>(options->position_m.data());
    X.linear() = rotation_from_deg(options->roll_pitch_yaw);
    const auto solution = arm::inverse(model, X);
    if (!solution) {
      if (options->json) {
        const arm::Unreachable why = arm::explain_unreachable(model, X);
        const Json answer = {{"reachable", false},
                             {"reason", why.reason},
                             {"nearest", pose_json(why.X_base_nearest)},
                             {"nearest_joints_deg", in_degrees(why.nearest_q_rad)},
                             {"distance_m", why.distance_m}};
        fmt::print("{}\n", answer.dump());
      }
      fail(solution.error());
    }
    const std::vector<double> q_deg = in_degrees(solution->q_rad);
    if (options->json) {
      const Json answer = {
          {"reachable", true},
          {"joints_deg", q_deg},
          {"orientation_error_deg", arm::degrees(solution->orientation_error_rad)}};
      fmt::print("{}\n", answer.dump());
      return;
    }
    for (std::size_t i = 0; i < q_deg.size(); ++i) {
      fmt::print("{:<15}{:10.3f} degrees\n", model.joints[i].name, q_deg[i]);
    }
    if (solution->orientation_error_rad > 1e-6) {
      fmt::print(
          "the hand is turned {:.1f} degrees from what was asked: {} has too few joints for "
          "more\n",
          arm::degrees(solution->orientation_error_rad), model.name);
    }
  });
}

void add_roundtrip(CLI::App* arm_command) {
  struct Options : CommonOptions {
    std::uint64_t count = 100000;
    std::uint64_t seed = 1;
  };
  CLI::App* command = arm_command->add_subcommand(
      "roundtrip", "Prove the kinematics: random joints, forward, inverse, forward again");
  auto options = std::make_shared<Options>();
  add_common(command, *options);
  command->add_option("--count", options->count, "Number of random poses")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1000000000}))
      ->capture_default_str();
  command->add_option("--seed", options->seed, "Seed of the poses")->capture_default_str();
  command->callback([options] {
    const ArmModel& model = robot_named(options->robot);
    const trials::RoundTripReport report = trials::round_trip(model, options->count, options->seed);
    if (options->json) {
      const Json answer = {{"poses", report.poses},
                           {"solved", report.solved},
                           {"max_error_m", report.max_error_m},
                           {"max_error_rad", report.max_error_rad},
                           {"limit_violations", report.limit_violations},
                           {"p50_us", report.p50_us},
                           {"p99_us", report.p99_us}};
      fmt::print("{}\n", answer.dump());
      return;
    }
    fmt::print("{} of {} poses of {} solved, {} out of limits\n", report.solved, report.poses,
               model.name, report.limit_violations);
    fmt::print("largest error {:.2g} m, {:.2g} rad\n", report.max_error_m, report.max_error_rad);
    fmt::print("one inverse takes {:.2f} us (median), {:.2f} us (99 of 100)\n", report.p50_us,
               report.p99_us);
  });
}

}  // namespace

void add_arm_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("arm", "The robot arms: kinematics, moves, simulation");
  command->require_subcommand(1);
  add_models(command);
  add_fk(command);
  add_ik(command);
  add_roundtrip(command);
  add_arm_twin_commands(command);
  add_arm_trial_commands(command);
  add_arm_pwm_command(command);
  add_arm_faults_command(command);
}

}  // namespace rowbot::app
