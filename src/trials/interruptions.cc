#include "trials/interruptions.h"

#include <algorithm>
#include <fmt/format.h>

#include "engine/roster/agent_spec.h"
#include "robot/station/station_table.h"
#include "robot/station/visitor.h"

namespace rowbot::trials {
namespace {

using table::Command;
using table::GameEnd;
using table::TableState;

/// Interrupts at a given instant, and watches the arm from then on.
class Interruption {
 public:
  Interruption(station::Station& station, table::RobotTable& table, InterruptionReport& report)
      : station_(station), table_(table), report_(report) {}

  void arm(double at_s, bool restart) {
    at_s_ = at_s;
    restart_ = restart;
    armed_ = true;
    ticks_.reset();
  }

  void step(const sim::World& world) {
    const cell::ArmReading arm = station_.arm()->read();
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
  station::Station& station_;
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
  station::StationTableOptions table_options;
  table_options.table.agent = "forward";
  table_options.table.patience_s = 60;
  auto opened = station::StationTable::open(options.station, std::move(table_options));
  if (!opened) return opened.error();
  station::Station& station = (*opened)->station();
  table::RobotTable& table = (*opened)->table();
  station::Visitor visitor(station, table, *std::move(visitor_agent), options.station.seed + 1);
  station.on_wait([&visitor] { visitor.act(); });
  InterruptionReport report;
  Interruption interruption(station, table, report);
  station.twin()->on_step([&](const sim::World& world) { interruption.step(world); });

  Rng rng(options.station.seed);
  bool wanted = true;  // the next game gets an interruption
  table.on_change([&](const table::TableSnapshot& now) {
    if (now.state == TableState::kWaiting && now.record && now.record->game.moves().empty() &&
        std::exchange(wanted, false)) {
      interruption.arm(station.now_s() + 0.05 + 10 * rng.uniform(), rng.below(2) == 0);
    }
    // A stopped game has shown enough once the next move is made.
    if (now.state == TableState::kWaiting && now.record && now.record->game.moves().size() > 6) {
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
  const sim::World& world = station.twin()->twin().world();
  report.unwanted_contacts = world.safety.counts().unwanted_contacts;
  report.limit_violations = world.safety.counts().limit_violations;
  report.sim_seconds = world.state.time_s();
  return report;
}

}  // namespace rowbot::trials
