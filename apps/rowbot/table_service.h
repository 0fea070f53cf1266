// A table in the foreground or as a service: tells at the terminal and to the service manager what
// it does, and ends when it is told to.
#pragma once

#include "robot/table/robot_table.h"
#include "table_narrator.h"

namespace rowbot::app {

/// Thread safety: of the thread that plays.
class TableService {
 public:
  /// From now on SIGINT and SIGTERM end the table.
  explicit TableService(bool narrates = true);

  /// There is a table now; null: no longer.
  void attach(table::RobotTable* table);
  void tell(const table::TableSnapshot& now);
  /// Often enough for the watchdog.
  void alive();

 private:
  bool narrates_;
  table::RobotTable* table_ = nullptr;
  Narrator narrator_;
};

/// Whether a service manager waits for signs of life.
[[nodiscard]] bool runs_as_service();

}  // namespace rowbot::app
