// Three ways to write a position without its history.
// Thread safety: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "game/position.h"

namespace rowbot::game {

/// A drawing: six rows of seven, top row first, '.' empty, 'x' first player, 'o' second player.
/// Rows end with a line break or '/'; blanks around a row do not count.
[[nodiscard]] Result<Position> parse_board(std::string_view drawing);
/// Six lines, each with its line break.
[[nodiscard]] std::string board_text(const Position& position);

/// The compact state of Boehm 2016: columns from left to right, each from the bottom
/// up, 1 first player, 2 second player, and one 0 for all the empty squares of a column that is
/// not full. The empty board is "0000000".
[[nodiscard]] Result<Position> parse_state(std::string_view state);
[[nodiscard]] std::string state_text(const Position& position);

/// The observation of Kaggle's ConnectX: 42 numbers, top row first, 0 empty, 1 first player,
/// 2 second player; with or without brackets.
[[nodiscard]] Result<Position> parse_list(std::string_view list);
[[nodiscard]] std::string list_text(const Position& position);

/// Any of the above, or played moves: told apart by their characters ('.' a drawing, ',' a list, a
/// 0 or 42 digits of 1 and 2 a state, else moves).
[[nodiscard]] Result<Position> parse_any(std::string_view text);

}  // namespace rowbot::game
