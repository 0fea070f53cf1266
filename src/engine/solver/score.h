// The exact value of a position, as the field writes it.
// Thread safety: a plain value.
#pragma once

#include <cassert>
#include <compare>
#include <cstdint>
#include <string>

#include "game/bits.h"
#include "game/outcome.h"

namespace rowbot::solver {

/// Positive if the side to move wins: 1 with its last disc, 2 with its second last, and so on.
/// 0 is a draw. Negative if the opponent wins, counted in the same way.
class Score {
 public:
  constexpr Score() = default;
  explicit constexpr Score(int value) : value_(static_cast<std::int8_t>(value)) {
    assert(value >= -21 && value <= 21);
  }

  [[nodiscard]] constexpr int value() const { return value_; }
  [[nodiscard]] constexpr Score operator-() const { return Score(-value_); }
  friend constexpr auto operator<=>(Score, Score) = default;

 private:
  std::int8_t value_ = 0;
};

/// The score of a move that wins at once with `discs` on the board before it.
[[nodiscard]] constexpr int win_now(int discs) { return (game::kCells + 1 - discs) / 2; }

/// Moves of both sides until the game is over, with best play from a position with `discs`.
[[nodiscard]] constexpr int plies_to_end(Score score, int discs) {
  if (score.value() == 0) return game::kCells - discs;
  const bool mover_wins = score.value() > 0;
  // The last move is made on a board of 42 - 2|score| or one more, whichever is its maker's turn.
  int before = game::kCells - 2 * (mover_wins ? score.value() : -score.value());
  const int parity = (discs + (mover_wins ? 0 : 1)) % 2;
  if ((before + 2) % 2 != parity) ++before;
  return before - discs + 1;
}

/// 'first player wins in 12 moves', 'draw': a move counts for the winner's discs only.
[[nodiscard]] std::string in_words(Score score, int discs);

}  // namespace rowbot::solver
