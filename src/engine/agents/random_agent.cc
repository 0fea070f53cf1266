#include "engine/agents/random_agent.h"

#include <cassert>

namespace rowbot::agents {
namespace {

using game::Bits;
using game::Column;

/// One of the squares' columns, each as likely; requires squares != 0, at most one a column.
Column pick(Bits squares, Rng& rng) {
  assert(squares != 0);
  std::uint32_t skip = rng.below(static_cast<std::uint32_t>(game::count(squares)));
  while (skip-- > 0) squares &= squares - 1;
  return Column(game::lowest_column(squares));
}

/// The squares forward checking chooses among, best reason first.
Bits forward_moves(const game::Position& position) {
  if (const Bits wins = position.winning_moves(); wins != 0) return wins;
  const Bits legal = position.legal_moves();
  const Bits threats = position.opponent_threats();
  if (const Bits blocks = legal & threats; blocks != 0) return blocks;
  if (const Bits careful = legal & ~(threats >> 1); careful != 0) return careful;
  return legal;
}

}  // namespace

Decision RandomAgent::think(const game::Position& position, const BudgetMeter& /*meter*/) {
  return {.column = pick(position.legal_moves(), rng_)};
}

Decision ForwardAgent::think(const game::Position& position, const BudgetMeter& /*meter*/) {
  Decision decision{.column = pick(forward_moves(position), rng_), .depth = 1};
  if (position.winning_moves() != 0) {
    decision.proven = Proven{.value = Proven::Value::kWin, .plies = 1};
  }
  return decision;
}

}  // namespace rowbot::agents
