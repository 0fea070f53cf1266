// Random faults on a driver's wire, one after the other, in simulated time: whatever happens to the
// messages, the arm at the far end stays within its limits, nothing hangs, and each fault either
// does no harm or is reported in words.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "robot/farend/far_end.h"

namespace rowbot::trials {

struct WireTrialOptions {
  std::uint64_t count = 1000;
  std::uint64_t seed = 1;
  /// Called after each fault with the number done so far.
  std::function<void(std::uint64_t)> progress;
};

struct FaultTally {
  std::string name;
  std::uint64_t count = 0;
  std::uint64_t reported = 0;
  std::uint64_t harmless = 0;  // the motion ended where it should
  std::uint64_t seen = 0;      // the wire cannot tell; a look at the arm afterwards did
  std::string example;         // what the driver said
};

struct WireTrialReport {
  std::uint64_t faults = 0;
  std::uint64_t reported = 0;
  std::uint64_t harmless = 0;
  std::uint64_t seen = 0;
  std::uint64_t unnoticed = 0;    // the driver believes that all is well, and it is not
  std::uint64_t hung = 0;         // took much longer than the motion
  std::uint64_t unrecovered = 0;  // no way back although the wire works again
  std::string first_trouble;      // of the three above
  farend::FarEndCounters far_end;
  double sim_seconds = 0;
  std::vector<FaultTally> by_fault;
};

/// Fails only when the arm cannot be brought up at all.
[[nodiscard]] Result<WireTrialReport> run_wire_trials(farend::FarEnd& far_end,
                                                      const WireTrialOptions& options);

}  // namespace rowbot::trials
