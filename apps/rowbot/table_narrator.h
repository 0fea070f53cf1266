// Tells at the terminal what happens at a table.
// Thread safety: none; the thread that plays tells.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "board_view.h"
#include "fmt/format.h"
#include "robot/table/robot_table.h"
#include "terminal.h"

namespace rowbot::app {

/// A line for each change, and the board after each move.
class Narrator {
 public:
  void tell(const table::TableSnapshot& now) {
    if (now.record && now.record->game.moves().size() != moves_) {
      moves_ = now.record->game.moves().size();
      const auto last = moves_ == 0 ? std::nullopt : std::optional(now.record->game.moves().back());
      fmt::print("{}", draw_board(now.record->game.position(), last, style_));
    }
    if (now.message != said_) fmt::print("{:<10} {}\n", state_text(now.state), now.message);
    said_ = now.message;
  }

 private:
  BoardStyle style_ = style_for(stdout, ColorWish::kAuto);
  std::size_t moves_ = 0;
  std::string said_;
};

}  // namespace rowbot::app
