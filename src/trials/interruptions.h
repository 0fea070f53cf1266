// Emergency stops and restarts at random instants: the arm must stand still at once, and the next
// game must begin cleanly.
// Thread safety: pure function of its options, except for the time it measures.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "robot/station/station_config.h"

namespace rowbot::trials {

struct InterruptionOptions {
  station::StationConfig station;  // simulated
  std::uint64_t count = 10;
  std::function<void(std::uint64_t)> progress;
};

struct InterruptionReport {
  std::uint64_t interruptions = 0;
  std::uint64_t while_moving = 0;  // of them
  std::uint64_t clean_starts = 0;  // a new game began, or the old one went on, within a minute
  int worst_ticks = 0;             // until no motion was commanded any more
  double worst_rest_s = 0;         // until the arm had swung out
  std::uint64_t unwanted_contacts = 0;
  std::uint64_t limit_violations = 0;
  double sim_seconds = 0;
  std::string first_wrong;
};

[[nodiscard]] Result<InterruptionReport> run_interruptions(const InterruptionOptions& options);

}  // namespace rowbot::trials
