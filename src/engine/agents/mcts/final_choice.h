// Which move to play when the search has ended: the five choices of the literature, and what proofs
// have to say first.
// Thread safety: pure functions.
#pragma once

#include <span>

#include "engine/agents/mcts/options.h"
#include "engine/agents/mcts/search.h"

namespace rowbot::agents::mcts {

/// The move to play; requires at least one. Facts come first: the fastest proven win; never a
/// proven loss unless all are, then the latest, and one that at least stops what the opponent could
/// do at once, for people overlook things; a proven draw rather than a move that promises less.
/// Among the rest `choice` decides, equals by visits, then the leftmost. Moves without a visit are
/// played only when there is no other.
[[nodiscard]] game::Column final_move(std::span<const RootMove> moves, Final choice,
                                      double secure_a);

/// Whether the best mean and the most visits are the same move, as Final::kMix wants it.
[[nodiscard]] bool mix_is_settled(std::span<const RootMove> moves);

}  // namespace rowbot::agents::mcts
