#include "trials/rehearsal.h"

#include <algorithm>
#include <ctime>
#include <fmt/format.h>
#include <utility>

#include "engine/roster/agent_spec.h"
#include "game/moves_text.h"
#include "robot/station/visitor.h"
#include "robot/table/journal.h"
#include "robot/table/panel_command.h"

namespace rowbot::trials {
namespace {

using table::GameEnd;
using table::TableSnapshot;

/// Compares every recorded move with what is really in the board at that moment.
class Witness {
 public:
  Witness(station::Stage& stage, RehearsalReport& report) : stage_(stage), report_(report) {}

  void begin_game() { wrong_ = false; }
  void look(const TableSnapshot& now) {
    if (!now.record || now.record->version == version_) return;
    version_ = now.record->version;
    if (now.record->moves.empty()) return;
    if (wrong_ ||
        station::shows(stage_.twin().world().board.truth(), now.record->position, now.human))
      return;
    wrong_ = true;
    ++report_.wrong_records;
    if (report_.first_wrong.empty()) {
      report_.first_wrong = fmt::format("game {}: the record is {}, but the board is another",
                                        now.game, game::moves_text(now.record->moves));
    }
  }

 private:
  station::Stage& stage_;
  RehearsalReport& report_;
  std::uint64_t version_ = 0;
  bool wrong_ = false;
};

/// Columns only: in the twin nobody turns the rocker, and the level is the caller's.
void feel_switches(station::Stage& stage, table::RobotTable& table) {
  while (const auto event = stage.switches()->next()) {
    if (!std::holds_alternative<cell::ColumnPressed>(event->what)) continue;
    table.post(*table::panel_command(*event));
  }
}

std::vector<station::Mishap> mishaps_here(const RehearsalOptions& options) {
  return station::possible_mishaps(
      {.on_wire = options.stage.wire.has_value(), .switches = options.stage.switches});
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
  // First: a log that another table writes belongs to a board that this one must not touch.
  auto journal = table::Journal::open(options.log_file);
  if (!journal) return journal.error();
  auto stage = station::Stage::create(options.stage);
  if (!stage) return stage.error();
  auto table = table::RobotTable::create(
      {.hand = (*stage)->hand(),
       .camera = options.camera ? &(*stage)->eye() : nullptr,
       .pace = **stage,
       .journal = **journal,
       .realign = [&stage](const auto& before,
                           const auto& now) { return (*stage)->realign(before, now); }},
      {.robot = options.stage.layout.robot,
       .human = options.human,
       .agent = options.agent,
       .make_agent = roster::agent_maker(options.resources),
       .seed = options.stage.seed,
       .switches = options.stage.switches,
       .keys = true,
       .patience_s = options.patience_s,
       .leave_s = options.leave_s});
  if (!table) return table.error();
  if (options.prepare) options.prepare(**stage);
  station::Visitor visitor(**stage, **table, std::move(visiting), options.stage.seed + 1);
  visitor.tell_columns(options.keys);
  (*stage)->on_wait([&] {
    if (options.alive) options.alive();
    if (options.ask_person) {
      if ((*table)->snapshot()->state == table::TableState::kStopped) return;  // he resumes himself
      if (!visitor.wishes()) visitor.wish(options.ask_person());
    }
    visitor.act();
  });
  if (options.stage.switches) {
    (*stage)->on_step([&](const sim::World&) { feel_switches(**stage, **table); });
  }
  RehearsalReport report;
  Witness witness(**stage, report);
  (*table)->on_change([&](const TableSnapshot& now) {
    visitor.notice(now);
    witness.look(now);
    if (options.watch) options.watch(now);
  });

  if (options.open) options.open(table->get());
  const std::vector<station::Mishap> possible = mishaps_here(options);
  Rng rng(options.stage.seed);
  while (report.games < options.games) {
    std::vector<station::PlannedMishap> planned = options.mishaps;
    if (options.random_mishaps) {
      for (const station::PlannedMishap& m : station::random_mishaps(rng, possible))
        planned.push_back(m);
    }
    visitor.begin_game(std::move(planned));
    witness.begin_game();
    const auto end = (*table)->play_game();
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
  report.counts = (*table)->counts();
  const sim::World& world = (*stage)->twin().world();
  report.unwanted_contacts = world.safety.counts().unwanted_contacts;
  report.limit_violations = world.safety.counts().limit_violations;
  report.broken_steps = world.state.broken_steps();
  report.sim_seconds = world.state.time_s();
  report.cpu_seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  return report;
}

}  // namespace rowbot::trials
