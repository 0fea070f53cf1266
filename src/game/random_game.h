// Random positions for property tests, seeded.
// Thread safety: pure functions of their arguments; the Rng is the caller's.
#pragma once

#include <vector>

#include "base/rng.h"
#include "game/position.h"

namespace rowbot::game::testing {

/// A uniformly chosen legal move; requires an unfinished game.
inline Column random_move(const Position& position, Rng& rng) {
  while (true) {
    const Column c(static_cast<int>(rng.below(kColumns)));
    if (position.can_play(c)) return c;
  }
}

/// The moves of a random game, cut off after `most` moves.
inline std::vector<Column> random_moves(Rng& rng, int most = kCells) {
  std::vector<Column> moves;
  Position position;
  while (static_cast<int>(moves.size()) < most && !position.outcome().finished()) {
    moves.push_back(random_move(position, rng));
    position = position.after(moves.back());
  }
  return moves;
}

/// A position of a random game at a random length, finished or not.
inline Position random_position(Rng& rng) {
  Position position;
  for (const Column c : random_moves(rng, static_cast<int>(rng.below(kCells + 1)))) {
    position = position.after(c);
  }
  return position;
}

}  // namespace rowbot::game::testing
