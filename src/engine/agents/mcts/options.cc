#include "engine/agents/mcts/options.h"

#include <numbers>

namespace rowbot::agents::mcts {

Options plain_preset() {
  return {.c = std::numbers::sqrt2,
          .rewards = Rewards::kHalf,
          .playout = playout::Policy::kUniform,
          .proofs = false,
          .bounds = false};
}

Options hybrid_preset() { return {.solver_nodes = 20'000, .leaf_solver_nodes = 30}; }

Options carlo_preset() {
  return {.c = std::numbers::sqrt2,
          .rewards = Rewards::kSigned,
          .visits_of = VisitsOf::kRoot,
          .playout = playout::Policy::kUniform,
          .final_choice = Final::kRobust,
          .proofs = false,
          .bounds = false,
          .batch = 1,
          .budget = {.time = std::chrono::milliseconds(1000)}};
}

Options boehm_preset() {
  return {.c = std::numbers::sqrt2,
          .rewards = Rewards::kHalf,
          .playout = playout::Policy::kWin,
          .final_choice = Final::kMean,
          .proofs = false,
          .bounds = false,
          .batch = 1,
          .budget = {.simulations = 20}};
}

Options dublin_preset() {
  return {.c = std::numbers::sqrt2,
          .rewards = Rewards::kWins,
          .playout = playout::Policy::kUniform,
          .final_choice = Final::kMean,
          .proofs = false,
          .bounds = false,
          .batch = 1,
          .budget = {.time = std::chrono::seconds(2), .simulations = 5000}};
}

}  // namespace rowbot::agents::mcts
