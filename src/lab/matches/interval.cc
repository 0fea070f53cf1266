#include "lab/matches/interval.h"

#include <algorithm>
#include <cmath>

namespace rowbot::lab {

Interval wilson(double successes, double trials, double z) {
  if (trials <= 0) return {};
  const double p = successes / trials;
  const double centre = p + z * z / (2 * trials);
  const double spread = z * std::sqrt(p * (1 - p) / trials + z * z / (4 * trials * trials));
  const double scale = 1 + z * z / trials;
  return {.low = successes <= 0 ? 0 : std::max(0.0, (centre - spread) / scale),
          .high = successes >= trials ? 1 : std::min(1.0, (centre + spread) / scale)};
}

double upper_bound_of_none(double trials) {
  if (trials <= 0) return 1;
  return 1 - std::pow(0.05, 1 / trials);
}

}  // namespace rowbot::lab
