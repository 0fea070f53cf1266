#include "robot/cell/board_reading.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace rowbot::cell {

namespace {

constexpr std::string_view kLetters = ".AB?";

}  // namespace

std::string board_text(const BoardCells& cells) {
  std::string text;
  for (int row = 0; row < kBoardRows; ++row) {
    if (row > 0) text += '/';
    for (int column = 0; column < kBoardColumns; ++column) {
      text += kLetters[static_cast<std::size_t>(cells[cell_index(column, row)])];
    }
  }
  return text;
}

Result<BoardCells> parse_board_text(std::string_view text) {
  constexpr std::size_t kLength = kBoardCells + kBoardRows - 1;
  if (text.size() != kLength) {
    return Error{fmt::format("a board is six rows of seven joined by '/', {} characters; got {}",
                             kLength, text.size())};
  }
  BoardCells cells{};
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t column = i % (kBoardColumns + 1);
    const std::size_t row = i / (kBoardColumns + 1);
    if (column == kBoardColumns) {
      if (text[i] == '/') continue;
      return Error{fmt::format("'/' expected between rows at character {} of '{}'", i + 1, text)};
    }
    const std::size_t letter = kLetters.find(text[i]);
    if (letter == std::string_view::npos) {
      return Error{fmt::format("character {} of '{}' is not one of . A B ?", i + 1, text)};
    }
    cells[row * kBoardColumns + column] = static_cast<CellContent>(letter);
  }
  return cells;
}

std::string_view sight_text(Sight sight) {
  switch (sight) {
    case Sight::kGood:
      return "good";
    case Sight::kPartial:
      return "partial";
    case Sight::kMoving:
      return "moving";
    case Sight::kNone:
      return "none";
  }
  return "none";
}

std::string colour_text(const Rgb& colour) {
  return fmt::format("#{:02x}{:02x}{:02x}", colour.red, colour.green, colour.blue);
}

double corner_shift(const BoardCorners& before, const BoardCorners& after) {
  const double column =
      std::hypot(before[1].x - before[0].x, before[1].y - before[0].y) / (kBoardColumns - 1);
  double worst = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    worst = std::max(worst, std::hypot(after[i].x - before[i].x, after[i].y - before[i].y));
  }
  return worst / std::max(column, 1.0);
}

}  // namespace rowbot::cell
