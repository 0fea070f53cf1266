#include "engine/solver/solver.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <utility>

#include "base/parallel.h"
#include "engine/solver/bounds.h"
#include "engine/solver/windows.h"

namespace rowbot::solver {
namespace {

/// Nodes one thread searches alone before it calls the others: below this, starting threads costs
/// more than they bring.
constexpr std::uint64_t kAloneNodes = 20'000;

Bounds range_of(const Request& request) {
  return request.weak ? Bounds{.lower = -1, .upper = 1} : Bounds{.lower = -21, .upper = 21};
}

}  // namespace

std::size_t table_mb(const Resources& resources) {
  return std::clamp<std::size_t>(resources.memory_bytes >> 24U, 1, 64);
}

/// One call's limits and counts.
struct Solver::Effort {
  explicit Effort(const Request& r) : request(r), node_limit(r.nodes.value_or(UINT64_MAX)) {}

  [[nodiscard]] std::uint64_t left() const { return node_limit - std::min(node_limit, nodes); }
  [[nodiscard]] bool given_up() const {
    return left() == 0 || request.stop.stop_requested() || request.deadline.passed();
  }

  const Request& request;
  std::uint64_t node_limit;
  std::uint64_t nodes = 0;
};

Solver::Solver(const SolverOptions& options) : options_(options), table_(options.table_mb) {
  assert(options.threads >= 1);
  threads_.resize(static_cast<std::size_t>(options.threads));
}

void Solver::forget() {
  table_.next_generation();
  for (SearchThread& thread : threads_) thread.history.clear();
}

/// Makes a thread ready for one null window.
void Solver::set_up(SearchThread& thread, const Effort& effort, std::uint64_t nodes) {
  thread.table = &table_;
  thread.deadline = effort.request.deadline;
  thread.stop = effort.request.stop;
  thread.overtaken = {};
  thread.jitter = 0;
  thread.nodes = 0;
  thread.gave_up = false;
  thread.node_limit = nodes;
}

std::optional<int> Solver::null_window(const game::Position& position, int alpha, Effort& effort) {
  SearchThread& thread = threads_.front();
  const bool alone = threads_.size() == 1;
  set_up(thread, effort, alone ? effort.left() : std::min(effort.left(), kAloneNodes));
  const int value = search_null_window(thread, position, alpha);
  effort.nodes += thread.nodes;
  if (!thread.gave_up) return value;
  if (alone || effort.given_up()) return std::nullopt;
  return null_window_parallel(position, alpha, effort);
}

std::optional<int> Solver::null_window_parallel(const game::Position& position, int alpha,
                                                Effort& effort) {
  // All threads search the same tree in slightly different orders and find each other's results
  // in the table. The first to finish stops the others; every answer is exact, so it does not
  // matter which one it is.
  std::atomic<int> answer{kUnbounded};
  StopSource answered;
  run_parallel(threads_.size(), [&](std::size_t i) {
    SearchThread& thread = threads_[i];
    set_up(thread, effort, effort.left());
    thread.overtaken = answered.get_token();
    thread.jitter = i;
    const int value = search_null_window(thread, position, alpha);
    if (thread.gave_up) return;
    answer.store(value, std::memory_order_relaxed);
    answered.request_stop();
  });
  for (const SearchThread& thread : threads_) effort.nodes += thread.nodes;
  const int value = answer.load(std::memory_order_relaxed);
  if (value == kUnbounded) return std::nullopt;
  return value;
}

std::optional<Score> Solver::solve(const game::Position& position, Bounds range, Effort& effort) {
  assert(!position.outcome().finished());
  const int discs = position.discs();
  Bounds known = possible_scores(discs);
  if (options_.book != nullptr) {
    if (const auto score = options_.book->find(position)) {
      return Score(std::clamp(score->value(), range.lower, range.upper));
    }
  }
  if (position.winning_moves() != 0) {
    return Score(std::clamp(win_now(discs), range.lower, range.upper));
  }
  std::optional<Score> at_least;
  if (options_.book != nullptr) at_least = options_.book->at_least(position);
  if (at_least) known.lower = std::max(known.lower, at_least->value());
  known.lower = std::clamp(known.lower, range.lower, range.upper);
  known.upper = std::clamp(known.upper, range.lower, range.upper);
  while (known.lower < known.upper) {
    // What the book says at least is often the score: then one question is enough.
    const int alpha = std::exchange(at_least, {}) ? known.lower : next_alpha(known, discs);
    const auto value = null_window(position, alpha, effort);
    if (!value) return std::nullopt;
    if (*value > alpha) {
      known.lower = std::min(*value, known.upper);
    } else {
      known.upper = std::max(*value, known.lower);
    }
  }
  return Score(known.lower);
}

std::optional<Solution> Solver::score(const game::Position& position, const Request& request) {
  Effort effort(request);
  const auto score = solve(position, range_of(request), effort);
  if (!score) return std::nullopt;
  return Solution{.score = *score, .nodes = effort.nodes};
}

std::optional<Score> Solver::solve_move(const game::Position& position, game::Column column,
                                        Bounds range, Effort& effort) {
  const game::Position next = position.after(column);
  const game::Outcome outcome = next.outcome();
  if (outcome.result == game::GameResult::kDraw) return Score(0);
  if (outcome.finished()) return Score(std::min(win_now(position.discs()), range.upper));
  const auto reply = solve(next, {.lower = -range.upper, .upper = -range.lower}, effort);
  if (!reply) return std::nullopt;
  return -*reply;
}

std::optional<ColumnSolution> Solver::column_scores(const game::Position& position,
                                                    const Request& request) {
  Effort effort(request);
  ColumnSolution solution;
  for (const game::Column column : game::kAllColumns) {
    if (!position.can_play(column)) continue;
    const auto score = solve_move(position, column, range_of(request), effort);
    if (!score) return std::nullopt;
    solution.scores.at(static_cast<std::size_t>(column.index())) = score;
  }
  solution.nodes = effort.nodes;
  return solution;
}

std::optional<BestMoves> Solver::best_moves(const game::Position& position,
                                            const Request& request) {
  Effort effort(request);
  const auto best = solve(position, range_of(request), effort);
  if (!best) return std::nullopt;
  BestMoves moves{.score = *best};
  for (const game::Column column : game::kAllColumns) {
    if (!position.can_play(column)) continue;
    const auto good = reaches(position, column, *best, effort);
    if (!good) return std::nullopt;
    if (*good) moves.columns.push_back(column);
  }
  assert(!moves.columns.empty());
  moves.nodes = effort.nodes;
  return moves;
}

/// Whether a move keeps the position's score. No move scores more: one null window tells.
std::optional<bool> Solver::reaches(const game::Position& position, game::Column column,
                                    Score score, Effort& effort) {
  const int below = std::max(score.value() - 1, range_of(effort.request).lower);
  const auto found = solve_move(position, column, {.lower = below, .upper = score.value()}, effort);
  if (!found) return std::nullopt;
  return *found >= score;
}

std::vector<game::Column> Solver::principal_variation(game::Position position, Score score,
                                                      const Request& request) {
  static constexpr std::array<int, game::kColumns> kCentreFirst{3, 2, 4, 1, 5, 0, 6};
  Effort effort(request);
  std::vector<game::Column> line;
  while (!position.outcome().finished()) {
    const auto best = std::find_if(kCentreFirst.begin(), kCentreFirst.end(), [&](int index) {
      const game::Column column(index);
      return position.can_play(column) && reaches(position, column, score, effort).value_or(false);
    });
    if (best == kCentreFirst.end() || effort.given_up()) break;
    line.emplace_back(*best);
    position = position.after(line.back());
    score = -score;
  }
  return line;
}

}  // namespace rowbot::solver
