#include "engine/agents/agent.h"

#include <cassert>

namespace rowbot::agents {

Result<Decision> Agent::choose(const game::Position& position, const Budget& budget, StopToken stop,
                               const Clock& clock) {
  if (position.outcome().finished()) {
    return Error{"the game is over: there is no move to choose; start a new game or undo"};
  }
  const BudgetMeter meter(budget, stop, clock);
  Decision decision = think(position, meter);
  assert(position.can_play(decision.column));
  decision.elapsed = meter.elapsed();
  return decision;
}

}  // namespace rowbot::agents
