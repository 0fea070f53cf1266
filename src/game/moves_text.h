// A game as the digits of the columns played: "4453" is centre, centre, one to the right, one to
// the left of the centre. The notation of the classic solver test sets.
// Thread safety: pure functions.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "game/column.h"
#include "game/position.h"

namespace rowbot::game {

struct PlayedMoves {
  std::vector<Column> moves;
  Position position;  ///< where they lead
};

/// Refuses anything but 1-7, a full column, and a move after the end; names the character.
[[nodiscard]] Result<PlayedMoves> parse_played(std::string_view digits);

/// The same when only the position matters.
[[nodiscard]] Result<Position> parse_moves(std::string_view digits);

[[nodiscard]] std::string moves_text(std::span<const Column> moves);

}  // namespace rowbot::game
