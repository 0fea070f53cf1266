#include "robot/arm/trajectory.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <fmt/format.h>

#include "robot/arm/angles.h"
#include "robot/arm/forward.h"
#include "robot/arm/inverse.h"

namespace rowbot::arm {
namespace {

constexpr double kLargestStepM = 0.005;

double slowest_joint_s(const ArmModel& model, const JointVector& from, const JointVector& to) {
  double time = 0;
  for (int i = 0; i < joint_count(model); ++i) {
    const double v = model.joints[static_cast<std::size_t>(i)].velocity_rad_s;
    time = std::max(time, std::abs(to[i] - from[i]) / v);
  }
  return time;
}

/// How far the arm reaches behind each link, at most.
JointVector reach_behind_m(const ArmModel& model) {
  const auto links = static_cast<Eigen::Index>(model.links.size());
  JointVector reach(links);
  double sum = model.X_last_tool.translation().norm();
  for (Eigen::Index i = links - 1; i >= 0; --i) {
    reach[i] = sum;
    const DhLink& link = model.links[static_cast<std::size_t>(i)];
    sum += std::hypot(link.a_m, link.d_m);  // from the axis before to this one
  }
  return reach;
}

/// No point of the arm moves further than this when the joints move by that much: each link turns
/// what is behind it.
double largest_motion_m(const ArmModel& model, const JointVector& reach_m,
                        const JointVector& change_rad) {
  return link_angles(model, change_rad).cwiseAbs().dot(reach_m);
}

}  // namespace

JointPath::JointPath(const ArmModel& model, std::span<const JointVector> points_rad) {
  assert(points_rad.size() >= 2);
  points_rad_.push_back(points_rad.front());
  knots_.push_back(0);
  for (const JointVector& point : points_rad.subspan(1)) {
    const double time = slowest_joint_s(model, points_rad_.back(), point);
    if (time < 1e-9) continue;  // the same point again
    knots_.push_back(knots_.back() + time);
    points_rad_.push_back(point);
  }
  if (points_rad_.size() == 1) {
    points_rad_.push_back(points_rad_.front());
    knots_.push_back(1);
  }
  points_rad_.back() = points_rad.back();
  const double last = knots_.back();
  for (double& knot : knots_) knot /= last;

  // Natural spline: the second derivatives solve a tridiagonal system (Thomas' algorithm).
  const std::size_t n = points_rad_.size();
  const JointVector zero = JointVector::Zero(points_rad_.front().size());
  bends_.assign(n, zero);
  std::vector<double> upper(n, 0.0);
  for (std::size_t i = 1; i + 1 < n; ++i) {
    const double before = knots_[i] - knots_[i - 1];
    const double after = knots_[i + 1] - knots_[i];
    const double pivot = 2 * (before + after) - before * upper[i - 1];
    upper[i] = after / pivot;
    const JointVector turn = (points_rad_[i + 1] - points_rad_[i]) / after -
                             (points_rad_[i] - points_rad_[i - 1]) / before;
    bends_[i] = (6 * turn - before * bends_[i - 1]) / pivot;
  }
  for (std::size_t i = n - 2; i > 0; --i) bends_[i] -= upper[i] * bends_[i + 1];
}

JointState JointPath::at(double s) const {
  s = std::clamp(s, 0.0, 1.0);
  const auto above = std::upper_bound(knots_.begin() + 1, knots_.end() - 1, s);
  const auto i = static_cast<std::size_t>(above - knots_.begin()) - 1;
  const double h = knots_[i + 1] - knots_[i];
  const double a = (knots_[i + 1] - s) / h;
  const double b = (s - knots_[i]) / h;
  const JointVector& p0 = points_rad_[i];
  const JointVector& p1 = points_rad_[i + 1];
  const JointVector& m0 = bends_[i];
  const JointVector& m1 = bends_[i + 1];
  JointState state;
  state.q_rad = a * p0 + b * p1 + ((a * a * a - a) * m0 + (b * b * b - b) * m1) * (h * h / 6);
  state.v_rad_s = (p1 - p0) / h + ((3 * b * b - 1) * m1 - (3 * a * a - 1) * m0) * (h / 6);
  state.a_rad_s2 = a * m0 + b * m1;
  return state;
}

Ramp::Value Ramp::at(double time) const {
  time = std::clamp(time, 0.0, 1.0);
  const double peak = 1 / (1 - share);
  const auto rising = [&](double t) {
    const double phase = kPi * t / share;
    return Value{.s = peak / 2 * (t - share / kPi * std::sin(phase)),
                 .ds = peak / 2 * (1 - std::cos(phase)),
                 .dds = peak / 2 * kPi / share * std::sin(phase)};
  };
  if (time < share) return rising(time);
  if (time > 1 - share) {
    const Value mirror = rising(1 - time);
    return {.s = 1 - mirror.s, .ds = mirror.ds, .dds = -mirror.dds};
  }
  return {.s = peak * (time - share / 2), .ds = peak, .dds = 0};
}

Trajectory::Trajectory(JointVector q_rad) : start_rad_(q_rad), end_rad_(std::move(q_rad)) {}

Trajectory::Trajectory(const ArmModel& model, std::span<const JointVector> points_rad, double speed)
    : start_rad_(points_rad.front()), end_rad_(points_rad.back()) {
  assert(speed > 0 && speed <= 1);
  JointPath path(model, points_rad);
  // Speeds go with 1/T and accelerations with 1/T^2: sample both for T = 1, then stretch. Short
  // ramps suit long ways, long ramps short ones; try a few.
  const int samples = static_cast<int>(std::max<std::size_t>(200, 16 * points_rad.size()));
  double best_s = 0;
  Ramp best;
  for (const double share : {0.5, 0.4, 0.3, 0.2, 0.12, 0.07, 0.04}) {
    const Ramp ramp{.share = share};
    double time_s = 1e-3;
    for (int k = 0; k <= samples; ++k) {
      const Ramp::Value clock = ramp.at(static_cast<double>(k) / samples);
      const JointState state = path.at(clock.s);
      for (int i = 0; i < joint_count(model); ++i) {
        const JointLimits& limits = model.joints[static_cast<std::size_t>(i)];
        const double v = std::abs(state.v_rad_s[i] * clock.ds);
        const double a =
            std::abs(state.a_rad_s2[i] * clock.ds * clock.ds + state.v_rad_s[i] * clock.dds);
        time_s = std::max(
            {time_s, v / limits.velocity_rad_s, std::sqrt(a / limits.acceleration_rad_s2)});
      }
    }
    if (best_s == 0 || time_s < best_s) {
      best_s = time_s;
      best = ramp;
    }
  }
  constexpr double kBetweenSamples = 1.02;
  duration_s_ = best_s * kBetweenSamples / speed;
  pieces_.push_back(
      {.path = std::move(path), .ramp = best, .start_s = 0, .duration_s = duration_s_});
}

void Trajectory::append(const Trajectory& next) {
  assert((next.start_rad_ - end_rad_).norm() < 1e-6);
  for (Piece piece : next.pieces_) {
    piece.start_s += duration_s_;
    pieces_.push_back(std::move(piece));
  }
  duration_s_ += next.duration_s_;
  end_rad_ = next.end_rad_;
}

JointState Trajectory::at(double time_s) const {
  const JointVector zero = JointVector::Zero(start_rad_.size());
  if (time_s <= 0 || pieces_.empty())
    return {.q_rad = start_rad_, .v_rad_s = zero, .a_rad_s2 = zero};
  if (time_s >= duration_s_) return {.q_rad = end_rad_, .v_rad_s = zero, .a_rad_s2 = zero};
  const auto after =
      std::upper_bound(pieces_.begin() + 1, pieces_.end(), time_s,
                       [](double t, const Piece& piece) { return t < piece.start_s; });
  const Piece& piece = *(after - 1);
  const double T = piece.duration_s;
  const Ramp::Value clock = piece.ramp.at((time_s - piece.start_s) / T);
  const JointState along = piece.path.at(clock.s);
  JointState state;
  state.q_rad = along.q_rad;
  state.v_rad_s = along.v_rad_s * (clock.ds / T);
  state.a_rad_s2 = (along.a_rad_s2 * (clock.ds * clock.ds) + along.v_rad_s * clock.dds) / (T * T);
  return state;
}

Trajectory joint_move(const ArmModel& model, const JointVector& from_rad, const JointVector& to_rad,
                      double speed) {
  const std::array<JointVector, 2> points = {from_rad, to_rad};
  return {model, points, speed};
}

Result<Trajectory> straight_line(const ArmModel& model, const JointVector& from_rad,
                                 const Pose& X_base_target, double speed) {
  const Pose X_from = forward(model, from_rad);
  const Eigen::Vector3d way = X_base_target.translation() - X_from.translation();
  const Eigen::Quaterniond turn_from(X_from.linear());
  const Eigen::Quaterniond turn_to(X_base_target.linear());
  const double turn_rad = turn_from.angularDistance(turn_to);
  const int steps =
      std::max(2, static_cast<int>(std::ceil(std::max(way.norm() / 0.005, turn_rad / 0.04))));
  std::vector<JointVector> points = {from_rad};
  for (int k = 1; k <= steps; ++k) {
    const double share = static_cast<double>(k) / steps;
    Pose X = Pose::Identity();
    X.translation() = X_from.translation() + share * way;
    X.linear() = turn_from.slerp(share, turn_to).toRotationMatrix();
    // The spare joint stays as it is: so the posture cannot wander along the line.
    const auto solution =
        solve(model, X,
              {.prefer_rad = points.back(), .redundancy_rad = from_rad[joint_count(model) - 1]});
    if (!solution) {
      const auto why = inverse(model, X, {.prefer_rad = points.back(), .redundancy_rad = {}});
      return Error{
          fmt::format("the straight line ends after {:.0f} of {:.0f} mm: {}",
                      1000 * share * way.norm(), 1000 * way.norm(),
                      why ? "the arm would have to change its posture" : why.error().message)};
    }
    if ((solution->q_rad - points.back()).cwiseAbs().maxCoeff() > 0.5) {
      return Error{
          fmt::format("the straight line needs another posture after {:.0f} of {:.0f} mm; "
                      "start it from a different one",
                      1000 * share * way.norm(), 1000 * way.norm())};
    }
    points.push_back(solution->q_rad);
  }
  return Trajectory(model, points, speed);
}

Result<void> check(const ArmModel& model, const Trajectory& trajectory,
                   const Surroundings& around) {
  constexpr double kTolerance = 1e-6;
  constexpr double kLongestS = 600;
  if (!(trajectory.duration_s() <= kLongestS)) {
    return Error{
        fmt::format("the motion of {} is refused: it would take {:.3g} s, and {:.0f} s is the "
                    "most; is its goal out of range?",
                    model.name, trajectory.duration_s(), kLongestS)};
  }
  const JointVector reach_m = reach_behind_m(model);
  double time_s = 0;
  JointVector checked = trajectory.start_rad();
  bool first = true;
  while (true) {
    const JointState state = trajectory.at(time_s);
    const auto fault = [&](const std::string& what) {
      return Error{fmt::format("the motion of {} is refused: after {:.2f} of {:.2f} s {}",
                               model.name, time_s, trajectory.duration_s(), what)};
    };
    if (const auto broken = limit_violation(model, state.q_rad, kTolerance)) return fault(*broken);
    for (int i = 0; i < joint_count(model); ++i) {
      const JointLimits& limits = model.joints[static_cast<std::size_t>(i)];
      if (!(std::abs(state.v_rad_s[i]) <= limits.velocity_rad_s * (1 + kTolerance))) {
        return fault(fmt::format("joint {} ({}) would turn at {:.2f} rad/s, its limit is {:.2f}",
                                 i + 1, limits.name, state.v_rad_s[i], limits.velocity_rad_s));
      }
      if (!(std::abs(state.a_rad_s2[i]) <= limits.acceleration_rad_s2 * (1 + kTolerance))) {
        return fault(
            fmt::format("joint {} ({}) would accelerate at {:.2f} rad/s2, its limit is {:.2f}",
                        i + 1, limits.name, state.a_rad_s2[i], limits.acceleration_rad_s2));
      }
    }
    const bool last = time_s >= trajectory.duration_s();
    if (first || last ||
        largest_motion_m(model, reach_m, state.q_rad - checked) > kLargestStepM / 2) {
      if (const auto touched = contact(model, state.q_rad, around)) return fault(*touched);
      checked = state.q_rad;
      first = false;
    }
    if (last) return {};
    // At most half a step at the present speed, and never coarser than 10 ms.
    const double motion = largest_motion_m(model, reach_m, state.v_rad_s);
    time_s = std::min(time_s + std::min(0.010, 0.5 * kLargestStepM / std::max(motion, 1e-9)),
                      trajectory.duration_s());
  }
}

bool line_is_free(const ArmModel& model, const JointVector& from_rad, const JointVector& to_rad,
                  const Surroundings& around) {
  const double motion = largest_motion_m(model, reach_behind_m(model), to_rad - from_rad);
  const int steps = std::max(1, static_cast<int>(std::ceil(motion / (2 * kLargestStepM))));
  // Coarse steps first, then the ones between: what is blocked is mostly found at once.
  int stride = 1;
  while (stride < steps) stride *= 2;
  for (bool first = true; stride >= 1; stride /= 2, first = false) {
    for (int k = first ? 0 : stride; k <= steps; k += first ? stride : 2 * stride) {
      const JointVector q = from_rad + (to_rad - from_rad) * k / steps;
      if (!within_limits(model, q) || collides(model, q, around)) return false;
    }
  }
  return !collides(model, to_rad, around) && within_limits(model, to_rad);
}

double path_length(std::span<const JointVector> points_rad) {
  double length = 0;
  for (std::size_t i = 1; i < points_rad.size(); ++i) {
    length += (points_rad[i] - points_rad[i - 1]).norm();
  }
  return length;
}

}  // namespace rowbot::arm
