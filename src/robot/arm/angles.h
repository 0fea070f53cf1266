// Angles: degrees for people, radians for formulas, and the one full turn that is no turn.
// Thread safety: pure functions.
#pragma once

#include <cmath>
#include <numbers>

namespace rowbot::arm {

inline constexpr double kPi = std::numbers::pi;

[[nodiscard]] constexpr double radians(double angle_deg) { return angle_deg * kPi / 180.0; }
[[nodiscard]] constexpr double degrees(double angle_rad) { return angle_rad * 180.0 / kPi; }

/// The same direction within [-pi, pi].
[[nodiscard]] inline double wrapped(double angle_rad) { return std::remainder(angle_rad, 2 * kPi); }

}  // namespace rowbot::arm
