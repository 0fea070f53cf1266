// The agent `q`: plays what an experience says, and may go on learning while it plays.
// Thread safety: as Agent.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/rng.h"
#include "engine/agents/agent.h"
#include "engine/learn/experience.h"
#include "engine/learn/q_learner.h"

namespace rowbot::learn {

struct QAgentOptions {
  QOptions learner;
  std::string experience;  ///< path of a file that exists; empty: it knows nothing at first
  bool learn = false;      ///< learns, and writes to the file after each game
  std::uint64_t seed = 1;
};

/// Evidence about the legal moves that have been tried, from left to right; values as shares of the
/// largest reward.
[[nodiscard]] std::vector<agents::MoveEvidence> evidence_of(const game::Position& position,
                                                            const State& state,
                                                            const ActionValues& values,
                                                            const Rewards& rewards);

class QAgent final : public agents::Agent {
 public:
  /// Opens the experience, without loading it.
  [[nodiscard]] static Result<std::unique_ptr<agents::Agent>> make(const QAgentOptions& options);

  [[nodiscard]] agents::Budget budget() const override { return {}; }
  [[nodiscard]] agents::Claims claims() const override { return {}; }
  void start_game(std::uint64_t seed) override;
  [[nodiscard]] Result<void> end_game(const game::Position& position) override;

 private:
  QAgent(const QAgentOptions& options, Experience experience);
  [[nodiscard]] agents::Decision think(const game::Position& position,
                                       const agents::BudgetMeter& meter) override;

  QAgentOptions options_;
  Experience experience_;
  QLearner learner_;
  Rng rng_;
};

}  // namespace rowbot::learn
