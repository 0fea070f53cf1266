// A person at the simulated table: plays, commits the fouls and has the mishaps that were planned,
// reads what the table asks for and does it.
// Thread safety: none; acts on the thread that plays the table.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/rng.h"
#include "engine/agents/agent.h"
#include "robot/station/mishap.h"
#include "robot/station/station.h"
#include "robot/table/robot_table.h"

namespace rowbot::station {

class Visitor {
 public:
  /// At a station with a twin. Everything outlives the visitor. Without an agent, somebody else
  /// says what to play.
  Visitor(Station& station, table::RobotTable& table, std::unique_ptr<agents::Agent> player,
          std::uint64_t seed);

  /// A new game, in which these things will go wrong.
  void begin_game(std::vector<PlannedMishap> planned);
  /// For a visitor without an agent: puts a disc into the column when it is the visitor's turn.
  /// Nothing takes back what was wished for.
  void wish(std::optional<game::Column> column) { wish_ = column; }
  /// What was wished for is not done yet.
  [[nodiscard]] bool wishes() const { return wish_.has_value(); }

  /// Types each column that he has played, for a table that believes it.
  void tell_columns(bool on) { tells_ = on; }

  /// While time passes at the table.
  void act();
  /// When the table's state changes.
  void notice(const table::TableSnapshot& now);

  [[nodiscard]] int mishaps() const { return mishaps_; }

 private:
  [[nodiscard]] std::optional<Mishap> due(const table::TableSnapshot& now, bool while_moving);
  void play(const table::TableSnapshot& now);
  [[nodiscard]] std::optional<game::Column> choose(const game::Position& position);
  void blunder(Mishap mishap, const table::TableSnapshot& now);
  void disturb(Mishap mishap, const table::TableSnapshot& now);
  void put_board_right(const table::TableSnapshot& now);
  void name_column(const table::TableSnapshot& now);
  void drop(game::Column column);
  void step(const sim::World& world);
  void busy_for(double seconds) { ready_s_ = station_.now_s() + seconds; }

  Station& station_;
  SimulatedCell& cell_;
  sim::Twin& twin_;
  table::RobotTable& table_;
  std::unique_ptr<agents::Agent> player_;
  Rng rng_;
  std::vector<PlannedMishap> planned_;
  std::optional<game::Column> wish_;
  double ready_s_ = 0;
  std::optional<std::size_t> played_ply_;
  double played_s_ = 0;
  bool gone_ = false;
  bool tells_ = false;
  std::optional<game::Column> untold_;
  bool astray_ = false;
  std::optional<Mishap> sudden_;  // comes at sudden_s_
  double sudden_s_ = 0;
  int mishaps_ = 0;
};

}  // namespace rowbot::station
