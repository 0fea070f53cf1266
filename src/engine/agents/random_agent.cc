#include "engine/agents/random_agent.h"

#include "engine/agents/pick_move.h"

namespace rowbot::agents {
namespace {

using game::Bits;

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
  return {.column = pick_any(position.legal_moves(), rng_)};
}

Decision ForwardAgent::think(const game::Position& position, const BudgetMeter& /*meter*/) {
  Decision decision{.column = pick_any(forward_moves(position), rng_), .depth = 1};
  if (position.winning_moves() != 0) {
    decision.proven = Proven{.value = Proven::Value::kWin, .plies = 1};
  }
  return decision;
}

}  // namespace rowbot::agents
