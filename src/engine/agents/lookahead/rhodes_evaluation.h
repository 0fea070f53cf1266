// The evaluation of Rhodes 1993, in its own words: a large value for
// an imminent win and for two winning holes one above the other, else the weighted sum of the
// occupied squares, those in the lower middle weighing most. Rhodes 1993 gives no numbers; the
// weights are ours. Thread safety: pure functions.
#pragma once

#include "game/bits.h"
#include "game/position.h"

namespace rowbot::agents::lookahead {

/// Larger than any sum of weights, smaller than a win on the board.
inline constexpr int kRhodesWinning = 10'000;

/// Two empty squares in one column, one above the other, that both complete a line for `discs`.
[[nodiscard]] bool has_stacked_holes(game::Bits discs, game::Bits filled);

/// Seen by the side to move of an unfinished game.
[[nodiscard]] int rhodes_score(const game::Position& position);

/// The weight of one square: 12 at the centre of the two lowest rows, 1 in the upper corners.
[[nodiscard]] int rhodes_weight(int column, int row);

}  // namespace rowbot::agents::lookahead
