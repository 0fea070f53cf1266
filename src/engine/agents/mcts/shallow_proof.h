// What a short look proves: two plies from the threats alone, more by a small minimax that knows
// only won, lost and open.
// Thread safety: pure functions.
#pragma once

#include "engine/agents/mcts/tree.h"
#include "game/bits.h"

namespace rowbot::agents::mcts {

/// A win or a loss of the side to move within `plies` (at least two are always looked at), or
/// nothing. Requires an unfinished game. Wins are the fastest; losses may be found later than the
/// fastest.
[[nodiscard]] Proof look(game::Bits mover, game::Bits filled, int plies);

/// The half points that the side to move gets at most, told from threats and parity without a
/// search: 0, 1 or 2. Requires an unfinished game and no win at once for the side to move.
[[nodiscard]] int most_points(game::Bits mover, game::Bits filled);

}  // namespace rowbot::agents::mcts
