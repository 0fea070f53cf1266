#include "trials/rehearsal.h"

#include <algorithm>
#include <ctime>
#include <fmt/format.h>
#include <utility>

#include "engine/roster/agent_spec.h"
#include "game/moves_text.h"
#include "robot/station/arm_wires.h"
#include "robot/station/visitor.h"

namespace rowbot::trials {
namespace {

using table::GameEnd;
using table::TableSnapshot;

/// Compares every recorded move with what is really in the board at that moment.
class Witness {
 public:
  Witness(const sim::World& world, RehearsalReport& report) : world_(world), report_(report) {}

  void begin_game() { wrong_ = false; }
  void look(const TableSnapshot& now) {
    if (!now.record || now.record->version == version_) return;
    version_ = now.record->version;
    if (now.record->game.moves().empty()) return;
    if (wrong_ || station::shows(world_.board.truth(), now.record->game.position(), now.human))
      return;
    wrong_ = true;
    ++report_.wrong_records;
    if (report_.first_wrong.empty()) {
      report_.first_wrong = fmt::format("game {}: the record is {}, but the board is another",
                                        now.game, game::moves_text(now.record->game.moves()));
    }
  }

 private:
  const sim::World& world_;
  RehearsalReport& report_;
  std::uint64_t version_ = 0;
  bool wrong_ = false;
};

std::vector<station::Mishap> mishaps_here(const RehearsalOptions& options) {
  return station::possible_mishaps(
      {.on_wire = station::simulated_wire(options.station.driver).has_value(),
       .switches = options.station.senses.switches});
}

Result<void> check_mishaps(const RehearsalOptions& options) {
  const auto possible = mishaps_here(options);
  for (const station::PlannedMishap& planned : options.mishaps) {
    if (std::ranges::find(possible, planned.what) != possible.end()) continue;
    return Error{fmt::format("{} cannot happen here: {}", station::mishap_name(planned.what),
                             planned.what == station::Mishap::kPhantomPress
                                 ? "it needs the sense 'switches'"
                                 : "it is about the twin's own motors; 'rowbot arm faults' breaks "
                                   "wires")};
  }
  return {};
}

}  // namespace

Result<RehearsalReport> run_rehearsal(const RehearsalOptions& options) {
  const std::clock_t begin = std::clock();
  std::unique_ptr<agents::Agent> visiting;
  if (!options.ask_person) {
    auto made = roster::make_agent(options.visitor, options.resources);
    if (!made) return made.error();
    visiting = *std::move(made);
  }
  if (auto possible = check_mishaps(options); !possible) return possible.error();
  station::StationTableOptions table_options{.log = options.log_file,
                                             .resources = options.resources};
  table_options.table.human = options.human;
  table_options.table.agent = options.agent;
  table_options.table.keys = true;  // the visitor answers questions
  table_options.table.patience_s = options.patience_s;
  table_options.table.leave_s = options.leave_s;
  auto opened = station::StationTable::open(options.station, std::move(table_options));
  if (!opened) return opened.error();
  station::Station& station = (*opened)->station();
  table::RobotTable& table = (*opened)->table();
  if (options.prepare) options.prepare(station);
  station::Visitor visitor(station, table, std::move(visiting), options.station.seed + 1);
  visitor.tell_columns(options.station.senses.keys);
  station.on_wait([&] {
    if (options.alive) options.alive();
    if (options.ask_person) {
      if (table.snapshot()->state == table::TableState::kStopped) return;  // they resume themselves
      if (!visitor.wishes()) visitor.wish(options.ask_person());
    }
    visitor.act();
  });
  RehearsalReport report;
  const sim::World& world = station.twin()->twin().world();
  Witness witness(world, report);
  table.on_change([&](const TableSnapshot& now) {
    visitor.notice(now);
    witness.look(now);
    if (options.watch) options.watch(now);
  });

  if (options.open) options.open(&table);
  const std::vector<station::Mishap> possible = mishaps_here(options);
  Rng rng(options.station.seed);
  while (report.games < options.games) {
    std::vector<station::PlannedMishap> planned = options.mishaps;
    if (options.random_mishaps) {
      for (const station::PlannedMishap& m : station::random_mishaps(rng, possible))
        planned.push_back(m);
    }
    visitor.begin_game(std::move(planned));
    witness.begin_game();
    const auto end = table.play_game();
    if (!end) return end.error();
    ++report.games;
    report.finished += *end == GameEnd::kFinished ? 1U : 0U;
    report.restarted += *end == GameEnd::kRestarted ? 1U : 0U;
    report.safe_stops += *end == GameEnd::kGivenUp ? 1U : 0U;
    if (options.progress) options.progress(report.games, *end);
    if (*end == GameEnd::kQuit) break;
  }
  if (options.open) options.open(nullptr);
  report.mishaps = static_cast<std::uint64_t>(visitor.mishaps());
  report.counts = table.counts();
  report.unwanted_contacts = world.safety.counts().unwanted_contacts;
  report.limit_violations = world.safety.counts().limit_violations;
  report.broken_steps = world.state.broken_steps();
  report.sim_seconds = world.state.time_s();
  report.cpu_seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  return report;
}

}  // namespace rowbot::trials
