#include "trials/plan_trials.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>

#include "base/rng.h"
#include "robot/arm/angles.h"

namespace rowbot::trials {

PlanTrialOptions usual_moves(const cell::CellLayout& layout) {
  // The hands of the small arms turn with the base: a board that is turned away jams their pieces.
  if (layout.robot == "eezybot") return {.shift_m = 0.003, .turn_rad = arm::radians(2)};
  if (layout.robot == "roboarm") return {.shift_m = 0.005, .turn_rad = arm::radians(0.5)};
  return {.shift_m = 0.04, .turn_rad = arm::radians(10)};
}

PlanReport run_plans(const cell::CellLayout& layout, const PlanTrialOptions& options) {
  using Clock = std::chrono::steady_clock;
  const arm::ArmModel& model = **arm::model_by_name(layout.robot);
  Rng rng(options.seed);
  const auto within = [&rng](double limit) { return limit * (2 * rng.uniform() - 1); };
  PlanReport report;
  for (std::uint64_t k = 0; k < options.count; ++k) {
    const double x_m = within(options.shift_m);
    const double y_m = within(options.shift_m);
    const double turned_rad = within(options.turn_rad);
    const game::Column column(static_cast<int>(rng.below(7)));
    const cell::CellLayout moved = cell::with_board_moved(layout, {x_m, y_m}, turned_rad);
    const auto begin = Clock::now();
    const auto plan =
        cell::plan_drop(moved, column, arm::neutral(model), {.seed = options.seed + k});
    report.milliseconds.push_back(
        std::chrono::duration<double, std::milli>(Clock::now() - begin).count());
    if (plan) {
      ++report.solved;
    } else if (report.first_failure.empty()) {
      report.first_failure =
          fmt::format("board moved {:.1f}, {:.1f} mm and turned {:.1f} degrees: {}", 1000 * x_m,
                      1000 * y_m, arm::degrees(turned_rad), plan.error().message);
    }
    if (options.progress) options.progress(k + 1);
  }
  std::ranges::sort(report.milliseconds);
  return report;
}

}  // namespace rowbot::trials
