// What a sensor saw on the board: the word of an eye, not of the rules.
// Thread safety: plain values.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "game/grid.h"

namespace rowbot::cell {

inline constexpr int kBoardColumns = game::kColumns;
inline constexpr int kBoardRows = game::kRows;
inline constexpr std::size_t kBoardCells = game::kCells;

enum class CellContent : std::uint8_t { kEmpty, kFirst, kSecond, kHidden };

using BoardCells = game::Grid<CellContent>;

/// Index of a cell as a camera sees the board: row 0 is the top row, column 0 the left one.
constexpr std::size_t cell_index(int column, int row_from_top) {
  return BoardCells::index_from_top(column, row_from_top);
}

enum class Sight : std::uint8_t {
  kGood,     // every cell was read, and surely
  kPartial,  // there is a board, but some cells are hidden, outside the image or unclear
  kMoving,   // the board or something before it moved while it was read
  kNone,     // no board
};

struct Rgb {
  std::uint8_t red = 0;
  std::uint8_t green = 0;
  std::uint8_t blue = 0;

  friend bool operator==(const Rgb&, const Rgb&) = default;
};

struct PixelPoint {
  double x = 0;
  double y = 0;

  friend bool operator==(const PixelPoint&, const PixelPoint&) = default;
};

/// Centres of the corner cells, clockwise from top left.
using BoardCorners = std::array<PixelPoint, 4>;

/// The largest shift of a corner, as a share of the width of a column.
[[nodiscard]] double corner_shift(const BoardCorners& before, const BoardCorners& after);

/// One look at the board.
struct BoardReading {
  Sight sight = Sight::kNone;
  BoardCells board{};  // read with sense: what boards can be weighs in
  BoardCells raw{};    // each cell by itself: floating discs and odd counts stay visible
  game::Grid<float> confidence{};  // that board[i] is right, 0..1
  BoardCorners corners{};
  std::optional<Rgb> first_colour;
  std::optional<Rgb> second_colour;
  bool upside_down = false;  // in the picture; board, corners and all else are as the board stands

  friend bool operator==(const BoardReading&, const BoardReading&) = default;
};

/// Six rows from the top joined by '/': '.' empty, 'A' first, 'B' second, '?' hidden.
[[nodiscard]] std::string board_text(const BoardCells& cells);

/// The inverse of board_text().
[[nodiscard]] Result<BoardCells> parse_board_text(std::string_view text);

/// "good", "partial", "moving" or "none".
[[nodiscard]] std::string_view sight_text(Sight sight);

/// "#rrggbb"
[[nodiscard]] std::string colour_text(const Rgb& colour);

}  // namespace rowbot::cell
