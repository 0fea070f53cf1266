#include "rehearsal/rehearsal.h"

#include <ctime>
#include <fmt/format.h>
#include <utility>

#include "game/moves_text.h"
#include "rehearsal/visitor.h"
#include "roster/roster.h"
#include "table/journal.h"

namespace rowbot::rehearsal {
namespace {

using table::GameEnd;
using table::TableSnapshot;

/// Compares every recorded move with what is really in the board at that moment.
class Witness {
 public:
  Witness(Stage& stage, RehearsalReport& report) : stage_(stage), report_(report) {}

  void begin_game() { wrong_ = false; }
  void look(const TableSnapshot& now) {
    if (!now.record || now.record->version == version_) return;
    version_ = now.record->version;
    if (now.record->moves.empty()) return;
    if (wrong_ || shows(stage_.twin().world().board(), now.record->position, now.human)) return;
    wrong_ = true;
    ++report_.wrong_records;
    if (report_.first_wrong.empty()) {
      report_.first_wrong = fmt::format("game {}: the record is {}, but the board is another",
                                        now.game, game::moves_text(now.record->moves));
    }
  }

 private:
  Stage& stage_;
  RehearsalReport& report_;
  std::uint64_t version_ = 0;
  bool wrong_ = false;
};

}  // namespace

Result<RehearsalReport> run_rehearsal(const RehearsalOptions& options) {
  const std::clock_t begin = std::clock();
  auto visitor_agent = roster::make_agent(options.visitor);
  if (!visitor_agent) return visitor_agent.error();
  auto stage = Stage::create(options.stage);
  if (!stage) return stage.error();
  auto journal = table::Journal::open(options.log_file);
  if (!journal) return journal.error();
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
       .make_agent = roster::make_agent,
       .seed = options.stage.seed,
       .switches = options.switches,
       .keys = true,
       .patience_s = options.patience_s,
       .leave_s = options.leave_s});
  if (!table) return table.error();
  if (options.prepare) options.prepare(**stage);
  Visitor visitor(**stage, **table, *std::move(visitor_agent), options.stage.seed + 1);
  RehearsalReport report;
  Witness witness(**stage, report);
  (*table)->on_change([&](const TableSnapshot& now) {
    visitor.notice(now);
    witness.look(now);
    if (options.watch) options.watch(now);
  });

  Rng rng(options.stage.seed);
  while (report.games < options.games) {
    std::vector<PlannedMishap> planned = options.mishaps;
    if (options.random_mishaps) {
      for (const PlannedMishap& m : random_mishaps(rng)) planned.push_back(m);
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
  }
  report.mishaps = static_cast<std::uint64_t>(visitor.mishaps());
  report.counts = (*table)->counts();
  const sim::World& world = (*stage)->twin().world();
  report.unwanted_contacts = world.counters().unwanted_contacts;
  report.limit_violations = world.counters().limit_violations;
  report.sim_seconds = world.time_s();
  report.cpu_seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  return report;
}

}  // namespace rowbot::rehearsal
