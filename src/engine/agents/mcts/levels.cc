#include "engine/agents/mcts/levels.h"

#include <chrono>

namespace rowbot::agents::mcts {
namespace {

using std::chrono::milliseconds;

constexpr Budget only_simulations(std::uint64_t simulations) {
  return {.simulations = simulations};
}

constexpr Budget only_time(milliseconds time) { return {.time = time}; }

constexpr Budget both(milliseconds time, std::uint64_t simulations) {
  return {.time = time, .simulations = simulations, .rule = Budget::Rule::kAllReached};
}

}  // namespace

const std::array<Level, 12>& levels() {
  static constexpr std::array<Level, 12> kLevels{{
      {.name = "beginner1", .budget = only_simulations(10), .blunders = 0.5},
      {.name = "beginner2", .budget = only_simulations(30), .blunders = 0.3},
      {.name = "beginner3", .budget = only_simulations(80), .blunders = 0.15},
      {.name = "pi-easy", .budget = only_simulations(175)},
      {.name = "pi-moderate", .budget = only_simulations(840)},
      {.name = "pi-hard", .budget = only_simulations(31'500)},
      {.name = "easy", .budget = both(milliseconds(15), 175)},
      {.name = "moderate", .budget = both(milliseconds(60), 840)},
      {.name = "hard", .budget = both(milliseconds(1500), 31'500)},
      {.name = "table1", .budget = only_time(milliseconds(100))},
      {.name = "table2", .budget = only_time(milliseconds(1000))},
      {.name = "table3", .budget = only_time(milliseconds(5000))},
  }};
  return kLevels;
}

Options at_level(Options options, const Level& level) {
  const auto memory = options.budget.memory_bytes;
  options.budget = level.budget;
  options.budget.memory_bytes = memory;
  options.blunders = level.blunders;
  return options;
}

}  // namespace rowbot::agents::mcts
