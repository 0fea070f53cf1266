// Many games at the simulated table: nobody looks, everything is checked against what is really in
// the board.
// Thread safety: pure function of its options, except for files, clocks and the time it measures.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/resources.h"
#include "robot/station/mishap.h"
#include "robot/station/station_table.h"

namespace rowbot::trials {

struct RehearsalOptions {
  station::StationConfig station;  // simulated
  std::string agent = "mcts:preset=hybrid,sims=2000";
  std::string visitor = "forward";
  Resources resources;  // of each agent
  game::Side human = game::Side::kFirst;
  std::uint64_t games = 1;
  std::vector<station::PlannedMishap> mishaps;  // in every game
  bool random_mishaps = false;
  /// A person in place of the visiting agent: the column that he wants to play, none yet.
  std::function<std::optional<game::Column>()> ask_person;
  std::string log_file;
  double patience_s = 30;
  double leave_s = 20;
  std::function<void(station::Station&)> prepare;  // once, before the first game
  std::function<void(const table::TableSnapshot&)> watch;
  std::function<void(table::RobotTable*)> open;  // with null before it closes
  std::function<void()> alive;                   // again and again while time passes
  std::function<void(std::uint64_t done, table::GameEnd)> progress;
};

struct RehearsalReport {
  std::uint64_t games = 0;
  std::uint64_t finished = 0;
  std::uint64_t restarted = 0;
  std::uint64_t safe_stops = 0;     // given up, with a reason
  std::uint64_t wrong_records = 0;  // games whose record was not what lay in the board
  std::uint64_t mishaps = 0;
  table::TableCounts counts;
  std::uint64_t unwanted_contacts = 0;
  std::uint64_t limit_violations = 0;
  std::uint64_t broken_steps = 0;  // of the physics
  double sim_seconds = 0;
  double cpu_seconds = 0;
  std::string first_wrong;
};

[[nodiscard]] Result<RehearsalReport> run_rehearsal(const RehearsalOptions& options);

}  // namespace rowbot::trials
