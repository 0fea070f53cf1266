// What all the agents that look a fixed number of plies ahead share: deepen step by step, keep the
// last depth that was finished, choose among equals.
// Thread safety: pure functions; the Rng is the caller's.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/rng.h"
#include "engine/agents/budget.h"
#include "engine/agents/decision.h"
#include "game/position.h"

namespace rowbot::agents::lookahead {

/// Which of several moves of the same value is played.
enum class Ties : std::uint8_t {
  kLeft,    ///< the leftmost, as the papers' loops do
  kCentre,  ///< the one nearest to the centre, the left one first
  kRandom,  ///< any
};

template <int kDepth, Ties kTies>
struct LookaheadOptions {
  int depth = kDepth;  ///< plies; with a time limit it deepens up to here
  Ties ties = kTies;
  Budget budget;
  std::uint64_t seed = 1;
};

/// Counts nodes and says when the budget has run out.
class NodeBudget {
 public:
  explicit NodeBudget(const BudgetMeter& meter) : meter_(meter) {}

  /// False once the search must end.
  bool spend() {
    ++nodes_;
    if (nodes_ % 64 == 0 && may_abort_ && meter_.exhausted(nodes_)) aborted_ = true;
    return !aborted_;
  }
  [[nodiscard]] bool aborted() const { return aborted_; }
  [[nodiscard]] std::uint64_t nodes() const { return nodes_; }
  /// Whether the budget may end the search; off until a first answer is known.
  void set_may_abort(bool may_abort) { may_abort_ = may_abort; }

 private:
  const BudgetMeter& meter_;
  std::uint64_t nodes_ = 0;
  bool may_abort_ = false;
  bool aborted_ = false;
};

struct RootMove {
  game::Column column;
  double value = 0;
};

/// The moves of the deepest level that was finished.
struct RootValues {
  std::vector<RootMove> moves;  ///< from left to right
  int depth = 0;
};

/// Calls `evaluate_move(column, depth)` -> optional<double> for every legal move, from
/// `first_depth` to `last_depth`; absent means out of budget. The first level must not be refused.
/// Stops early when `settled(moves)` says that deeper levels cannot change the choice.
template <class EvaluateMove, class Settled>
RootValues deepen(const game::Position& position, int first_depth, int last_depth,
                  EvaluateMove evaluate_move, Settled settled) {
  RootValues finished;
  for (int depth = first_depth; depth <= last_depth; ++depth) {
    RootValues level{.moves = {}, .depth = depth};
    for (const game::Column c : game::kAllColumns) {
      if (!position.can_play(c)) continue;
      const std::optional<double> value = evaluate_move(c, depth);
      if (!value) return finished;
      level.moves.push_back({.column = c, .value = *value});
    }
    finished = level;
    if (settled(finished.moves)) break;
  }
  return finished;
}

/// The column with the best value; requires at least one move. When all is lost anyway it still
/// stops what the opponent could do at once: people overlook things.
[[nodiscard]] game::Column best_column(const game::Position& position,
                                       const std::vector<RootMove>& moves, Ties ties, Rng& rng);

}  // namespace rowbot::agents::lookahead
