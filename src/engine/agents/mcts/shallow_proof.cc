#include "engine/agents/mcts/shallow_proof.h"

#include "engine/solver/bounds.h"

namespace rowbot::agents::mcts {

using game::Bits;

Proof look(Bits mover, Bits filled, int plies) {
  if (game::winning_squares(mover, filled) != 0) return Proof::in_plies(1);
  Bits moves = game::safe_squares(mover, filled);
  if (moves == 0) return Proof::in_plies(2);
  if (plies <= 2) return {};
  Proof best = Proof::in_plies(2);
  bool all_lost = true;
  while (moves != 0) {
    const Bits move = moves & (~moves + 1);
    moves ^= move;
    if ((filled | move) == game::kBoard) return Proof::draw();
    const Proof after = look(mover ^ filled, filled | move, plies - 1);
    if (after.open() || after.is_draw()) {
      all_lost = false;
      continue;
    }
    const Proof proof = after.before();
    if (proof.better_than(best)) best = proof;
  }
  return best.is_win() || all_lost ? best : Proof();
}

int most_points(Bits mover, Bits filled) {
  const Bits threats = game::completing_squares(mover ^ filled, filled);
  if ((threats & game::playable_squares(filled)) != 0) return 2;  // the bounds do not hold
  const solver::Node node{.mover = mover,
                          .filled = filled,
                          .mover_threats = 0,  // no bound reads them
                          .opponent_threats = threats,
                          .discs = game::count(filled)};
  const int score = solver::static_upper_bound(node, 0);
  return score < 0 ? 0 : score == 0 ? 1 : 2;
}

}  // namespace rowbot::agents::mcts
