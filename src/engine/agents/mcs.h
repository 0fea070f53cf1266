// Monte Carlo Search (Carlo 2020, section 2.2.1 and Algorithm 1): the time or the simulations are
// split evenly over the legal moves; each move is worth
//   (wins - losses) / simulations     (equation 2.1)
// of random playouts after it; the best is played, the leftmost of equals. A move that wins at once
// is played without any.
// Thread safety: as Agent.
#pragma once

#include <chrono>
#include <cstdint>

#include "engine/agents/agent.h"
#include "engine/agents/playout/playout.h"

namespace rowbot::agents {

struct McsOptions {
  playout::Policy playout = playout::Policy::kUniform;
  Budget budget{.time = std::chrono::milliseconds(100)};
  std::uint64_t seed = 1;
};

class McsAgent final : public SeededAgent<McsOptions> {
 public:
  using SeededAgent::SeededAgent;

  [[nodiscard]] Claims claims() const override { return {.takes_wins = true}; }

 private:
  [[nodiscard]] Decision think(const game::Position& position, const BudgetMeter& meter) override;
};

}  // namespace rowbot::agents
