// Any agent, made to play worse on purpose: for people who should win now and then.
// Thread safety: as Agent.
#pragma once

#include <cstdint>
#include <memory>

#include "engine/agents/agent.h"

namespace rowbot::agents {

/// Both are shares of the moves, from 0 to 1.
struct Weakness {
  /// Made without thinking: any legal move.
  double blunders = 0;
  /// Other than the best the agent knows, but natural: never one that misses a win or a block, and
  /// towards the centre more often than not.
  double error = 0;

  [[nodiscard]] bool any() const { return blunders > 0 || error > 0; }
};

/// The agent itself when there is no weakness.
[[nodiscard]] std::unique_ptr<Agent> weakened(std::unique_ptr<Agent> agent,
                                              const Weakness& weakness, std::uint64_t seed);

}  // namespace rowbot::agents
