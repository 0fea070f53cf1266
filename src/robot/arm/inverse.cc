#include "robot/arm/inverse.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "robot/arm/angles.h"
#include "robot/arm/closed_forms.h"
#include "robot/arm/forward.h"

namespace rowbot::arm {
namespace {

/// Turns each joint by whole turns until it lies as near as possible to the middle of its range.
JointVector into_range(const ArmModel& model, JointVector q_rad) {
  for (int i = 0; i < joint_count(model); ++i) {
    const JointLimits& limits = model.joints[static_cast<std::size_t>(i)];
    const double middle = (limits.min_rad + limits.max_rad) / 2;
    q_rad[i] = middle + wrapped(q_rad[i] - middle);
  }
  return q_rad;
}

struct Candidates {
  const ArmModel& model;
  const Pose& X_base_tool;
  double redundancy_rad;

  IkSolutions operator()(const EezybotGeometry& g) const {
    return eezybot_solutions(g, X_base_tool);
  }
  IkSolutions operator()(const RoboarmGeometry& g) const {
    return roboarm_solutions(g, X_base_tool);
  }
  IkSolutions operator()(const PandaGeometry& g) const {
    return panda_solutions(g, X_base_tool, redundancy_rad);
  }
};

/// Every mathematical solution, each joint turned towards its range.
IkSolutions candidates(const ArmModel& model, const Pose& X_base_tool, double redundancy_rad) {
  IkSolutions all = std::visit(
      Candidates{.model = model, .X_base_tool = X_base_tool, .redundancy_rad = redundancy_rad},
      model.geometry);
  for (IkSolution& solution : all) solution.q_rad = into_range(model, solution.q_rad);
  return all;
}

bool has_spare_joint(const ArmModel& model) {
  return std::holds_alternative<PandaGeometry>(model.geometry);
}

/// By how much the worst joint leaves its range; negative inside.
double excess(const ArmModel& model, const JointVector& q_rad) {
  double worst = -std::numeric_limits<double>::infinity();
  for (int i = 0; i < joint_count(model); ++i) {
    const Range range = joint_range(model, q_rad, i);
    worst = std::max({worst, range.min - q_rad[i], q_rad[i] - range.max});
  }
  return worst;
}

double least_excess(const ArmModel& model, const Pose& X_base_tool, double redundancy_rad) {
  double least = 100.0;  // no solution at all is worse than any that breaks a limit
  for (const IkSolution& s : candidates(model, X_base_tool, redundancy_rad)) {
    least = std::min(least, excess(model, s.q_rad));
  }
  return least;
}

IkSolutions within_range(const ArmModel& model, const Pose& X_base_tool, double redundancy_rad) {
  IkSolutions within;
  for (const IkSolution& s : candidates(model, X_base_tool, redundancy_rad)) {
    if (within_limits(model, s.q_rad)) within.add(s.q_rad);
  }
  return within;
}

void measure_orientation(const ArmModel& model, const Pose& X_base_tool, IkSolution& solution) {
  solution.orientation_error_rad =
      rotation_distance(forward(model, solution.q_rad).linear(), X_base_tool.linear());
}

class Best {
 public:
  Best(const ArmModel& model, const IkOptions& options)
      : prefer_rad_(options.prefer_rad.size() == joint_count(model) ? options.prefer_rad
                                                                    : neutral(model)) {}

  void offer(const IkSolutions& solutions) {
    for (const IkSolution& s : solutions) {
      const double cost = (s.q_rad - prefer_rad_).squaredNorm();
      if (cost < cost_) {
        cost_ = cost;
        best_ = s;
      }
    }
  }
  [[nodiscard]] double preferred_redundancy_rad() const {
    return prefer_rad_[prefer_rad_.size() - 1];
  }
  [[nodiscard]] const std::optional<IkSolution>& get() const { return best_; }

 private:
  JointVector prefer_rad_;
  double cost_ = std::numeric_limits<double>::infinity();
  std::optional<IkSolution> best_;
};

/// Poses near the edge of the workspace can be solved for a narrow range of the spare joint only,
/// which even steps overlook: walk downhill on the excess from the best of many steps.
std::optional<double> search_redundancy(const ArmModel& model, const Pose& X_base_tool) {
  const JointLimits& spare = model.joints.back();
  constexpr int kSteps = 512;
  const double step = (spare.max_rad - spare.min_rad) / kSteps;
  std::array<double, kSteps + 1> value{};
  for (int i = 0; i <= kSteps; ++i) {
    const auto at = static_cast<std::size_t>(i);
    value[at] = least_excess(model, X_base_tool, spare.min_rad + i * step);
    if (value[at] <= 0) return spare.min_rad + i * step;
  }
  for (int i = 0; i <= kSteps; ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (value[at] >= 100.0) continue;
    if (i > 0 && value[at - 1] < value[at]) continue;
    if (i < kSteps && value[at + 1] < value[at]) continue;
    double low = std::max(spare.min_rad + (i - 1) * step, spare.min_rad);
    double high = std::min(spare.min_rad + (i + 1) * step, spare.max_rad);
    for (int k = 0; k < 48; ++k) {  // ternary search: the excess is smooth between two steps
      const double a = low + (high - low) / 3;
      const double b = high - (high - low) / 3;
      const double at_a = least_excess(model, X_base_tool, a);
      const double at_b = least_excess(model, X_base_tool, b);
      if (at_a <= 0) return a;
      if (at_b <= 0) return b;
      (at_a < at_b ? high : low) = at_a < at_b ? b : a;
    }
  }
  return std::nullopt;
}

std::string reason_for(const ArmModel& model, const Pose& X_base_tool) {
  const Eigen::Vector3d p = X_base_tool.translation();
  double least = std::numeric_limits<double>::infinity();
  std::optional<std::string> nearest_miss;
  const int steps = has_spare_joint(model) ? 64 : 0;
  const JointLimits& last = model.joints.back();
  for (int i = 0; i <= steps; ++i) {
    const double spare =
        steps == 0 ? 0.0 : last.min_rad + (last.max_rad - last.min_rad) * i / steps;
    for (const IkSolution& s : candidates(model, X_base_tool, spare)) {
      const double over = excess(model, s.q_rad);
      if (over < least) {
        least = over;
        nearest_miss = limit_violation(model, s.q_rad);
      }
    }
  }
  if (nearest_miss) return *nearest_miss;
  return fmt::format(
      "the links are too short or too long for a point {:.0f} mm from the base axis "
      "at a height of {:.0f} mm",
      1000 * std::hypot(p.x(), p.y()), 1000 * p.z());
}

/// Levenberg-Marquardt on the position, kept within the limits after each step.
JointVector nearest_from(const ArmModel& model, const Eigen::Vector3d& p_target, JointVector q) {
  const auto n = joint_count(model);
  double damping = 1e-3;
  double error = (forward(model, q).translation() - p_target).squaredNorm();
  for (int k = 0; k < 100 && damping < 1e6; ++k) {
    const Eigen::Vector3d miss = p_target - forward(model, q).translation();
    // Not auto: an expression would outlive the Jacobian it looks into.
    const Eigen::Matrix<double, 3, Eigen::Dynamic, 0, 3, kMaxJoints> J =
        jacobian(model, q).topRows<3>();
    // A joint that stands at its limit and is pulled outwards does not take part.
    Eigen::Matrix<double, 3, Eigen::Dynamic, 0, 3, kMaxJoints> free = J;
    for (int i = 0; i < n; ++i) {
      const Range range = joint_range(model, q, i);
      const double pull = J.col(i).dot(miss);
      if ((q[i] <= range.min && pull < 0) || (q[i] >= range.max && pull > 0)) free.col(i).setZero();
    }
    const Eigen::Matrix3d normal =
        free * free.transpose() + damping * 1e-2 * Eigen::Matrix3d::Identity();
    const JointVector step = free.transpose() * normal.ldlt().solve(miss);
    const JointVector next = clamped(model, q + step);
    const double next_error = (forward(model, next).translation() - p_target).squaredNorm();
    if (next_error < error - 1e-18) {
      q = next;
      error = next_error;
      damping = std::max(damping / 4, 1e-9);
    } else {
      damping *= 4;
    }
  }
  return q;
}

}  // namespace

IkSolutions solve_all(const ArmModel& model, const Pose& X_base_tool, double redundancy_rad) {
  IkSolutions within = within_range(model, X_base_tool, redundancy_rad);
  for (IkSolution& s : within) measure_orientation(model, X_base_tool, s);
  return within;
}

std::optional<IkSolution> solve(const ArmModel& model, const Pose& X_base_tool,
                                const IkOptions& options) {
  Best best(model, options);
  if (!has_spare_joint(model) || options.redundancy_rad) {
    best.offer(within_range(model, X_base_tool, options.redundancy_rad.value_or(0)));
  } else {
    const JointLimits& spare = model.joints.back();
    best.offer(within_range(model, X_base_tool, best.preferred_redundancy_rad()));
    constexpr int kSteps = 48;
    for (int i = 0; i <= kSteps; ++i) {
      const double q7 = spare.min_rad + (spare.max_rad - spare.min_rad) * i / kSteps;
      best.offer(within_range(model, X_base_tool, q7));
    }
    if (!best.get()) {
      if (const auto q7 = search_redundancy(model, X_base_tool)) {
        best.offer(within_range(model, X_base_tool, *q7));
      }
    }
  }
  std::optional<IkSolution> answer = best.get();
  if (answer) measure_orientation(model, X_base_tool, *answer);
  return answer;
}

Unreachable explain_unreachable(const ArmModel& model, const Pose& X_base_tool) {
  const Eigen::Vector3d p_target = X_base_tool.translation();
  Unreachable answer;
  answer.reason = reason_for(model, X_base_tool);
  answer.distance_m = std::numeric_limits<double>::infinity();
  const int n = joint_count(model);
  // Starts from the corners of the inner half of the joint box; the neutral pose is one more.
  for (int corner = 0; corner <= (1 << n); ++corner) {
    JointVector q = neutral(model);
    for (int i = 0; i < n && corner < (1 << n); ++i) {
      const JointLimits& limits = model.joints[static_cast<std::size_t>(i)];
      const double share = ((corner >> i) & 1) != 0 ? 0.75 : 0.25;
      q[i] = limits.min_rad + share * (limits.max_rad - limits.min_rad);
    }
    q = nearest_from(model, p_target, clamped(model, q));
    const Pose X = forward(model, q);
    const double distance = (X.translation() - p_target).norm();
    if (distance < answer.distance_m) {
      answer.distance_m = distance;
      answer.nearest_q_rad = q;
      answer.X_base_nearest = X;
    }
  }
  return answer;
}

Result<IkSolution> inverse(const ArmModel& model, const Pose& X_base_tool,
                           const IkOptions& options) {
  if (!X_base_tool.matrix().allFinite()) return Error{"the pose holds a number that is not finite"};
  if (auto solution = solve(model, X_base_tool, options)) return *solution;
  const Unreachable why = explain_unreachable(model, X_base_tool);
  const Eigen::Vector3d wanted = X_base_tool.translation();
  const Eigen::Vector3d nearest = why.X_base_nearest.translation();
  return Error{
      fmt::format("{} cannot reach ({:.3f}, {:.3f}, {:.3f}) m{}: {}; the nearest it can get "
                  "is ({:.3f}, {:.3f}, {:.3f}), {:.1f} mm away",
                  model.name, wanted.x(), wanted.y(), wanted.z(),
                  why.distance_m < 1e-6 ? " in that orientation" : "", why.reason, nearest.x(),
                  nearest.y(), nearest.z(), 1000 * why.distance_m)};
}

}  // namespace rowbot::arm
