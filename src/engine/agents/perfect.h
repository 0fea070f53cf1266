// Perfect play: always a best move, by book and solver.
// Thread safety: as Agent.
#pragma once

#include <cstdint>
#include <optional>

#include "base/resources.h"
#include "engine/agents/agent.h"
#include "engine/solver/solver.h"

namespace rowbot::agents {

struct PerfectOptions {
  Budget budget;  ///< none: thinks until the position is solved
  int threads = 1;
  std::uint64_t seed = 1;
  Resources resources;
};

/// The quickest win, the longest defence, and any of several equals. When the budget ends before
/// the position is solved, it plays like forward checking.
class PerfectAgent final : public SeededAgent<PerfectOptions> {
 public:
  explicit PerfectAgent(const PerfectOptions& options);

  [[nodiscard]] Claims claims() const override { return {.takes_wins = true, .blocks_wins = true}; }

 private:
  [[nodiscard]] Decision think(const game::Position& position, const BudgetMeter& meter) override;
  [[nodiscard]] std::optional<solver::BestMoves> solve(const game::Position& position,
                                                       const BudgetMeter& meter);

  solver::Solver solver_;
};

}  // namespace rowbot::agents
