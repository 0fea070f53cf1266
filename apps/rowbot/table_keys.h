// Columns and commands typed at a table.
#pragma once

#include <functional>
#include <thread>

#include "game/column.h"
#include "robot/table/robot_table.h"

namespace rowbot::app {

inline constexpr const char* kTableKeys =
    "1 to 7 a column; s emergency stop, c go on, r new game, q quit; then Enter\n";

/// Listens on a thread of its own until it is destroyed or the input ends.
class TableKeys {
 public:
  struct Listener {
    std::function<void(game::Column)> column;  // on the thread of the keys
    std::function<void()> ended;               // the input is closed
  };
  /// The table outlives the keys.
  TableKeys(table::RobotTable& table, Listener listener);

 private:
  std::jthread thread_;
};

}  // namespace rowbot::app
