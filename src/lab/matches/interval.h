// How sure a share is.
// Thread safety: pure functions.
#pragma once

namespace rowbot::lab {

inline constexpr double kZ95 = 1.959963984540054;  ///< two-sided 95 % of the normal distribution

struct Interval {
  double low = 0;
  double high = 1;

  friend bool operator==(const Interval&, const Interval&) = default;
};

/// Wilson's score interval (1927) for the share successes / trials. Half points count as half a
/// success; the interval is then somewhat too wide, never too narrow, because a draw varies less
/// than a coin. Without trials: everything from 0 to 1.
[[nodiscard]] Interval wilson(double successes, double trials, double z = kZ95);

/// The largest loss rate that still gives no loss in `trials` games with probability 5 %: the
/// exact form of the 'rule of three', 1 - 0.05^(1/n). 1 without trials.
[[nodiscard]] double upper_bound_of_none(double trials);

}  // namespace rowbot::lab
