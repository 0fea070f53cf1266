// The solver as a source of proofs.
// Thread safety: none; each worker has its own.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/stop.h"
#include "engine/agents/decision.h"
#include "engine/agents/mcts/tree.h"
#include "engine/solver/solver.h"
#include "game/position.h"

namespace rowbot::agents::mcts {

/// A solver that gives up after some nodes and uses no book.
class SolverProof {
 public:
  SolverProof() : solver_({.table_mb = kTableMb}) {}

  /// Win, draw or loss of the side to move. It does not look for the distance; the proof names the
  /// latest ply at which the game can end so. With as many discs as it has too often failed with,
  /// it does not try.
  [[nodiscard]] Proof look(game::Bits mover, game::Bits filled, std::uint64_t nodes);

  /// Begins anew, as if it had never been asked.
  void forget();

  /// The best move with its exact distance: quickest win, longest defence.
  struct Best {
    game::Column column;
    Proven proven;
    std::uint64_t nodes;
  };
  [[nodiscard]] std::optional<Best> best(const game::Position& position, std::uint64_t nodes,
                                         StopToken stop);

 private:
  static constexpr std::size_t kTableMb = 16;
  /// Worth a try: the first times, and while at least one try in so many succeeds.
  static constexpr std::uint64_t kFirstTries = 32;
  static constexpr std::uint64_t kTriesPerSuccess = 4;

  struct Experience {
    std::uint64_t tries = 0;
    std::uint64_t successes = 0;
  };

  solver::Solver solver_;
  std::array<Experience, game::kCells + 1> with_discs_;
};

}  // namespace rowbot::agents::mcts
