// Exact scores by trying everything: what the tests hold the solver against.
// Thread safety: pure functions.
#pragma once

#include <algorithm>

#include "engine/solver/score.h"
#include "game/position.h"

namespace rowbot::solver::testing {

/// The score of an unfinished position. Time grows exponentially with the empty squares.
// NOLINTNEXTLINE(misc-no-recursion): a plain game tree
inline int slow_score(const game::Position& position) {
  int best = -100;
  for (const game::Column column : game::kAllColumns) {
    if (!position.can_play(column)) continue;
    const game::Position next = position.after(column);
    const game::Outcome outcome = next.outcome();
    if (outcome.result == game::GameResult::kDraw) {
      best = std::max(best, 0);
    } else if (outcome.finished()) {
      return win_now(position.discs());
    } else {
      best = std::max(best, -slow_score(next));
    }
  }
  return best;
}

}  // namespace rowbot::solver::testing
