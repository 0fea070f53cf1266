#include "engine/agents/lookahead/minimax.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "engine/agents/lookahead/alpha_beta.h"
#include "engine/agents/lookahead/rhodes_evaluation.h"
#include "engine/agents/lookahead/window_evaluation.h"

namespace rowbot::agents::lookahead {
namespace {

using game::Column;
using game::Position;

/// The papers evaluate as the agent sees it, also when the opponent is to move.
struct WindowEvaluation {
  int operator()(const Position& position, bool agent_to_move) const {
    return agent_to_move ? window_score(position.mover(), position.opponent())
                         : -window_score(position.opponent(), position.mover());
  }
};

struct RhodesEvaluation {
  int operator()(const Position& position, bool /*agent_to_move*/) const {
    return rhodes_score(position);
  }
};

template <class Evaluate>
int move_value(AlphaBeta<Evaluate>& search, const Position& position, Column move, int depth) {
  return -search.value(position.after(move), depth - 1, 1, -kWin, kWin);
}

std::optional<Proven> proven_by(int value, int depth, int empty_squares) {
  if (value >= kWinThreshold) return Proven{.value = Proven::Value::kWin, .plies = kWin - value};
  if (value <= -kWinThreshold) return Proven{.value = Proven::Value::kLoss, .plies = kWin + value};
  if (depth >= empty_squares) return Proven{.value = Proven::Value::kDraw, .plies = empty_squares};
  return std::nullopt;
}

template <class Evaluate>
Decision look_ahead(const Evaluate& evaluate, const Position& position, const BudgetMeter& meter,
                    int depth, Ties ties, Rng& rng) {
  AlphaBeta<Evaluate> search(evaluate, meter);
  // Two plies are a few dozen nodes: enough to see a win and a threat, whatever the budget.
  const int empty = game::kCells - position.discs();
  const int last_depth = std::min(depth, empty);
  const RootValues values = deepen(
      position, std::min(2, last_depth), last_depth,
      [&](Column c, int d) -> std::optional<double> {
        search.budget().set_may_abort(d > 2);
        const int value = move_value(search, position, c, d);
        if (search.budget().aborted()) return std::nullopt;
        return value;
      },
      [](const std::vector<RootMove>& moves) {
        return std::any_of(moves.begin(), moves.end(),
                           [](const RootMove& m) { return m.value >= kWinThreshold; });
      });
  Decision decision{.column = best_column(position, values.moves, ties, rng),
                    .nodes = search.budget().nodes(),
                    .depth = values.depth};
  for (const RootMove& move : values.moves) {
    const int value = static_cast<int>(move.value);
    // An evaluation has no scale of its own; 100, a full window, is taken for nearly decided.
    decision.moves.push_back({.column = move.column,
                              .value = std::tanh(move.value / 100.0),
                              .proven = proven_by(value, values.depth, empty)});
    if (move.column == decision.column) decision.proven = decision.moves.back().proven;
  }
  return decision;
}

template <class Evaluate>
int single_value(const Evaluate& evaluate, const Position& position, Column move, int depth) {
  const BudgetMeter unlimited({}, {});
  AlphaBeta<Evaluate> search(evaluate, unlimited);
  return move_value(search, position, move, depth);
}

}  // namespace

template <>
Decision MinimaxAgent::think(const Position& position, const BudgetMeter& meter) {
  return look_ahead(WindowEvaluation{}, position, meter, options_.depth, options_.ties, rng_);
}

template <>
Decision RhodesAgent::think(const Position& position, const BudgetMeter& meter) {
  return look_ahead(RhodesEvaluation{}, position, meter, options_.depth, options_.ties, rng_);
}

int rhodes_move_value(const Position& position, Column move, int depth) {
  return single_value(RhodesEvaluation{}, position, move, depth);
}

int window_move_value(const Position& position, Column move, int depth) {
  return single_value(WindowEvaluation{}, position, move, depth);
}

}  // namespace rowbot::agents::lookahead
