#include "game/position_text.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "base/text.h"
#include "fmt/core.h"
#include "game/moves_text.h"

namespace rowbot::game {
namespace {

/// The discs read so far, to be checked as a whole at the end.
struct Discs {
  Bits first = 0;
  Bits second = 0;

  void put(Side side, int column, int row) {
    (side == Side::kFirst ? first : second) |= square(column, row);
  }
  [[nodiscard]] Result<Position> position() const { return Position::from_discs(first, second); }
};

/// What stands on a square, as one of three characters.
char sign_at(const Position& position, int column, int row, std::string_view empty_first_second) {
  const Bits at = square(column, row);
  if ((position.discs_of(Side::kFirst) & at) != 0) return empty_first_second[1];
  if ((position.discs_of(Side::kSecond) & at) != 0) return empty_first_second[2];
  return empty_first_second[0];
}

/// The rows of a drawing with the number of the text line each stands on.
std::vector<std::pair<std::size_t, std::string_view>> drawn_rows(std::string_view drawing) {
  std::vector<std::pair<std::size_t, std::string_view>> rows;
  std::size_t number = 0;
  std::size_t begin = 0;
  while (begin <= drawing.size()) {
    const std::size_t end = std::min(drawing.find_first_of("\n/", begin), drawing.size());
    ++number;
    const std::string_view row = trimmed(drawing.substr(begin, end - begin));
    if (!row.empty()) rows.emplace_back(number, row);
    begin = end + 1;
  }
  return rows;
}

}  // namespace

Result<Position> parse_board(std::string_view drawing) {
  const auto rows = drawn_rows(drawing);
  if (rows.size() != kRows) {
    return Error{fmt::format("a board drawing has {} rows of '.', 'x' and 'o', this one has {}",
                             kRows, rows.size())};
  }
  Discs discs;
  int row = kRows;
  for (const auto& [line, text] : rows) {
    --row;
    if (text.size() != kColumns) {
      return Error{fmt::format("line {} of the drawing has {} characters; a row has {}", line,
                               text.size(), kColumns)};
    }
    for (int column = 0; column < kColumns; ++column) {
      const char sign = text[static_cast<std::size_t>(column)];
      if (sign == 'x') {
        discs.put(Side::kFirst, column, row);
      } else if (sign == 'o') {
        discs.put(Side::kSecond, column, row);
      } else if (sign != '.') {
        return Error{
            fmt::format("line {}, character {} of the drawing is {}: only '.', 'x' and "
                        "'o' may stand there",
                        line, column + 1, in_quotes(sign))};
      }
    }
  }
  return discs.position();
}

std::string board_text(const Position& position) {
  std::string text;
  for (int row = kRows - 1; row >= 0; --row) {
    for (int column = 0; column < kColumns; ++column) text += sign_at(position, column, row, ".xo");
    text += '\n';
  }
  return text;
}

Result<Position> parse_state(std::string_view state) {
  Discs discs;
  int column = 0;
  int row = 0;
  for (std::size_t i = 0; i < state.size(); ++i) {
    const char sign = state[i];
    if (sign < '0' || sign > '2') {
      return Error{fmt::format("character {} of the state is {}: only 0, 1 and 2 may stand there",
                               i + 1, in_quotes(sign))};
    }
    if (column == kColumns) {
      return Error{fmt::format("character {} of the state is too many: its {} columns are complete",
                               i + 1, kColumns)};
    }
    if (sign != '0') {
      discs.put(sign == '1' ? Side::kFirst : Side::kSecond, column, row);
      ++row;
    }
    if (sign == '0' || row == kRows) {
      ++column;
      row = 0;
    }
  }
  if (column < kColumns) {
    return Error{
        fmt::format("the state ends in column {}: each of the {} columns ends with a 0 or "
                    "with its sixth disc",
                    column + 1, kColumns)};
  }
  return discs.position();
}

std::string state_text(const Position& position) {
  std::string text;
  for (int column = 0; column < kColumns; ++column) {
    for (int row = 0; row < kRows; ++row) {
      const char sign = sign_at(position, column, row, "012");
      text += sign;
      if (sign == '0') break;
    }
  }
  return text;
}

Result<Position> parse_list(std::string_view list) {
  std::string_view inside = trimmed(list);
  const bool opened = inside.starts_with('[');
  const bool closed = inside.ends_with(']');
  if (opened != closed) {
    return Error{fmt::format("the list has only its {} bracket", opened ? "opening" : "closing")};
  }
  if (opened) inside = inside.substr(1, inside.size() - 2);
  const auto items = split(inside, ',');
  if (items.size() != kCells) {
    return Error{fmt::format("a ConnectX list has {} numbers, this one has {}", kCells,
                             trimmed(inside).empty() ? 0 : items.size())};
  }
  Discs discs;
  for (int i = 0; i < kCells; ++i) {
    const std::string_view item = trimmed(items[static_cast<std::size_t>(i)]);
    if (item != "0" && item != "1" && item != "2") {
      return Error{fmt::format("number {} of the list is {}: only 0, 1 and 2 may stand there",
                               i + 1, in_quotes(item))};
    }
    if (item == "0") continue;
    discs.put(item == "1" ? Side::kFirst : Side::kSecond, i % kColumns, kRows - 1 - i / kColumns);
  }
  return discs.position();
}

std::string list_text(const Position& position) {
  std::string text = "[";
  for (int row = kRows - 1; row >= 0; --row) {
    for (int column = 0; column < kColumns; ++column) {
      if (text.size() > 1) text += ',';
      text += sign_at(position, column, row, "012");
    }
  }
  return text + "]";
}

Result<Position> parse_any(std::string_view text) {
  const std::string_view core = trimmed(text);
  if (core.find_first_of("[],") != std::string_view::npos) return parse_list(core);
  if (core.find_first_of(".xo/\n") != std::string_view::npos) return parse_board(core);
  const bool full_state =
      core.size() == kCells && core.find_first_not_of("12") == std::string_view::npos;
  if (full_state || core.find('0') != std::string_view::npos) return parse_state(core);
  return parse_moves(core);
}

}  // namespace rowbot::game
