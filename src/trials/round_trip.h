// The proof of the kinematics: random joints within the limits, forward, inverse, forward again.
// Thread safety: pure function of its arguments, except for the times.
#pragma once

#include <cstdint>

#include "robot/arm/arm_model.h"

namespace rowbot::trials {

struct RoundTripReport {
  std::uint64_t poses = 0;
  std::uint64_t solved = 0;
  double max_error_m = 0;
  double max_error_rad = 0;
  std::uint64_t limit_violations = 0;
  double p50_us = 0;  // time of one inverse, the clock's own cost included
  double p99_us = 0;
};

[[nodiscard]] RoundTripReport round_trip(const arm::ArmModel& model, std::uint64_t count,
                                         std::uint64_t seed);

}  // namespace rowbot::trials
