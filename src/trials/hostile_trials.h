// Commands that no sane program would send, one after the other: whatever arrives, the arm stays
// within its limits and away from the furniture.
// Thread safety: pure function of its arguments.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "robot/cell/layout.h"

namespace rowbot::trials {

struct HostileOptions {
  std::uint64_t count = 1000;
  std::uint64_t seed = 1;
  /// Called after each command with the number done so far.
  std::function<void(std::uint64_t)> progress;
};

struct HostileReport {
  std::uint64_t commands = 0;
  std::uint64_t refused = 0;
  std::uint64_t halts = 0;  // halted in the middle of a motion
  std::uint64_t limit_violations = 0;
  std::uint64_t unwanted_contacts = 0;
  double worst_stop_s = 0;  // from halt() until every joint is slower than 0.05 rad/s
  double sim_seconds = 0;
  std::string first_unwanted;  // what touched what
};

/// Random goals in and far out of range, numbers that are none, motions from elsewhere, grips of
/// absurd width and force, halts at any moment, calls in the wrong order. Motions through the cell
/// are checked against its furniture first, as plan_to() does it; the driver's own checks face the
/// rest.
[[nodiscard]] Result<HostileReport> run_hostile(const cell::CellLayout& layout,
                                                const HostileOptions& options);

}  // namespace rowbot::trials
