// Many games at the simulated table: nobody looks, everything is checked against what is really in
// the board.
// Thread safety: pure function of its options, except for files, clocks and the time it measures.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "rehearsal/mishap.h"
#include "rehearsal/stage.h"
#include "table/robot_table.h"

namespace rowbot::rehearsal {

struct RehearsalOptions {
  StageOptions stage;
  std::string agent = "mcts:preset=hybrid,sims=2000";
  std::string visitor = "forward";
  game::Side human = game::Side::kFirst;
  std::uint64_t games = 1;
  std::vector<PlannedMishap> mishaps;  // in every game
  bool random_mishaps = false;
  bool switches = false;
  bool camera = true;
  std::string log_file;
  double patience_s = 30;
  double leave_s = 20;
  std::function<void(Stage&)> prepare;  // once, before the first game
  std::function<void(const table::TableSnapshot&)> watch;
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
  double sim_seconds = 0;
  double cpu_seconds = 0;
  std::string first_wrong;
};

[[nodiscard]] Result<RehearsalReport> run_rehearsal(const RehearsalOptions& options);

}  // namespace rowbot::rehearsal
