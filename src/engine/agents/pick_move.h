// Choosing among moves without a search.
// Thread safety: pure functions, except for the randomness they draw.
#pragma once

#include "base/rng.h"
#include "game/bits.h"
#include "game/column.h"
#include "game/position.h"

namespace rowbot::agents {

/// One of the squares' columns, each as likely; requires squares != 0, at most one a column.
[[nodiscard]] game::Column pick_any(game::Bits squares, Rng& rng);
/// The same, but the nearer to the centre the likelier.
[[nodiscard]] game::Column pick_natural(game::Bits squares, Rng& rng);
/// The moves nobody overlooks: a win at once, else the squares where the opponent would win.
[[nodiscard]] game::Bits obvious_moves(const game::Position& position);

}  // namespace rowbot::agents
