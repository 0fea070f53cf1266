#include "engine/agents/perfect.h"

#include <vector>

#include "engine/agents/pick_move.h"
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

Bits squares_of(const Position& position, const std::vector<Column>& columns) {
  Bits squares = 0;
  for (const Column c : columns) squares |= position.legal_moves() & game::column_mask(c.index());
  return squares;
}

}  // namespace

PerfectAgent::PerfectAgent(const PerfectOptions& options)
    : SeededAgent(options),
      solver_({.table_mb = solver::table_mb(options.resources),
               .threads = options.threads,
               .book = &solver::Book::built_in()}) {}

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
    return {.column = pick_natural(choice, rng_)};
  }

  const Proven proven = proven_by(solved->score, position.discs());
  Bits choice = squares_of(position, solved->columns);
  // When all is lost every move may be a longest defence; still stop what can be stopped.
  if ((choice & obvious) != 0) choice &= obvious;
  Decision decision{.column = pick_any(choice, rng_),
                    .nodes = solved->nodes,
                    .depth = proven.plies,
                    .proven = proven};
  for (const Column c : solved->columns) {
    decision.moves.push_back({.column = c, .proven = proven});
  }
  return decision;
}

}  // namespace rowbot::agents
