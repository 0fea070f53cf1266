// Which null window to ask next, on the way to the exact score.
//
// To ask whether somebody wins very soon is cheap, since the tree is shallow; whether somebody
// wins at all is dear. So quick wins and losses come first, in two steps each, then the question
// of win, draw or loss, then the rest of the range from the end near zero, where most scores are.
// Thread safety: pure functions.
#pragma once

#include "engine/solver/score.h"
#include "engine/solver/table.h"

namespace rowbot::solver {

/// The scores a position with `discs` can have when its mover cannot win at once.
[[nodiscard]] constexpr Bounds possible_scores(int discs) {
  return {.lower = -win_now(discs + 1), .upper = win_now(discs + 2)};
}

/// A range shorter than this is asked one score after the other.
inline constexpr int kFarRange = 9;

/// The alpha to ask next, lower <= alpha < upper; requires lower < upper.
[[nodiscard]] constexpr int next_alpha(Bounds known, int discs) {
  const int most = win_now(discs + 2);
  const int quick = most * 3 / 5;  // scores beyond this, either way, are quick wins
  const int step = (most - quick + 1) / 2 > 1 ? (most - quick + 1) / 2 : 1;
  int alpha = 0;
  if (known.upper > quick && known.lower <= 0) {
    alpha = known.upper - step > quick ? known.upper - step : quick;
  } else if (known.lower < -quick && known.upper >= 0) {
    alpha = (known.lower + step < -quick ? known.lower + step : -quick) - 1;
  } else if (known.lower < 0 && known.upper > 0) {
    alpha = 0;
  } else if (known.lower >= 0) {
    alpha = known.lower + (known.upper - known.lower) / kFarRange;
  } else {
    alpha = known.upper - 1 - (known.upper - 1 - known.lower) / kFarRange;
  }
  if (alpha < known.lower) alpha = known.lower;
  if (alpha >= known.upper) alpha = known.upper - 1;
  return alpha;
}

}  // namespace rowbot::solver
