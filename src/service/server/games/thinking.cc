#include "service/server/games/thinking.h"

#include <algorithm>
#include <chrono>
#include <new>
#include <random>

#include "game/bits.h"

namespace rowbot::server {
namespace {

constexpr std::chrono::seconds kMostTime{2};
/// For agents that know by themselves when they are done: perfect play is soon found, and wrong
/// when it is cut short.
constexpr std::chrono::seconds kMostTimeUnlimited{10};
constexpr std::uint64_t kMostMemory = 32U << 20;

/// The agent's own limits, or tighter ones.
agents::Budget bounded(agents::Budget budget) {
  if (budget.rule == agents::Budget::Rule::kAllReached && budget.simulations) {
    budget.time = std::nullopt;  // "at least": the server waits for the time by itself
  }
  budget.rule = agents::Budget::Rule::kFirstReached;
  const bool unlimited = !budget.time && !budget.simulations;
  const std::chrono::nanoseconds most = unlimited ? kMostTimeUnlimited : kMostTime;
  budget.time = std::min(budget.time.value_or(most), most);
  budget.memory_bytes = std::min(budget.memory_bytes.value_or(kMostMemory), kMostMemory);
  return budget;
}

}  // namespace

agents::Decision decide(Tools& tools, const roster::AgentSpec& agent,
                        const game::Position& position, StopToken stop) {
  try {
    if (auto made = tools.agent(agent)) {
      std::random_device seed;
      (*made)->start_game((std::uint64_t{seed()} << 32) | seed());
      auto decision = (*made)->choose(position, bounded((*made)->budget()), stop);
      if (decision && position.can_play(decision->column)) return *std::move(decision);
    }
  } catch (const std::bad_alloc&) {
    tools.clear();
  }
  const game::Bits safe = position.non_losing_moves();
  return {.column = game::Column(game::lowest_column(safe != 0 ? safe : position.legal_moves()))};
}

}  // namespace rowbot::server
