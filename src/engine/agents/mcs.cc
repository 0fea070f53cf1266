#include "engine/agents/mcs.h"

#include <algorithm>
#include <cstdint>

namespace rowbot::agents {
namespace {

using game::Column;
using game::Position;

/// Playouts between two looks at the clock: some ten microseconds.
constexpr std::uint64_t kChunk = 256;

/// The simulations of a budget without any limit: a sensible answer in a millisecond.
constexpr std::uint64_t kDefaultSimulations = 10'000;

/// The limits of move number `index` (from 0) of `moves`. The time counts from the start of the
/// whole, so the shares add up exactly.
Budget share(const Budget& whole, std::uint64_t index, std::uint64_t moves) {
  Budget part = whole;
  if (!whole.time && !whole.simulations) part.simulations = kDefaultSimulations;
  if (part.simulations) {
    const std::uint64_t total = *part.simulations;
    part.simulations = std::max<std::uint64_t>(1, total / moves + (index < total % moves ? 1 : 0));
  }
  if (part.time) {
    part.time =
        *part.time * static_cast<std::int64_t>(index + 1) / static_cast<std::int64_t>(moves);
  }
  return part;
}

struct Score {
  std::int64_t wins = 0;  // minus losses
  std::uint64_t simulations = 0;
};

/// Lines 4 to 9 of Algorithm 1, for the side that has just moved.
Score simulate(const Position& after, playout::Policy policy, const BudgetMeter& part, Rng& rng) {
  const playout::Kernel& kernel = playout::fastest_kernel();
  Score score;
  do {
    std::uint64_t chunk = kChunk;
    if (const auto limit = part.budget().simulations; limit && *limit > score.simulations) {
      chunk = std::min(chunk, *limit - score.simulations);
    }
    const playout::Tally tally = playout::run(kernel, policy, after, chunk, rng);
    const auto decided = static_cast<std::int64_t>(tally.playouts - tally.draws);
    score.wins += decided - 2 * static_cast<std::int64_t>(tally.mover_wins);
    score.simulations += tally.playouts;
  } while (!part.exhausted(score.simulations));
  return score;
}

}  // namespace

Decision McsAgent::think(const Position& position, const BudgetMeter& meter) {
  if (const game::Bits wins = position.winning_moves(); wins != 0) {
    // Its ratio would be 1 whatever the others get.
    return {.column = Column(game::lowest_column(wins)),
            .proven = Proven{.value = Proven::Value::kWin, .plies = 1}};
  }
  const auto moves = static_cast<std::uint64_t>(game::count(position.legal_moves()));
  Decision decision{.column = Column(game::lowest_column(position.legal_moves())), .depth = 1};
  double best = -2;
  for (const Column c : game::kAllColumns) {
    if (!position.can_play(c)) continue;
    const Position after = position.after(c);
    MoveEvidence evidence{.column = c, .value = 0};
    if (after.outcome().finished()) {
      evidence.proven = Proven{.value = Proven::Value::kDraw, .plies = 1};
    } else {
      const BudgetMeter part = meter.with(share(meter.budget(), decision.moves.size(), moves));
      const Score score = simulate(after, options_.playout, part, rng_);
      evidence.visits = score.simulations;
      evidence.value = static_cast<double>(score.wins) / static_cast<double>(score.simulations);
      decision.simulations += score.simulations;
    }
    if (*evidence.value > best) {
      best = *evidence.value;
      decision.column = c;
    }
    decision.moves.push_back(evidence);
  }
  return decision;
}

}  // namespace rowbot::agents
