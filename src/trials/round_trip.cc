#include "trials/round_trip.h"

#include <algorithm>
#include <chrono>
#include <vector>

#include "robot/arm/forward.h"
#include "robot/arm/inverse.h"
#include "robot/arm/random_joints.h"

namespace rowbot::trials {

RoundTripReport round_trip(const arm::ArmModel& model, std::uint64_t count, std::uint64_t seed) {
  using Clock = std::chrono::steady_clock;
  Rng rng(seed);
  RoundTripReport report;
  std::vector<float> times_us;
  times_us.reserve(count);
  for (; report.poses < count; ++report.poses) {
    const arm::Pose X_wanted = arm::forward(model, arm::random_joints(model, rng));
    const auto start = Clock::now();
    const auto solution = arm::solve(model, X_wanted);
    times_us.push_back(std::chrono::duration<float, std::micro>(Clock::now() - start).count());
    if (!solution) continue;
    ++report.solved;
    const arm::Pose X = arm::forward(model, solution->q_rad);
    report.max_error_m =
        std::max(report.max_error_m, (X.translation() - X_wanted.translation()).norm());
    report.max_error_rad =
        std::max(report.max_error_rad, arm::rotation_distance(X.linear(), X_wanted.linear()));
    if (!arm::within_limits(model, solution->q_rad)) ++report.limit_violations;
  }
  const auto percentile = [&times_us](std::size_t percent) {
    if (times_us.empty()) return 0.0;
    const auto at = times_us.begin() + static_cast<std::ptrdiff_t>(std::min(
                                           times_us.size() * percent / 100, times_us.size() - 1));
    std::nth_element(times_us.begin(), at, times_us.end());
    return static_cast<double>(*at);
  };
  report.p50_us = percentile(50);
  report.p99_us = percentile(99);
  return report;
}

}  // namespace rowbot::trials
