// Many planning problems with the board somewhere else each time: does the arm always find a way,
// and how long does it think?
// Thread safety: pure function of its arguments, except for the time it measures.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "robot/cell/drop_plan.h"

namespace rowbot::trials {

struct PlanTrialOptions {
  std::uint64_t count = 200;
  std::uint64_t seed = 1;
  double shift_m = 0;   // the board is moved along the table, evenly within +- this each way
  double turn_rad = 0;  // and turned about its middle
  /// Called after each problem with the number done so far.
  std::function<void(std::uint64_t)> progress;
};

struct PlanReport {
  std::uint64_t solved = 0;
  std::vector<double> milliseconds;  // of each problem, sorted
  std::string first_failure;
};

/// How far a board can be moved so that a robot still reaches every column, from its layout.
[[nodiscard]] PlanTrialOptions usual_moves(const cell::CellLayout& layout);

/// Each problem is a whole drop into a random column of the moved board.
[[nodiscard]] PlanReport run_plans(const cell::CellLayout& layout, const PlanTrialOptions& options);

}  // namespace rowbot::trials
