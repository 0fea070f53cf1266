// Many drops in a row: the proof that the arm finds every column at every height.
// Thread safety: pure function of its arguments, except for the time it measures.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "robot/cell/drop_plan.h"
#include "robot/sim/twin.h"
#include "robot/station/station.h"

namespace rowbot::trials {

struct DropTrialOptions {
  std::uint64_t count = 7;
  std::uint64_t seed = 1;
  double noise_m = 0;  // placing error, evenly within +- this, along and across the board
  sim::ServoModel servo;
  /// Called after each drop with the number done so far.
  std::function<void(std::uint64_t)> progress;
};

struct DropReport {
  std::uint64_t drops = 0;
  std::uint64_t missed = 0;
  std::uint64_t limit_violations = 0;
  std::uint64_t unwanted_contacts = 0;
  double sim_seconds = 0;
  double cpu_seconds = 0;
  std::string first_miss;      // what happened
  std::string first_unwanted;  // what touched what
};

/// Robot and human drop pieces into random columns in turn until the board is full, then a new game
/// begins. A drop is missed when the column does not hold exactly one more piece afterwards.
[[nodiscard]] Result<DropReport> run_drops(const cell::CellLayout& layout,
                                           const DropTrialOptions& options);

/// What came of one drop. Without a twin only the arm's own word is known.
struct OneDrop {
  Result<void> ran;
  bool in_twin = false;
  bool dropped = false;  // the column holds exactly this disc of the robot's
  double sim_seconds = 0;
  sim::SafetyCounts safety;
};
/// Blocks until the discs of the twin have come to rest.
[[nodiscard]] OneDrop run_one_drop(station::Station& station, const cell::DropPlan& plan,
                                   game::Column column);

}  // namespace rowbot::trials
