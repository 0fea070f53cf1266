// What the solver says to people: the scores of a position, a hint, and the review of a game.
// Thread safety: pure functions but for the solver, which serves one caller at a time.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/stop.h"
#include "engine/solver/solver.h"
#include "game/column.h"
#include "game/outcome.h"
#include "game/position.h"

namespace rowbot::server {

struct Analysis {
  int score = 0;  ///< for the side to move; solver/score.h
  std::array<std::optional<int>, game::kColumns> scores;
  std::vector<game::Column> best;
  game::GameResult result = game::GameResult::kOngoing;  ///< with best play
  int plies = 0;                                         ///< until the end, with best play
  std::string text;
  std::vector<game::Column> line;  ///< best play of both sides, as far as it is quickly known
};

/// Nothing when it was stopped or the position is too hard for the moment. Also for finished games.
[[nodiscard]] std::optional<Analysis> analyse(solver::Solver& solver,
                                              const game::Position& position, StopToken stop);

struct Hint {
  game::Column column;
  int score;
  std::string text;  ///< "wins in 5 moves"
};

/// Of several best moves the one nearest to the centre. Requires an unfinished game.
[[nodiscard]] std::optional<Hint> hint(solver::Solver& solver, const game::Position& position,
                                       StopToken stop);

struct ReviewedMove {
  int ply;  ///< 1 for the first move on the empty board
  game::Column column;
  int score;  ///< of the move played, for its player
  std::vector<game::Column> best;
  int best_score;
  bool kept;  ///< still won, drawn or lost as before
  std::string text;
};

struct Review {
  std::vector<ReviewedMove> moves;
  std::optional<int> turning_point;  ///< the ply after which the result did not change any more
  std::string summary;
};

/// `start` moves at the beginning were set up, not played.
[[nodiscard]] std::optional<Review> review(solver::Solver& solver,
                                           std::span<const game::Column> moves, std::size_t start,
                                           game::GameResult result, StopToken stop);

}  // namespace rowbot::server
