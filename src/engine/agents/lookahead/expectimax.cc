#include "engine/agents/lookahead/expectimax.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "engine/agents/lookahead/window_evaluation.h"

namespace rowbot::agents::lookahead {
namespace {

using game::Column;
using game::Position;

constexpr double kWon = 100'000;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Seen by the agent; absent when the search must go on.
std::optional<double> leaf_value(const Position& position, bool agent_to_move, int depth) {
  const game::Outcome outcome = position.outcome();
  if (outcome.finished()) {
    if (outcome.result == game::GameResult::kDraw) return 0;
    return agent_to_move ? -kWon : kWon;  // who is to move has lost
  }
  if (depth > 0) return std::nullopt;
  return agent_to_move ? window_score(position.mover(), position.opponent())
                       : window_score(position.opponent(), position.mover());
}

double textbook(const Position& position, int depth, bool agent_to_move, NodeBudget& budget) {
  if (!budget.spend()) return 0;
  if (const auto leaf = leaf_value(position, agent_to_move, depth)) return *leaf;
  double best = -kInfinity;
  double sum = 0;
  int moves = 0;
  for (const Column c : game::kAllColumns) {
    if (!position.can_play(c)) continue;
    const double value = textbook(position.after(c), depth - 1, !agent_to_move, budget);
    best = std::max(best, value);
    sum += value;
    ++moves;
  }
  return agent_to_move ? best : sum / moves;
}

/// The listing, with its names.
double dublin(const Position& position, int depth, double alpha, double beta,
              bool maximizing_player, NodeBudget& budget, std::optional<Column>* best_move) {
  if (!budget.spend()) return 0;
  if (const auto leaf = leaf_value(position, maximizing_player, depth)) return *leaf;
  const int no_of_valid_moves = game::count(position.legal_moves());
  double utility = maximizing_player ? -kInfinity : kInfinity;
  for (const Column move : game::kAllColumns) {
    if (!position.can_play(move)) continue;
    const double new_utility =
        dublin(position.after(move), depth - 1, alpha, beta, !maximizing_player, budget, nullptr);
    if (maximizing_player ? new_utility > utility : new_utility <= utility) {
      utility = new_utility;
      if (best_move != nullptr) *best_move = move;
    }
    if (maximizing_player) {
      alpha = std::max(alpha, utility);
    } else {
      beta = utility / no_of_valid_moves;
    }
    if (alpha >= beta) break;
  }
  return utility;
}

DublinChoice dublin_choice(const Position& position, int depth, NodeBudget& budget) {
  std::optional<Column> move;
  const double utility = dublin(position, depth, -kInfinity, kInfinity, true, budget, &move);
  return {.column = move.value_or(Column(0)), .utility = utility};
}

double evidence_value(double value) { return std::tanh(value / 100.0); }

}  // namespace

Decision ExpectimaxAgent::think(const Position& position, const BudgetMeter& meter) {
  NodeBudget budget(meter);
  const int last_depth = std::min(options_.depth, game::kCells - position.discs());
  const RootValues values = deepen(
      position, std::min(2, last_depth), last_depth,
      [&](Column c, int depth) -> std::optional<double> {
        budget.set_may_abort(depth > 2);
        const Position after = position.after(c);
        // One more than any other value, so that a win at hand is never put off.
        const double value = after.outcome().result != game::GameResult::kOngoing &&
                                     after.outcome().result != game::GameResult::kDraw
                                 ? kWon + 1
                                 : textbook(after, depth - 1, false, budget);
        if (budget.aborted()) return std::nullopt;
        return value;
      },
      [](const std::vector<RootMove>& moves) {
        return std::any_of(moves.begin(), moves.end(),
                           [](const RootMove& m) { return m.value > kWon; });
      });
  Decision decision{.column = best_column(position, values.moves, options_.ties, rng_),
                    .nodes = budget.nodes(),
                    .depth = values.depth};
  for (const RootMove& move : values.moves) {
    decision.moves.push_back({.column = move.column, .value = evidence_value(move.value)});
  }
  if (position.winning_moves() != 0) {
    decision.proven = Proven{.value = Proven::Value::kWin, .plies = 1};
  }
  return decision;
}

Decision DublinExpectimaxAgent::think(const Position& position, const BudgetMeter& meter) {
  NodeBudget budget(meter);
  DublinChoice choice = dublin_choice(position, 1, budget);
  Decision decision{.column = choice.column, .depth = 1};
  budget.set_may_abort(true);
  for (int depth = 2; depth <= options_.depth; ++depth) {
    choice = dublin_choice(position, depth, budget);
    if (budget.aborted()) break;
    decision.column = choice.column;
    decision.depth = depth;
  }
  decision.nodes = budget.nodes();
  return decision;
}

double expectimax_move_value(const Position& position, Column move, int depth) {
  const BudgetMeter unlimited({}, {});
  NodeBudget budget(unlimited);
  return textbook(position.after(move), depth - 1, false, budget);
}

DublinChoice dublin_expectimax(const Position& position, int depth) {
  const BudgetMeter unlimited({}, {});
  NodeBudget budget(unlimited);
  return dublin_choice(position, depth, budget);
}

}  // namespace rowbot::agents::lookahead
