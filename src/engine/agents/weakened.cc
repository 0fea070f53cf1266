#include "engine/agents/weakened.h"

#include <utility>

#include "base/rng.h"
#include "engine/agents/pick_move.h"
#include "game/bits.h"

namespace rowbot::agents {
namespace {

using game::Bits;
using game::Column;
using game::Position;

/// The legal moves that the agent's own evidence calls worse than its choice, or does not know.
Bits mistakes(const Position& position, const Decision& decision) {
  Bits worse = position.legal_moves() & ~game::column_mask(decision.column.index());
  for (const MoveEvidence& move : decision.moves) {
    if (decision.proven && move.proven == decision.proven) {
      worse &= ~game::column_mask(move.column.index());
    }
  }
  return worse;
}

class WeakenedAgent final : public Agent {
 public:
  WeakenedAgent(std::unique_ptr<Agent> agent, const Weakness& weakness, std::uint64_t seed)
      : agent_(std::move(agent)), weakness_(weakness), rng_(own_seed(seed)) {}

  [[nodiscard]] Budget budget() const override { return agent_->budget(); }
  [[nodiscard]] Claims claims() const override {
    Claims claims = agent_->claims();
    claims.takes_wins = claims.takes_wins && weakness_.blunders == 0;
    claims.blocks_wins = claims.blocks_wins && weakness_.blunders == 0;
    return claims;
  }
  void start_game(std::uint64_t seed) override {
    agent_->start_game(seed);
    rng_ = Rng(own_seed(seed));
  }
  [[nodiscard]] Result<void> end_game(const Position& position) override {
    return agent_->end_game(position);
  }

 private:
  /// Unrelated to the randomness of the agent inside, which begins with the seed itself.
  static std::uint64_t own_seed(std::uint64_t seed) { return mix_seed(~seed); }

  [[nodiscard]] Decision think(const Position& position, const BudgetMeter& meter) override {
    if (rng_.uniform() < weakness_.blunders) {
      return {.column = pick_any(position.legal_moves(), rng_)};
    }
    Decision decision = think_of(*agent_, position, meter);
    if (rng_.uniform() >= weakness_.error || obvious_moves(position) != 0) return decision;
    const Bits worse = mistakes(position, decision);
    const Bits natural = worse & position.non_losing_moves();
    if (worse != 0) decision.column = pick_natural(natural != 0 ? natural : worse, rng_);
    return decision;
  }

  std::unique_ptr<Agent> agent_;
  Weakness weakness_;
  Rng rng_;
};

}  // namespace

std::unique_ptr<Agent> weakened(std::unique_ptr<Agent> agent, const Weakness& weakness,
                                std::uint64_t seed) {
  if (!weakness.any()) return agent;
  return std::make_unique<WeakenedAgent>(std::move(agent), weakness, seed);
}

}  // namespace rowbot::agents
