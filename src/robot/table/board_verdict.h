// What a look at the board means when a game is known: nothing new, a move, a foul, or unclear.
// Thread safety: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "game/column.h"
#include "game/position.h"
#include "robot/cell/board_reading.h"
#include "robot/table/table_message.h"

namespace rowbot::table {

enum class Foul : std::uint8_t {
  kOutOfTurn,   // one disc too many, of the side whose turn it is not
  kTwoDiscs,    // two or more discs of one side at once
  kDiscTaken,   // discs are gone
  kOtherBoard,  // the board shows another game
};

/// "out_of_turn", ...
[[nodiscard]] std::string_view foul_code(Foul foul);

struct ReadingVerdict {
  enum class Kind : std::uint8_t { kNothingNew, kMove, kFoul, kUnclear };

  Kind kind = Kind::kNothingNew;
  std::optional<game::Column> column;  // of the move; of the first disc that is wrong
  std::optional<Foul> foul;
  Message what;  // of a foul, and of a reading that is unclear
};

/// `first_is` tells how the eye calls the discs of the side that began. When two moves in a row
/// explain the board, the verdict is the first of them: look again for the second.
[[nodiscard]] ReadingVerdict judge_reading(const game::Position& known,
                                           const cell::BoardReading& reading,
                                           cell::CellContent first_is);

/// The game's board as the eye would read it.
[[nodiscard]] cell::BoardCells cells_of(const game::Position& position, cell::CellContent first_is);

}  // namespace rowbot::table
