#include "robot/arm/planner.h"

#include <fmt/format.h>
#include <memory>
#include <mutex>
#include <ompl/base/ScopedState.h>
#include <ompl/base/spaces/RealVectorStateSpace.h>
#include <ompl/geometric/PathSimplifier.h>
#include <ompl/geometric/SimpleSetup.h>
#include <ompl/geometric/planners/rrt/RRTConnect.h>
#include <ompl/util/Console.h>
#include <ompl/util/RandomNumbers.h>

namespace rowbot::arm {
namespace {

namespace ob = ompl::base;
namespace og = ompl::geometric;

JointVector joints_of(const ob::State* state, int n) {
  const auto* real = state->as<ob::RealVectorStateSpace::StateType>();
  JointVector q(n);
  for (int i = 0; i < n; ++i) q[i] = real->values[i];
  return q;
}

/// Checks a straight piece of a path by the same rule as line_is_free.
class StraightPiece : public ob::MotionValidator {
 public:
  StraightPiece(const ob::SpaceInformationPtr& space, const ArmModel& model,
                const Surroundings& around)
      : ob::MotionValidator(space), model_(model), around_(around) {}

  bool checkMotion(const ob::State* a, const ob::State* b) const override {
    const int n = joint_count(model_);
    return line_is_free(model_, joints_of(a, n), joints_of(b, n), around_);
  }
  bool checkMotion(const ob::State* a, const ob::State* b,
                   std::pair<ob::State*, double>& /*last_valid*/) const override {
    return checkMotion(a, b);
  }

 private:
  const ArmModel& model_;
  const Surroundings& around_;
};

std::vector<JointVector> points_of(const og::PathGeometric& path, int n) {
  std::vector<JointVector> points;
  for (std::size_t i = 0; i < path.getStateCount(); ++i) {
    points.push_back(joints_of(path.getState(static_cast<unsigned>(i)), n));
  }
  return points;
}

Result<std::vector<JointVector>> search(const ArmModel& model, const JointVector& from_rad,
                                        const JointVector& to_rad, const Surroundings& around,
                                        const PlannerOptions& options) {
  // Guards OMPL's process-wide seed generator and its log handler.
  static std::mutex one_at_a_time;
  const std::scoped_lock lock(one_at_a_time);
  ompl::msg::noOutputHandler();
  ompl::RNG::setSeed(static_cast<std::uint_fast32_t>(options.seed % 1000000007U) + 1);

  const int n = joint_count(model);
  auto space = std::make_shared<ob::RealVectorStateSpace>(static_cast<unsigned>(n));
  ob::RealVectorBounds bounds(static_cast<unsigned>(n));
  for (int i = 0; i < n; ++i) {
    const JointLimits& limits = model.joints[static_cast<std::size_t>(i)];
    bounds.setLow(static_cast<unsigned>(i), limits.min_rad);
    bounds.setHigh(static_cast<unsigned>(i), limits.max_rad);
  }
  space->setBounds(bounds);
  og::SimpleSetup setup(space);
  const auto& information = setup.getSpaceInformation();
  setup.setStateValidityChecker([&](const ob::State* state) {
    const JointVector q = joints_of(state, n);
    return within_limits(model, q) && !collides(model, q, around);
  });
  information->setMotionValidator(std::make_shared<StraightPiece>(information, model, around));

  ob::ScopedState<> start(space);
  ob::ScopedState<> goal(space);
  for (int i = 0; i < n; ++i) {
    start[static_cast<unsigned>(i)] = from_rad[i];
    goal[static_cast<unsigned>(i)] = to_rad[i];
  }
  setup.setStartAndGoalStates(start, goal);
  auto planner = std::make_shared<og::RRTConnect>(information);
  planner->setRange(0.6);
  setup.setPlanner(planner);
  // Counting iterations instead of seconds makes the answer independent of the machine.
  int left = options.max_iterations;
  const ob::PlannerStatus status =
      setup.solve(ob::PlannerTerminationCondition([&left] { return --left < 0; }));
  if (status != ob::PlannerStatus::EXACT_SOLUTION) {
    return Error{
        fmt::format("no way around the obstacles was found in {} steps; move the board or "
                    "the magazine, or allow more steps",
                    options.max_iterations)};
  }
  og::PathGeometric path = setup.getSolutionPath();
  og::PathSimplifier simplifier(information);
  simplifier.reduceVertices(path, 60, 60);
  simplifier.shortcutPath(path, 60, 30);
  simplifier.reduceVertices(path, 30, 30);
  return points_of(path, n);
}

/// One sweep where its rounded corners stay clear, otherwise with a stop at each corner.
Result<Trajectory> timed(const ArmModel& model, const std::vector<JointVector>& points,
                         const Surroundings& around, double speed) {
  // Points along the straight pieces keep the spline from swinging out.
  std::vector<JointVector> dense = {points.front()};
  for (std::size_t i = 1; i < points.size(); ++i) {
    constexpr int kParts = 4;
    for (int k = 1; k <= kParts; ++k) {
      dense.emplace_back(points[i - 1] + (points[i] - points[i - 1]) * k / kParts);
    }
  }
  Trajectory sweep(model, points.size() == 2 ? points : dense, speed);
  if (check(model, sweep, around)) return sweep;
  Trajectory stops(points.front());
  for (std::size_t i = 1; i < points.size(); ++i) {
    stops.append(joint_move(model, points[i - 1], points[i], speed));
  }
  if (const auto checked = check(model, stops, around); !checked) return checked.error();
  return stops;
}

}  // namespace

Result<PlannedMove> plan_move(const ArmModel& model, const JointVector& from_rad,
                              const JointVector& to_rad, const Surroundings& around,
                              const PlannerOptions& options) {
  for (const auto& [q, end] : {std::pair{&from_rad, "start"}, std::pair{&to_rad, "goal"}}) {
    if (const auto broken = limit_violation(model, *q)) {
      return Error{fmt::format("the {} of the move is out of range: {}", end, *broken)};
    }
    if (const auto touched = contact(model, *q, around)) {
      return Error{fmt::format("at the {} of the move {}", end, *touched)};
    }
  }
  std::vector<JointVector> points = {from_rad, to_rad};
  auto trajectory = timed(model, points, around, options.speed);
  // A way that grazes something between the samples of the search is refused as a whole; another
  // seed finds another way.
  constexpr std::uint64_t kWays = 4;
  for (std::uint64_t way = 0; !trajectory && way < kWays; ++way) {
    PlannerOptions other = options;
    other.seed += way;
    auto found = search(model, from_rad, to_rad, around, other);
    if (!found) return found.error();
    points = std::move(*found);
    trajectory = timed(model, points, around, options.speed);
  }
  if (!trajectory) return trajectory.error();
  const double length = path_length(points);
  return PlannedMove{.trajectory = std::move(*trajectory),
                     .points_rad = std::move(points),
                     .length_rad = length,
                     .straight_rad = (to_rad - from_rad).norm()};
}

}  // namespace rowbot::arm
