#include "engine/agents/perfect.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "game/bits.h"

namespace rowbot::agents {
namespace {

using game::Bits;
using game::Column;
using game::Position;

Proven proven_by(solver::Score score, int discs) {
  const auto value = score.value() > 0   ? Proven::Value::kWin
                     : score.value() < 0 ? Proven::Value::kLoss
                                         : Proven::Value::kDraw;
  return {.value = value, .plies = solver::plies_to_end(score, discs)};
}

/// The moves nobody overlooks: a win at once, else the square where the opponent would win.
/// Nothing if there are none.
Bits obvious_moves(const Position& position) {
  if (const Bits wins = position.winning_moves(); wins != 0) return wins;
  return position.opponent_threats() & position.legal_moves();
}

/// One of the squares' columns, the nearer to the centre the likelier.
Column pick_natural(Bits squares, Rng& rng) {
  std::array<std::uint32_t, game::kColumns> weights{};
  std::uint32_t sum = 0;
  for (const Column c : game::kAllColumns) {
    if ((squares & game::column_mask(c.index())) == 0) continue;
    const int from_edge = std::min(c.index(), game::kColumns - 1 - c.index());
    sum += weights.at(static_cast<std::size_t>(c.index())) =
        static_cast<std::uint32_t>(1 + from_edge);
  }
  std::uint32_t draw = rng.below(sum);
  for (const Column c : game::kAllColumns) {
    const std::uint32_t weight = weights.at(static_cast<std::size_t>(c.index()));
    if (draw < weight) return c;
    draw -= weight;
  }
  return Column(game::lowest_column(squares));  // not reached: the draw is below the sum
}

Bits squares_of(const Position& position, const std::vector<Column>& columns) {
  Bits squares = 0;
  for (const Column c : columns) squares |= position.legal_moves() & game::column_mask(c.index());
  return squares;
}

Column pick_any(Bits squares, Rng& rng) {
  for (std::uint32_t skip = rng.below(static_cast<std::uint32_t>(game::count(squares))); skip > 0;
       --skip) {
    squares &= squares - 1;
  }
  return Column(game::lowest_column(squares));
}

}  // namespace

PerfectAgent::PerfectAgent(const PerfectOptions& options)
    : options_(options),
      rng_(options.seed),
      solver_({.threads = options.threads, .book = &solver::Book::built_in()}) {}

std::optional<solver::BestMoves> PerfectAgent::solve(const Position& position,
                                                     const BudgetMeter& meter) {
  if (meter.stopped()) return std::nullopt;
  return solver_.best_moves(position, {.nodes = meter.budget().simulations,
                                       .deadline = meter.deadline(),
                                       .stop = meter.stop_token()});
}

Decision PerfectAgent::think(const Position& position, const BudgetMeter& meter) {
  const Bits obvious = obvious_moves(position);
  const auto solved = solve(position, meter);
  if (!solved) {
    const Bits safe = position.non_losing_moves();
    const Bits choice = obvious != 0 ? obvious : safe != 0 ? safe : position.legal_moves();
    return {.column = pick_natural(choice, rng_), .elapsed = meter.elapsed()};
  }

  const Proven proven = proven_by(solved->score, position.discs());
  Bits choice = squares_of(position, solved->columns);
  // When all is lost every move may be a longest defence; still stop what can be stopped.
  if ((choice & obvious) != 0) choice &= obvious;
  Column column = pick_any(choice, rng_);
  const Bits mistakes = position.legal_moves() & ~squares_of(position, solved->columns);
  if (rng_.uniform() < options_.error && mistakes != 0 && obvious == 0) {
    const Bits natural = mistakes & position.non_losing_moves();
    column = pick_natural(natural != 0 ? natural : mistakes, rng_);
  }
  Decision decision{.column = column,
                    .nodes = solved->nodes,
                    .depth = proven.plies,
                    .proven = proven,
                    .elapsed = meter.elapsed()};
  for (const Column c : solved->columns) {
    decision.moves.push_back({.column = c, .proven = proven});
  }
  return decision;
}

}  // namespace rowbot::agents
