#include "robot/drivers/serial/roboarm_program.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <limits>

#include "robot/arm/angles.h"
#include "robot/arm/forward.h"

namespace rowbot::drivers {
namespace {

using arm::JointVector;

constexpr double kRadPerDeg = arm::kPi / 180.0;
constexpr double kDustDeg = 1e-6;

JointVector in_degrees(const JointVector& q_rad) { return q_rad / kRadPerDeg; }

void add_turn(int joint, int degrees, RoboArmProgram& program) {
  if (degrees == 0) return;
  program.end_deg[joint] += degrees;
  const RoboArmVerb verb = turning(joint, degrees > 0);
  auto& orders = program.orders;
  int rest = std::abs(degrees);
  if (!orders.empty() && orders.back().verb == verb) {
    const int more = std::min(rest, kMostDegrees - orders.back().degrees);
    orders.back().degrees += more;
    rest -= more;
  }
  for (; rest > 0; rest -= std::min(rest, kMostDegrees)) {
    orders.push_back({.verb = verb, .degrees = std::min(rest, kMostDegrees)});
  }
}

/// Whole turns from `at_deg`, each up or down, that bring the hand nearest to where the goal has
/// it. Too low is worse than too high: there is the board.
JointVector best_turns_deg(const arm::ArmModel& model, const JointVector& at_deg,
                           const JointVector& goal_deg) {
  constexpr double kLowIsWorse = 3;
  const Eigen::Vector3d wanted_m = arm::forward(model, goal_deg * kRadPerDeg).translation();
  JointVector best = at_deg;
  double least = std::numeric_limits<double>::infinity();
  for (unsigned choice = 0; choice < 1U << static_cast<unsigned>(kRoboArmJoints); ++choice) {
    JointVector end_deg = at_deg;
    for (int joint = 0; joint < kRoboArmJoints; ++joint) {
      const double by = goal_deg[joint] - at_deg[joint];
      const bool up = (choice >> static_cast<unsigned>(joint) & 1U) != 0;
      end_deg[joint] += up ? std::ceil(by - kDustDeg) : std::floor(by + kDustDeg);
    }
    if (!arm::within_limits(model, end_deg * kRadPerDeg, kDustDeg)) continue;
    Eigen::Vector3d off_m = arm::forward(model, end_deg * kRadPerDeg).translation() - wanted_m;
    if (off_m.z() < 0) off_m.z() *= kLowIsWorse;
    // The angles decide where the hand does not, as with the wrist.
    const double cost = off_m.norm() + 1e-4 * (end_deg - goal_deg).norm();
    if (cost >= least) continue;
    least = cost;
    best = end_deg;
  }
  return best;
}

/// Joints in the order in which to turn them one by one: what lifts the hand comes before what
/// lowers it.
std::array<int, kRoboArmJoints> lifting_first(const arm::ArmModel& model, const JointVector& at_deg,
                                              const JointVector& to_deg) {
  std::array<double, kRoboArmJoints> height_m{};
  std::array<int, kRoboArmJoints> order{};
  for (int joint = 0; joint < kRoboArmJoints; ++joint) {
    JointVector turned_deg = at_deg;
    turned_deg[joint] = to_deg[joint];
    const auto index = static_cast<std::size_t>(joint);
    height_m[index] = arm::forward(model, turned_deg * kRadPerDeg).translation().z();
    order[index] = joint;
  }
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return height_m[static_cast<std::size_t>(a)] > height_m[static_cast<std::size_t>(b)];
  });
  return order;
}

}  // namespace

void add_motion(const arm::ArmModel& model, const RoboArmConfig& config,
                const arm::Trajectory& motion, RoboArmProgram& program) {
  ++program.motions;
  const double reach_deg = in_degrees(motion.end_rad() - motion.start_rad()).cwiseAbs().maxCoeff();
  const int samples = std::max(20, static_cast<int>(std::ceil(20 * reach_deg)));
  const JointVector goal_deg = in_degrees(motion.end_rad());
  const auto turn_towards = [&](int joint, double wanted_deg) {
    // Whole degrees from where the joint is, and never over the end of its range.
    const arm::JointLimits& limits = model.joints[static_cast<std::size_t>(joint)];
    const double at = program.end_deg[joint];
    const double least = std::ceil(arm::degrees(limits.min_rad) - at - 1e-9);
    const double most = std::floor(arm::degrees(limits.max_rad) - at + 1e-9);
    if (least > most) return;
    const double by = std::clamp(std::round(wanted_deg - at), least, most);
    add_turn(joint, static_cast<int>(by), program);
  };
  for (int k = 1; k < samples; ++k) {
    const JointVector wanted_deg = in_degrees(motion.at(motion.duration_s() * k / samples).q_rad);
    for (const int joint : lifting_first(model, program.end_deg, wanted_deg)) {
      const double behind = wanted_deg[joint] - program.end_deg[joint];
      if (std::abs(behind) < config.follow_deg) continue;
      // As far ahead of the path as it was behind, unless the motion ends before: fewer and
      // longer turns.
      const double ahead = wanted_deg[joint] + std::copysign(config.follow_deg - 0.5, behind);
      const bool passes_goal = (goal_deg[joint] - wanted_deg[joint]) * behind > 0 &&
                               std::abs(goal_deg[joint] - wanted_deg[joint]) < config.follow_deg;
      turn_towards(joint, passes_goal ? goal_deg[joint] : ahead);
    }
  }
  const JointVector end_deg = best_turns_deg(model, program.end_deg, goal_deg);
  for (const int joint : lifting_first(model, program.end_deg, end_deg)) {
    turn_towards(joint, end_deg[joint]);
  }
}

void add_hand(bool open, RoboArmProgram& program) {
  program.orders.push_back({.verb = open ? RoboArmVerb::kOpen : RoboArmVerb::kClose});
}

Result<void> check_program(const RoboArmConfig& config, const RoboArmProgram& program) {
  if (static_cast<int>(program.orders.size()) <= config.buffer_orders) return {};
  return Error{fmt::format(
      "the motion takes {} commands and the arm's buffer holds {}; divide it, or let it follow the "
      "path less closely (motion.follow_deg)",
      program.orders.size(), config.buffer_orders)};
}

double order_s(const RoboArmConfig& config, const RoboArmOrder& order) {
  if (!moves_a_joint(order.verb)) return config.hand_s;
  const auto joint = static_cast<std::size_t>(turn_of(order.verb).joint);
  return config.each_order_s + order.degrees / config.speed_deg_s[joint];
}

double running_s(const RoboArmConfig& config, const RoboArmProgram& program) {
  double seconds = 0;
  for (const RoboArmOrder& order : program.orders) seconds += order_s(config, order);
  return seconds;
}

double sending_s(const RoboArmConfig& config, std::size_t bytes) {
  constexpr double kBitsPerByte = 10;
  return static_cast<double>(bytes) * kBitsPerByte / config.baud;
}

JointVector pose_after_deg(const RoboArmConfig& config, const RoboArmProgram& program,
                           double seconds) {
  JointVector at = program.start_deg;
  for (const RoboArmOrder& order : program.orders) {
    if (seconds <= 0) break;
    const double needed = order_s(config, order);
    const double share = std::clamp(seconds / needed, 0.0, 1.0);
    if (moves_a_joint(order.verb)) {
      const Turn turn = turn_of(order.verb);
      at[turn.joint] += turn.sign * share * order.degrees;
    }
    seconds -= needed;
  }
  return at;
}

}  // namespace rowbot::drivers
