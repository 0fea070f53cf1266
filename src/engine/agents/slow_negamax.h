// Exact values of small endgames by trying everything: what the tests hold proofs against.
// Thread safety: pure functions.
#pragma once

#include <algorithm>

#include "game/position.h"

namespace rowbot::agents::testing {

/// For the side to move: 100 - n for a win in n plies, -(100 - n) for a loss in n plies, 0 for a
/// draw; the winner hurries, the loser delays. Time grows with the factorial of the empty squares.
inline int slow_value(const game::Position& position) {
  const game::Outcome outcome = position.outcome();
  if (outcome.finished()) return outcome.result == game::GameResult::kDraw ? 0 : -100;
  int best = -100;
  for (const game::Column c : game::kAllColumns) {
    if (!position.can_play(c)) continue;
    const int v = -slow_value(position.after(c));
    best = std::max(best, v > 0 ? v - 1 : v < 0 ? v + 1 : 0);
  }
  return best;
}

}  // namespace rowbot::agents::testing
