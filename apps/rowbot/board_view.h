// A position as people see it in a terminal.
// Thread safety: pure functions.
#pragma once

#include <optional>
#include <string>

#include "game/position.h"

namespace rowbot::app {

struct BoardStyle {
  bool color = false;    ///< ANSI colours
  bool unicode = false;  ///< round discs instead of x and o
};

/// The board with column numbers below. The disc played last stands in round brackets, the
/// winning ones in square brackets, so that nothing depends on colour alone.
[[nodiscard]] std::string draw_board(const game::Position& position,
                                     std::optional<game::Column> last, const BoardStyle& style);

/// The sign of a side in the same style, to be named in messages.
[[nodiscard]] std::string disc_sign(game::Side side, const BoardStyle& style);

}  // namespace rowbot::app
