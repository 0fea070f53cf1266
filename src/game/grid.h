// One value for each square of the board: what a camera reads, how sure it is.
//
// Stored as an image shows the board, top row first; asked for as the rules count, row 0 at the
// bottom.
// Thread safety: a plain value.
#pragma once

#include <array>
#include <cstddef>

#include "game/bits.h"

namespace rowbot::game {

template <class T>
struct Grid : std::array<T, kCells> {
  /// Where a square is stored; row 0 is the top row here.
  [[nodiscard]] static constexpr std::size_t index_from_top(int column, int row_from_top) {
    return static_cast<std::size_t>(row_from_top * kColumns + column);
  }
  [[nodiscard]] constexpr T& on(int column, int row) {
    return (*this)[index_from_top(column, kRows - 1 - row)];
  }
  [[nodiscard]] constexpr const T& on(int column, int row) const {
    return (*this)[index_from_top(column, kRows - 1 - row)];
  }

  /// The squares that hold this value.
  [[nodiscard]] constexpr Bits squares_with(const T& value) const {
    Bits squares = 0;
    for (int column = 0; column < kColumns; ++column) {
      for (int row = 0; row < kRows; ++row) {
        if (on(column, row) == value) squares |= square(column, row);
      }
    }
    return squares;
  }
  constexpr void set(Bits squares, const T& value) {
    for (; squares != 0; squares &= squares - 1) {
      const int bit = std::countr_zero(squares);
      on(bit / kColumnBits, bit % kColumnBits) = value;
    }
  }
};

}  // namespace rowbot::game
