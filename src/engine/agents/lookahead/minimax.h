// Minimax with alpha-beta and limited depth: `minimax` with the window evaluation (Dublin 2020,
// Panda project), `rhodes` with the evaluation of 1993.
// Thread safety: as Agent.
#pragma once

#include "engine/agents/agent.h"
#include "engine/agents/lookahead/root_choice.h"
#include "game/position.h"

namespace rowbot::agents::lookahead {

using MinimaxOptions = LookaheadOptions<5, Ties::kLeft>;
using RhodesOptions = LookaheadOptions<6, Ties::kCentre>;

template <class OptionsOfAgent>
class AlphaBetaAgent final : public SeededAgent<OptionsOfAgent> {
 public:
  using SeededAgent<OptionsOfAgent>::SeededAgent;

  [[nodiscard]] Claims claims() const override {
    return {.takes_wins = true, .blocks_wins = this->options_.depth >= 2};
  }

 private:
  [[nodiscard]] Decision think(const game::Position& position, const BudgetMeter& meter) override;
};

using MinimaxAgent = AlphaBetaAgent<MinimaxOptions>;
using RhodesAgent = AlphaBetaAgent<RhodesOptions>;  ///< six plies with the evaluation of 1993
template <>
Decision MinimaxAgent::think(const game::Position& position, const BudgetMeter& meter);
template <>
Decision RhodesAgent::think(const game::Position& position, const BudgetMeter& meter);

/// What a child process of 1993 answered for one move: its min-max value `depth` plies deep
/// (including the move itself), for the side that makes it. Requires can_play(move), depth >= 1.
[[nodiscard]] int rhodes_move_value(const game::Position& position, game::Column move, int depth);

/// The same with the window evaluation.
[[nodiscard]] int window_move_value(const game::Position& position, game::Column move, int depth);

}  // namespace rowbot::agents::lookahead
