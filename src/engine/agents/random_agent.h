// The two players that do not search: random, and forward checking, which looks one move ahead.
// Thread safety: as Agent.
#pragma once

#include <cstdint>

#include "engine/agents/agent.h"

namespace rowbot::agents {

struct RandomOptions {
  std::uint64_t seed = 1;
};

/// Any legal move, each as likely as the others.
class RandomAgent final : public SeededAgent<RandomOptions> {
 public:
  using SeededAgent::SeededAgent;

  [[nodiscard]] Claims claims() const override { return {}; }

 private:
  [[nodiscard]] Decision think(const game::Position& position, const BudgetMeter& meter) override;
};

/// Forward checking: win; else stop a win of the opponent; else do not hand it one on top of
/// one's own disc; else any legal move.
class ForwardAgent final : public SeededAgent<RandomOptions> {
 public:
  using SeededAgent::SeededAgent;

  [[nodiscard]] Claims claims() const override { return {.takes_wins = true, .blocks_wins = true}; }

 private:
  [[nodiscard]] Decision think(const game::Position& position, const BudgetMeter& meter) override;
};

}  // namespace rowbot::agents
