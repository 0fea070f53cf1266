// The board as 64-bit words, and the shifts that see lines of four in them.
//
//    .  .  .  .  .  .  .      row 6: always empty, so that no line wraps around a column's top
//    5 12 19 26 33 40 47      row 5
//    4 11 18 25 32 39 46
//    3 10 17 24 31 38 45
//    2  9 16 23 30 37 44
//    1  8 15 22 29 36 43
//    0  7 14 21 28 35 42      row 0
//
// bit = column * 7 + row. One step up is a shift by 1, to the right by 7, diagonally by 8 and 6.
// Thread safety: pure functions.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace rowbot::game {

using Bits = std::uint64_t;

inline constexpr int kColumns = 7;
inline constexpr int kRows = 6;
inline constexpr int kCells = kColumns * kRows;
inline constexpr int kColumnBits = kRows + 1;

/// Steps to the next square of a line: up, right, right and up, right and down.
inline constexpr std::array kDirections{1, kColumnBits, kColumnBits + 1, kColumnBits - 1};

[[nodiscard]] constexpr Bits square(int column, int row) {
  return Bits{1} << (column * kColumnBits + row);
}

inline constexpr Bits kBottomRow = [] {
  Bits row = 0;
  for (int c = 0; c < kColumns; ++c) row |= square(c, 0);
  return row;
}();

inline constexpr Bits kFullColumn = (Bits{1} << kRows) - 1;
inline constexpr Bits kBoard = kBottomRow * kFullColumn;

[[nodiscard]] constexpr Bits column_mask(int column) {
  return kFullColumn << (column * kColumnBits);
}

/// Rows 0, 2, 4 are odd in the words of the literature, which counts from 1.
[[nodiscard]] constexpr Bits row_mask(int row) { return kBottomRow << row; }

[[nodiscard]] constexpr int count(Bits bits) { return std::popcount(bits); }

/// The column of the lowest square in `bits`; requires bits != 0.
[[nodiscard]] constexpr int lowest_column(Bits bits) {
  return std::countr_zero(bits) / kColumnBits;
}

[[nodiscard]] constexpr bool has_four(Bits discs) {
  for (const int step : kDirections) {
    const Bits pairs = discs & (discs >> step);
    if ((pairs & (pairs >> (2 * step))) != 0) return true;
  }
  return false;
}

/// All squares that belong to a line of four; several lines may have closed at once.
[[nodiscard]] constexpr Bits squares_of_fours(Bits discs) {
  Bits squares = 0;
  for (const int step : kDirections) {
    const Bits pairs = discs & (discs >> step);
    const Bits first = pairs & (pairs >> (2 * step));
    squares |= first | (first << step) | (first << (2 * step)) | (first << (3 * step));
  }
  return squares;
}

/// All squares that complete a line of four for `discs`; also filled ones and ones off the board.
[[nodiscard]] constexpr Bits completing(Bits discs) {
  // A column is only ever completed at its top.
  Bits squares = (discs << 1) & (discs << 2) & (discs << 3);
  for (const int step : {kColumnBits, kColumnBits + 1, kColumnBits - 1}) {
    const Bits two_before = (discs << step) & (discs << (2 * step));
    const Bits two_after = (discs >> step) & (discs >> (2 * step));
    squares |= two_before & ((discs << (3 * step)) | (discs >> step));
    squares |= two_after & ((discs >> (3 * step)) | (discs << step));
  }
  return squares;
}

/// All empty squares that would complete a line of four for `discs`, playable now or later.
[[nodiscard]] constexpr Bits completing_squares(Bits discs, Bits filled) {
  return completing(discs) & kBoard & ~filled;
}

/// The lowest empty square of each column that is not full.
[[nodiscard]] constexpr Bits playable_squares(Bits filled) {
  return (filled + kBottomRow) & kBoard;
}

/// Discs with nothing below them.
[[nodiscard]] constexpr Bits floating_discs(Bits filled) {
  return filled & ~kBottomRow & ~(filled << 1);
}

/// The squares that win at once for the side to move of an unfinished game.
[[nodiscard]] constexpr Bits winning_squares(Bits mover, Bits filled) {
  return completing_squares(mover, filled) & playable_squares(filled);
}

/// The moves of an unfinished game after which the opponent cannot win at once. Empty if there is
/// none.
[[nodiscard]] constexpr Bits safe_squares(Bits mover, Bits filled) {
  Bits moves = playable_squares(filled);
  const Bits threats = completing_squares(mover ^ filled, filled);
  if (const Bits forced = moves & threats; forced != 0) {
    if ((forced & (forced - 1)) != 0) return 0;  // two wins cannot both be stopped
    moves = forced;
  }
  return moves & ~(threats >> 1);  // never fill the square below a threat
}

/// Left and right exchanged.
[[nodiscard]] constexpr Bits mirror(Bits bits) {
  Bits mirrored = 0;
  constexpr Bits kColumn = (Bits{1} << kColumnBits) - 1;
  for (int c = 0; c < kColumns; ++c) {
    mirrored |= ((bits >> (c * kColumnBits)) & kColumn) << ((kColumns - 1 - c) * kColumnBits);
  }
  return mirrored;
}

}  // namespace rowbot::game
