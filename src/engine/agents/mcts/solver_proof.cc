#include "engine/agents/mcts/solver_proof.h"

namespace rowbot::agents::mcts {

using game::Position;

Proof SolverProof::look(game::Bits mover, game::Bits filled, std::uint64_t nodes) {
  const int discs = game::count(filled);
  Experience& experience = with_discs_.at(static_cast<std::size_t>(discs));
  if (experience.tries >= kFirstTries &&
      experience.successes * kTriesPerSuccess < experience.tries) {
    return {};
  }
  const auto position = discs % 2 == 0 ? Position::from_discs(mover, mover ^ filled)
                                       : Position::from_discs(mover ^ filled, mover);
  if (!position) return {};
  const auto solution = solver_.score(*position, {.weak = true, .nodes = nodes});
  ++experience.tries;
  if (!solution) return {};
  ++experience.successes;
  if (solution->score.value() == 0) return Proof::draw();
  // A win ends the game after an odd number of plies, a loss after an even one.
  const int left = game::kCells - discs;
  const bool odd = solution->score.value() > 0;
  return Proof::in_plies((left % 2 == 1) == odd ? left : left - 1);
}

void SolverProof::forget() {
  solver_.forget();
  with_discs_ = {};
}

std::optional<SolverProof::Best> SolverProof::best(const Position& position, std::uint64_t nodes,
                                                   StopToken stop) {
  const auto solved = solver_.best_moves(position, {.nodes = nodes, .stop = stop});
  if (!solved) return std::nullopt;
  const int value = solved->score.value();
  return Best{.column = solved->columns.front(),
              .proven = {.value = value > 0   ? Proven::Value::kWin
                                  : value < 0 ? Proven::Value::kLoss
                                              : Proven::Value::kDraw,
                         .plies = solver::plies_to_end(solved->score, position.discs())},
              .nodes = solved->nodes};
}

}  // namespace rowbot::agents::mcts
