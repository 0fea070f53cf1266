// What the solver says about the moves of games: the game is solved, so a mistake is a fact.
// Thread safety: as Solver; one thread at a time.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/stop.h"
#include "engine/solver/solver.h"
#include "game/bits.h"
#include "lab/matches/match_spec.h"

namespace rowbot::lab {

/// Both scores are for the side that moved.
struct JudgedMove {
  int ply = 0;  ///< moves on the board before it
  Role by = Role::kA;
  int best = 0;    ///< score of a best move
  int played = 0;  ///< score of the move made

  /// Won, drawn or lost stayed what it was. A lost position has no value to lose.
  [[nodiscard]] bool keeps_value() const;
};

/// Every move the agents made (the opening's are nobody's fault). Blocks; nothing when stopped.
[[nodiscard]] std::optional<std::vector<JudgedMove>> judge_game(solver::Solver& solver,
                                                                const MatchSpec& spec,
                                                                const PlayedGame& game,
                                                                StopToken stop = {});

/// One player's mistakes over many games.
struct MoveQuality {
  std::uint64_t games = 0;
  std::uint64_t moves = 0;
  std::uint64_t kept = 0;        ///< moves that kept the value
  std::uint64_t score_lost = 0;  ///< best minus played, all moves together
  /// Games whose first mistake (of this player) was made with so many discs on the board.
  std::array<std::uint64_t, game::kCells> first_mistake{};

  [[nodiscard]] double share_kept() const;
  [[nodiscard]] double mean_score_lost() const;
  /// The median ply of the first mistake, counted from 1, over games with one; none if none.
  [[nodiscard]] std::optional<int> median_first_mistake() const;
  [[nodiscard]] std::uint64_t faultless_games() const;
};

/// Adds one judged game to the player's account.
void add_game(MoveQuality& quality, const std::vector<JudgedMove>& moves, Role player);

}  // namespace rowbot::lab
