// The robot's table over a station: its senses reach the table, and a moved board is measured.
// Every program that plays at a table opens this one, whatever its parts are.
// Thread safety: as RobotTable; the rest from the thread that opened it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <thread>

#include "base/resources.h"
#include "robot/station/station.h"
#include "robot/table/journal.h"
#include "robot/table/robot_table.h"

namespace rowbot::station {

struct StationTableOptions {
  std::string log;      ///< of the table; none without
  Resources resources;  ///< of the agent
  /// Robot, seed, switches and whether people move for it are as the station has them; agents come
  /// from the roster.
  table::TableOptions table;
  /// A switch is stuck, or the panel is gone; from a thread of its own.
  std::function<void(std::string_view)> complain;
};

class StationTable {
 public:
  [[nodiscard]] static Result<std::unique_ptr<StationTable>> open(const StationConfig& config,
                                                                  StationTableOptions options);

  [[nodiscard]] Station& station() { return *station_; }
  [[nodiscard]] table::RobotTable& table() { return *table_; }

 private:
  StationTable() = default;
  void connect_panel(std::function<void(std::string_view)> complain);
  void show_game_in_twin();

  std::unique_ptr<table::Journal> journal_;
  std::unique_ptr<Station> station_;
  std::unique_ptr<table::RobotTable> table_;
  std::uint64_t shown_ = 0;    // version of the record in the twin's board
  std::jthread panel_thread_;  // last: it ends before anything it uses
};

}  // namespace rowbot::station
