// The rules of Connect Four on two words.
// Thread safety: a plain value.
#pragma once

#include <cassert>
#include <cstdint>

#include "base/result.h"
#include "game/bits.h"
#include "game/column.h"
#include "game/outcome.h"

namespace rowbot::game {

/// A position, finished or not, that obeys gravity and the order of moves. Copy it freely.
class Position {
 public:
  /// The empty board.
  constexpr Position() = default;

  /// The position with these discs. Refuses what no game can lead to: overlapping or floating
  /// discs, impossible counts, two winners, discs played after the end. (It does not search for a
  /// whole game: a few positions pass that no order of legal moves reaches.)
  [[nodiscard]] static Result<Position> from_discs(Bits first, Bits second);

  [[nodiscard]] constexpr Bits mover() const { return mover_; }
  [[nodiscard]] constexpr Bits opponent() const { return mover_ ^ filled_; }
  [[nodiscard]] constexpr Bits filled() const { return filled_; }
  [[nodiscard]] constexpr int discs() const { return count(filled_); }
  [[nodiscard]] constexpr Side to_move() const {
    return discs() % 2 == 0 ? Side::kFirst : Side::kSecond;
  }
  [[nodiscard]] constexpr Bits discs_of(Side side) const {
    return side == to_move() ? mover_ : opponent();
  }

  /// False for a full column and once the game is over.
  [[nodiscard]] constexpr bool can_play(Column c) const {
    return (playable_squares(filled_) & column_mask(c.index())) != 0 && !has_four(opponent());
  }
  /// The square a disc in each open column would fall to; none once the game is over.
  [[nodiscard]] constexpr Bits legal_moves() const {
    return has_four(opponent()) ? 0 : playable_squares(filled_);
  }
  /// Requires can_play(c).
  [[nodiscard]] constexpr Position after(Column c) const {
    assert(can_play(c));
    Position next;
    next.mover_ = opponent();
    next.filled_ = filled_ | (filled_ + square(c.index(), 0));
    return next;
  }

  [[nodiscard]] constexpr GameResult result() const {
    // Only the disc played last can have closed a line, and it is the opponent's.
    if (has_four(opponent())) return win_of(other(to_move()));
    return filled_ == kBoard ? GameResult::kDraw : GameResult::kOngoing;
  }
  [[nodiscard]] constexpr Outcome outcome() const {
    return {.result = result(), .winning_squares = squares_of_fours(opponent())};
  }

  /// Empty squares that complete a line for the side to move, or for its opponent; playable now
  /// or later.
  [[nodiscard]] constexpr Bits mover_threats() const { return completing_squares(mover_, filled_); }
  [[nodiscard]] constexpr Bits opponent_threats() const {
    return completing_squares(opponent(), filled_);
  }
  /// The squares that win at once for the side to move.
  [[nodiscard]] constexpr Bits winning_moves() const {
    return has_four(opponent()) ? 0 : winning_squares(mover_, filled_);
  }
  /// The moves after which the opponent cannot win at once. Empty if there is none.
  [[nodiscard]] constexpr Bits non_losing_moves() const {
    return has_four(opponent()) ? 0 : safe_squares(mover_, filled_);
  }

  [[nodiscard]] constexpr Position mirrored() const {
    Position m;
    m.mover_ = mirror(mover_);
    m.filled_ = mirror(filled_);
    return m;
  }

  /// A unique 49-bit number: in each column the sum holds a one above the topmost disc, which
  /// tells empty squares from the opponent's discs.
  [[nodiscard]] constexpr std::uint64_t key() const { return mover_ + filled_ + kBottomRow; }
  /// The same for a position and its mirror image.
  [[nodiscard]] constexpr std::uint64_t symmetric_key() const {
    const std::uint64_t a = key();
    const std::uint64_t b = mirrored().key();
    return a < b ? a : b;
  }

  friend constexpr bool operator==(const Position&, const Position&) = default;

 private:
  Bits mover_ = 0;   // discs of the side to move
  Bits filled_ = 0;  // discs of both sides
};

}  // namespace rowbot::game
