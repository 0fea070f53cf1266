// The referee: may this side play this column now, and what does the board in front of us say
// about the game? It knows the rules and no more: no clock, no network, no arm.
// Thread safety: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "game/column.h"
#include "game/position.h"

namespace rowbot::table {

enum class Verdict : std::uint8_t {
  kFine,
  kGameOver,
  kNotYourTurn,
  kColumnFull,
  kStale,  ///< meant for another moment of the game
  kNothingToUndo,
  kFoul,  ///< the board shows something no legal move explains
};

/// A short name for programs: "column_full".
[[nodiscard]] std::string_view verdict_code(Verdict verdict);

[[nodiscard]] Verdict judge_move(const game::Position& position, bool over, game::Side who,
                                 game::Column column);

/// What a look at the board means when `known` is the game so far.
struct BoardVerdict {
  enum class Kind : std::uint8_t { kNothingNew, kMove, kFoul };

  Kind kind = Kind::kNothingNew;
  std::optional<game::Column> column;  ///< of a move
};

[[nodiscard]] BoardVerdict judge_board(const game::Position& known, const game::Position& seen);

}  // namespace rowbot::table
