#include "engine/agents/mcts/final_choice.h"

#include <cassert>
#include <cmath>
#include <utility>

namespace rowbot::agents::mcts {
namespace {

/// Larger is better; compared as pairs, so that visits decide between equals.
using Merit = std::pair<double, double>;

Merit merit(const RootMove& move, Final choice, double secure_a) {
  const auto visits = static_cast<double>(move.visits);
  if (move.visits == 0) return {-1e9, 0};
  switch (choice) {
    case Final::kMean:
      return {move.mean(), visits};
    case Final::kMax:
      return {static_cast<double>(move.points), visits};
    case Final::kRobust:
    case Final::kMix:
      return {visits, move.mean()};
    case Final::kSecure:
      break;
  }
  return {move.mean() - secure_a / std::sqrt(visits), visits};
}

template <class Merits>
const RootMove* best_of(std::span<const RootMove> moves, Merits merits) {
  const RootMove* best = nullptr;
  for (const RootMove& move : moves) {
    if (move.proof.is_loss()) continue;
    if (best == nullptr || merits(move) > merits(*best)) best = &move;
  }
  return best;
}

}  // namespace

game::Column final_move(std::span<const RootMove> moves, Final choice, double secure_a) {
  assert(!moves.empty());
  const RootMove* fact = &moves.front();
  const RootMove* draw = nullptr;
  for (const RootMove& move : moves) {
    const bool as_good = !fact->proof.better_than(move.proof);
    if (move.proof.better_than(fact->proof) || (as_good && move.stops_win && !fact->stops_win)) {
      fact = &move;
    }
    if (move.proof.is_draw()) draw = &move;
  }
  if (fact->proof.is_win() || fact->proof.is_loss()) return fact->column;
  const RootMove* best =
      best_of(moves, [&](const RootMove& move) { return merit(move, choice, secure_a); });
  if (draw != nullptr && (best->visits == 0 || best->mean() < 0.5)) return draw->column;
  return best->column;
}

bool mix_is_settled(std::span<const RootMove> moves) {
  const RootMove* mean =
      best_of(moves, [](const RootMove& m) { return merit(m, Final::kMean, 0); });
  const RootMove* robust =
      best_of(moves, [](const RootMove& m) { return merit(m, Final::kRobust, 0); });
  return mean == robust;
}

}  // namespace rowbot::agents::mcts
