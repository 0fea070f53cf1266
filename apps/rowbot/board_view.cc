#include "board_view.h"

#include <string_view>

#include "fmt/core.h"

namespace rowbot::app {
namespace {

using game::Bits;
using game::Side;

constexpr std::string_view kReset = "\x1b[0m";
constexpr std::string_view kFrame = "\x1b[34m";
constexpr std::string_view kFirstColor = "\x1b[1;31m";
constexpr std::string_view kSecondColor = "\x1b[1;33m";

std::string painted(std::string_view text, std::string_view color, const BoardStyle& style) {
  return style.color ? fmt::format("{}{}{}", color, text, kReset) : std::string(text);
}

/// The lowest empty square's neighbour below: where the disc played last in this column lies.
Bits top_disc(const game::Position& position, game::Column column) {
  const Bits discs = position.filled() & game::column_mask(column.index());
  return discs & ~(discs >> 1);
}

}  // namespace

std::string disc_sign(Side side, const BoardStyle& style) {
  const bool first = side == Side::kFirst;
  const std::string_view sign = style.unicode ? (first ? "\u25cf" : "\u25cb") : (first ? "x" : "o");
  return painted(sign, first ? kFirstColor : kSecondColor, style);
}

std::string draw_board(const game::Position& position, std::optional<game::Column> last,
                       const BoardStyle& style) {
  const Bits winning = position.outcome().winning_squares;
  const Bits last_disc = last ? top_disc(position, *last) : 0;
  const std::string wall = painted("|", kFrame, style);
  std::string text;
  for (int row = game::kRows - 1; row >= 0; --row) {
    text += "  " + wall;
    for (int column = 0; column < game::kColumns; ++column) {
      const Bits at = game::square(column, row);
      std::string_view open = " ";
      std::string_view close = " ";
      if ((winning & at) != 0) {
        open = "[";
        close = "]";
      } else if ((last_disc & at) != 0) {
        open = "(";
        close = ")";
      }
      std::string sign = style.unicode ? painted("\u00b7", kFrame, style) : ".";
      for (const Side side : {Side::kFirst, Side::kSecond}) {
        if ((position.discs_of(side) & at) != 0) sign = disc_sign(side, style);
      }
      text += fmt::format("{}{}{}", open, sign, close);
    }
    text += wall + "\n";
  }
  text += "  " + painted("+---------------------+", kFrame, style) + "\n";
  text += "    1  2  3  4  5  6  7\n";
  return text;
}

}  // namespace rowbot::app
