// Perfect play: the exact score of any position.
//
//   Solver solver({.threads = 2});
//   const auto solution = solver.score(position);   // strong: how soon
//   const auto columns = solver.column_scores(position);
//
// Thread safety: a Solver serves one caller at a time and uses threads of its own. Stopping works
// from any thread. Solvers may share a Book.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/clock.h"
#include "base/resources.h"
#include "base/stop.h"
#include "engine/solver/book.h"
#include "engine/solver/score.h"
#include "engine/solver/search.h"
#include "engine/solver/table.h"
#include "game/column.h"
#include "game/position.h"

namespace rowbot::solver {

struct SolverOptions {
  std::size_t table_mb = 16;  ///< rounded down to a power of two
  int threads = 1;
  const Book* book = nullptr;  ///< none: everything is searched. Must outlive the solver.
};

/// A solver's part of the memory: a sixteenth, from 1 to 64 megabytes.
[[nodiscard]] std::size_t table_mb(const Resources& resources);

/// What to find out, and when to give up. Without limits a solver always finds it.
struct Request {
  bool weak = false;                   ///< only win, draw or loss: 1, 0 or -1; cheaper
  std::optional<std::uint64_t> nodes;  ///< of each thread
  Deadline deadline;
  StopToken stop;
};

struct Solution {
  Score score;
  std::uint64_t nodes = 0;  ///< positions visited by all threads
};

/// For each column the score of the position if the side to move plays there; nothing for a
/// full column.
using ColumnScores = std::array<std::optional<Score>, game::kColumns>;

struct ColumnSolution {
  ColumnScores scores;
  std::uint64_t nodes = 0;
};

struct BestMoves {
  Score score;
  std::vector<game::Column> columns;  ///< all that reach the score, from left to right
  std::uint64_t nodes = 0;
};

/// All functions require an unfinished game and block until done; they return nothing when a
/// limit was reached before, but for the variation. What was learnt stays in the table.
class Solver {
 public:
  explicit Solver(const SolverOptions& options = {});

  [[nodiscard]] std::optional<Solution> score(const game::Position& position,
                                              const Request& request = {});
  /// The score of every column.
  [[nodiscard]] std::optional<ColumnSolution> column_scores(const game::Position& position,
                                                            const Request& request = {});
  /// The best score and the moves that reach it: quickest win, longest defence. Cheaper than all
  /// columns' scores.
  [[nodiscard]] std::optional<BestMoves> best_moves(const game::Position& position,
                                                    const Request& request = {});
  /// Best play of both sides from a position with this score, to the end of the game or as far as
  /// the limits allow. Of several best moves the one nearest to the centre, on the left of two.
  [[nodiscard]] std::vector<game::Column> principal_variation(game::Position position, Score score,
                                                              const Request& request = {});

  /// Makes the table cold: nothing learnt before is used any more.
  void forget();
  /// Touches all of the table's memory, so that no later call has to wait for it.
  void prepare() { table_.clear(); }

 private:
  struct Effort;  // what one call may spend and has spent

  void set_up(SearchThread& thread, const Effort& effort, std::uint64_t nodes);
  [[nodiscard]] std::optional<Score> solve(const game::Position& position, Bounds range,
                                           Effort& effort);
  [[nodiscard]] std::optional<Score> solve_move(const game::Position& position, game::Column column,
                                                Bounds range, Effort& effort);
  [[nodiscard]] std::optional<bool> reaches(const game::Position& position, game::Column column,
                                            Score score, Effort& effort);
  [[nodiscard]] std::optional<int> null_window(const game::Position& position, int alpha,
                                               Effort& effort);
  [[nodiscard]] std::optional<int> null_window_parallel(const game::Position& position, int alpha,
                                                        Effort& effort);

  SolverOptions options_;
  Table table_;
  std::vector<SearchThread> threads_;
};

}  // namespace rowbot::solver
