// The two players that do not search: random, and forward checking, which looks one move ahead.
// Thread safety: as Agent.
#pragma once

#include <cstdint>

#include "base/rng.h"
#include "engine/agents/agent.h"

namespace rowbot::agents {

struct RandomOptions {
  std::uint64_t seed = 1;
};

/// Any legal move, each as likely as the others.
class RandomAgent final : public Agent {
 public:
  explicit RandomAgent(const RandomOptions& options) : rng_(options.seed) {}

  [[nodiscard]] Budget budget() const override { return {}; }
  [[nodiscard]] Claims claims() const override { return {}; }
  void start_game(std::uint64_t seed) override { rng_ = Rng(seed); }

 private:
  [[nodiscard]] Decision think(const game::Position& position, const BudgetMeter& meter) override;

  Rng rng_;
};

/// Forward checking: win; else stop a win of the opponent; else do not hand it one on top of
/// one's own disc; else any legal move.
class ForwardAgent final : public Agent {
 public:
  explicit ForwardAgent(const RandomOptions& options) : rng_(options.seed) {}

  [[nodiscard]] Budget budget() const override { return {}; }
  [[nodiscard]] Claims claims() const override { return {.takes_wins = true, .blocks_wins = true}; }
  void start_game(std::uint64_t seed) override { rng_ = Rng(seed); }

 private:
  [[nodiscard]] Decision think(const game::Position& position, const BudgetMeter& meter) override;

  Rng rng_;
};

}  // namespace rowbot::agents
