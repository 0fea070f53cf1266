// Expectimax twice: as the textbook defines it, and as Dublin 2020 coded it.
//
// Textbook (Russell, Norvig): the opponent moves by chance, every legal move as likely, so at its
// nodes the value is the mean of the children; at ours the maximum.
//
// Dublin 2020 (section 3.2): at the opponent's nodes the listing keeps the minimum and prunes when
// alpha >= minimum / number of legal moves. The quotient, which the text calls the expected
// value, is a bound on the mean at best; the value returned is the minimum over the children looked
// at before the pruning. So it is a minimax that prunes too much when values are positive and too
// little when they are negative. Kept exactly, left to right, since the published figures come from
// it.
//
// Both evaluate leaves with window_score() as the agent sees it; a won game is +-100,000.
// Thread safety: as Agent; the free functions are pure.
#pragma once

#include <cstdint>

#include "engine/agents/agent.h"
#include "engine/agents/lookahead/root_choice.h"
#include "game/position.h"

namespace rowbot::agents::lookahead {

using ExpectimaxOptions = LookaheadOptions<4, Ties::kLeft>;

/// The textbook's. Takes a win at once: one it can have now is worth more than a later one.
class ExpectimaxAgent final : public SeededAgent<ExpectimaxOptions> {
 public:
  using SeededAgent::SeededAgent;

  [[nodiscard]] Claims claims() const override { return {.takes_wins = true}; }

 private:
  [[nodiscard]] Decision think(const game::Position& position, const BudgetMeter& meter) override;
};

/// The report's. Promises nothing: of several wins it takes the leftmost, be it the slowest.
class DublinExpectimaxAgent final : public SeededAgent<ExpectimaxOptions> {
 public:
  using SeededAgent::SeededAgent;

  [[nodiscard]] Claims claims() const override { return {}; }

 private:
  [[nodiscard]] Decision think(const game::Position& position, const BudgetMeter& meter) override;
};

/// The textbook's value of a move, `depth` plies deep including it, for the side that makes it.
[[nodiscard]] double expectimax_move_value(const game::Position& position, game::Column move,
                                           int depth);

/// The report's choice and its utility; requires an unfinished game and depth >= 1.
struct DublinChoice {
  game::Column column;
  double utility;
};
[[nodiscard]] DublinChoice dublin_expectimax(const game::Position& position, int depth);

}  // namespace rowbot::agents::lookahead
