// The agent `mcts`: a search, one or several threads, and the final choice.
// Thread safety: as Agent; it starts and joins its own threads.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/rng.h"
#include "engine/agents/agent.h"
#include "engine/agents/mcts/options.h"
#include "engine/agents/mcts/search.h"
#include "engine/agents/mcts/solver_proof.h"

namespace rowbot::agents::mcts {

class MctsAgent final : public Agent {
 public:
  explicit MctsAgent(const Options& options);

  [[nodiscard]] Budget budget() const override { return options_.budget; }
  [[nodiscard]] Claims claims() const override;
  void start_game(std::uint64_t seed) override;

  /// Memory of the tree of the last search.
  [[nodiscard]] std::uint64_t tree_bytes() const;

 private:
  [[nodiscard]] Decision think(const game::Position& position, const BudgetMeter& meter) override;
  [[nodiscard]] std::optional<SolverProof::Best> solve(const game::Position& position,
                                                       const BudgetMeter& meter);
  void run_all(const BudgetMeter& meter);
  [[nodiscard]] std::vector<RootMove> root_moves() const;

  Options options_;
  Rng rng_;
  std::optional<SolverProof> solver_;
  std::vector<std::unique_ptr<Search>> searches_;  // one, or one for each thread
};

}  // namespace rowbot::agents::mcts
