#include "engine/agents/agent.h"

#include <cassert>
#include <utility>

namespace rowbot::agents {

Result<Decision> Agent::choose(const game::Position& position, const Budget& budget,
                               std::stop_token stop) {
  if (position.outcome().finished()) {
    return Error{"the game is over: there is no move to choose; start a new game or undo"};
  }
  const BudgetMeter meter(budget, std::move(stop));
  Decision decision = think(position, meter);
  assert(position.can_play(decision.column));
  decision.elapsed = meter.elapsed();
  return decision;
}

}  // namespace rowbot::agents
