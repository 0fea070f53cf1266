#include "trials/interruptions.h"

#include <algorithm>
#include <fmt/format.h>

#include "engine/roster/agent_spec.h"
#include "robot/station/visitor.h"
#include "robot/table/journal.h"

namespace rowbot::trials {
namespace {

using table::Command;
using table::GameEnd;
using table::TableState;

/// Interrupts at a given instant, and watches the arm from then on.
class Interruption {
 public:
  Interruption(station::Stage& stage, table::RobotTable& table, InterruptionReport& report)
      : stage_(stage), table_(table), report_(report) {}

  void arm(double at_s, bool restart) {
    at_s_ = at_s;
    restart_ = restart;
    armed_ = true;
    ticks_.reset();
  }

  void step(const sim::World& world) {
    const cell::ArmReading arm = stage_.arm().read();
    if (ticks_ && stood_ && arm.moving) ticks_.reset();  // on its way home already
    if (ticks_) {
      ++*ticks_;
      const double since = world.state.time_s() - at_s_;
      if (arm.moving && !stood_) {
        report_.worst_ticks = std::max(report_.worst_ticks, *ticks_);
      } else {
        stood_ = true;
      }
      if (arm.v_rad_s.cwiseAbs().maxCoeff() > 0.05 && !rested_) {
        report_.worst_rest_s = std::max(report_.worst_rest_s, since);
      } else if (stood_) {
        rested_ = true;
      }
      if (stood_ && rested_) ticks_.reset();
    }
    if (!armed_ || world.state.time_s() < at_s_) return;
    armed_ = false;
    at_s_ = world.state.time_s();
    ++report_.interruptions;
    if (arm.moving) {
      ++report_.while_moving;
      ticks_ = 0;
      stood_ = rested_ = false;
    }
    if (restart_) {
      table_.post({.kind = Command::Kind::kRestart, .column = {}, .text = {}});
    } else {
      table_.stop();
    }
  }

 private:
  station::Stage& stage_;
  table::RobotTable& table_;
  InterruptionReport& report_;
  double at_s_ = 0;
  bool restart_ = false;
  bool armed_ = false;
  std::optional<int> ticks_;
  bool stood_ = false;
  bool rested_ = false;
};

}  // namespace

Result<InterruptionReport> run_interruptions(const InterruptionOptions& options) {
  auto visitor_agent = roster::make_agent("random", {});
  if (!visitor_agent) return visitor_agent.error();
  auto stage = station::Stage::create(options.stage);
  if (!stage) return stage.error();
  auto journal = table::Journal::open("");
  if (!journal) return journal.error();
  auto made = table::RobotTable::create(
      {.hand = (*stage)->hand(), .camera = &(*stage)->eye(), .pace = **stage, .journal = **journal},
      {.robot = options.stage.layout.robot,
       .agent = "forward",
       .make_agent = roster::agent_maker({}),
       .seed = options.stage.seed,
       .patience_s = 60});
  if (!made) return made.error();
  table::RobotTable& table = **made;
  station::Visitor visitor(**stage, table, *std::move(visitor_agent), options.stage.seed + 1);
  InterruptionReport report;
  Interruption interruption(**stage, table, report);
  (*stage)->on_step([&](const sim::World& world) { interruption.step(world); });

  Rng rng(options.stage.seed);
  bool wanted = true;  // the next game gets an interruption
  table.on_change([&](const table::TableSnapshot& now) {
    if (now.state == TableState::kWaiting && now.record && now.record->moves.empty() &&
        std::exchange(wanted, false)) {
      interruption.arm((*stage)->now_s() + 0.05 + 10 * rng.uniform(), rng.below(2) == 0);
    }
    // A stopped game has shown enough once the next move is made.
    if (now.state == TableState::kWaiting && now.record && now.record->moves.size() > 6) {
      table.post({.kind = Command::Kind::kRestart, .column = {}, .text = {}});
    }
    visitor.notice(now);
  });
  while (report.interruptions < options.count) {
    wanted = true;
    visitor.begin_game({});
    const std::uint64_t before = report.interruptions;
    const auto end = table.play_game();
    if (!end) return end.error();
    if (report.interruptions == before) continue;  // the game was over first
    if (*end == GameEnd::kRestarted || *end == GameEnd::kFinished) {
      ++report.clean_starts;
    } else if (report.first_wrong.empty()) {
      report.first_wrong =
          fmt::format("after interruption {}: {}", report.interruptions, table.snapshot()->message);
    }
    if (options.progress) options.progress(report.interruptions);
  }
  const sim::World& world = (*stage)->twin().world();
  report.unwanted_contacts = world.safety.counts().unwanted_contacts;
  report.limit_violations = world.safety.counts().limit_violations;
  report.sim_seconds = world.state.time_s();
  return report;
}

}  // namespace rowbot::trials
