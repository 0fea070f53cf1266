// A table in the foreground or as a service: tells at the terminal and to the service manager what
// it does, and ends when it is told to.
#pragma once

#include <mutex>
#include <thread>

#include "robot/table/robot_table.h"
#include "table_narrator.h"

namespace rowbot::app {

/// Thread safety: of the thread that plays.
class TableService {
 public:
  /// From now on SIGINT and SIGTERM end the table at once, also in the middle of a movement: the
  /// arm halts where it is.
  explicit TableService(bool narrates = true);

  /// There is a table now; null: no longer.
  void attach(table::RobotTable* table);
  void tell(const table::TableSnapshot& now);
  /// Often enough for the watchdog.
  void alive();

 private:
  void heed_signals(const std::stop_token& done);

  bool narrates_;
  std::mutex mutex_;  // guards table_
  table::RobotTable* table_ = nullptr;
  Narrator narrator_;
  std::jthread signals_;  // the thread that plays is away for as long as a movement takes
};

/// Whether a service manager waits for signs of life.
[[nodiscard]] bool runs_as_service();

}  // namespace rowbot::app
