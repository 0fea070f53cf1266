// Depth-limited minimax with alpha-beta pruning over any evaluation.
//
// The value of a position for the side to move (negamax, fail-soft):
//   v(p, 0) = evaluation,   v(p, d) = max over moves m of -v(p after m, d - 1),
// and a won game counts kWin minus the plies it took, so that of several wins the fastest is
// taken and a loss is put off: the flaw of the Panda project, which could pass over a win for
// another one, cannot occur. The window (alpha, beta) promises: a result inside it is exact, a
// result <= alpha is an upper bound, a result >= beta a lower bound.
// Thread safety: a search belongs to one thread.
#pragma once

#include <algorithm>
#include <array>

#include "engine/agents/lookahead/root_choice.h"
#include "game/position.h"

namespace rowbot::agents::lookahead {

/// Values at least this large are wins found on the board, kWin minus plies.
inline constexpr int kWin = 100'000;
inline constexpr int kWinThreshold = kWin - game::kCells;

/// Columns from the centre outwards: good moves first, more pruning.
inline constexpr std::array kCentreFirst{game::Column(3), game::Column(2), game::Column(4),
                                         game::Column(1), game::Column(5), game::Column(0),
                                         game::Column(6)};

/// Evaluate: int(const Position&, bool agent_to_move), seen by the side to move, for an unfinished
/// game and well inside +-kWinThreshold.
template <class Evaluate>
class AlphaBeta {
 public:
  AlphaBeta(const Evaluate& evaluate, const BudgetMeter& meter)
      : evaluate_(evaluate), budget_(meter) {}

  /// The value of `position` for its side to move, `ply` plies after the root. Meaningless once
  /// the budget has run out.
  [[nodiscard]] int value(const game::Position& position, int depth, int ply, int alpha, int beta) {
    const bool may_go_on = budget_.spend();
    const game::Outcome outcome = position.outcome();
    if (outcome.finished()) {
      return outcome.result == game::GameResult::kDraw ? 0 : -(kWin - ply);
    }
    if (depth == 0) return evaluate_(position, ply % 2 == 0);
    if (!may_go_on) return 0;
    int best = -kWin;
    for (const game::Column c : kCentreFirst) {
      if (!position.can_play(c)) continue;
      const int v = -value(position.after(c), depth - 1, ply + 1, -beta, -std::max(alpha, best));
      best = std::max(best, v);
      if (best >= beta) break;
    }
    return best;
  }

  [[nodiscard]] NodeBudget& budget() { return budget_; }

 private:
  const Evaluate& evaluate_;
  NodeBudget budget_;
};

}  // namespace rowbot::agents::lookahead
