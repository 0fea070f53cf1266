#include "robot/station/station_table.h"

#include <utility>
#include <variant>

#include "engine/roster/agent_spec.h"
#include "fmt/format.h"
#include "robot/table/panel_command.h"

namespace rowbot::station {
namespace {

/// Columns only: in the twin nobody turns the rocker, and the level is the caller's.
void feel_switches(cell::Panel& panel, table::RobotTable& table) {
  for (auto event = panel.next({}); event && *event; event = panel.next({})) {
    if (!std::holds_alternative<cell::ColumnPressed>((*event)->what)) continue;
    table.post(*table::panel_command(**event));
  }
}

/// Brings what real switches say to the table.
void listen_to_panel(const std::stop_token& stop, cell::Panel& panel, table::RobotTable& table,
                     const std::function<void(std::string_view)>& complain) {
  while (!stop.stop_requested()) {
    const auto event = panel.next(std::chrono::milliseconds(200));
    if (!event) {
      if (complain) complain("the panel is gone: " + event.error().message);
      return;
    }
    if (!*event) continue;
    if (auto command = table::panel_command(**event)) {
      table.post(*std::move(command));
    } else if (const auto* stuck = std::get_if<cell::SwitchStuck>(&(*event)->what)) {
      if (complain) complain(fmt::format("the switch '{}' is stuck", stuck->name));
    }
  }
}

}  // namespace

Result<std::unique_ptr<StationTable>> StationTable::open(const StationConfig& config,
                                                         StationTableOptions options) {
  // First: a log that another table writes belongs to an arm that this one must not move.
  auto journal = table::Journal::open(options.log);
  if (!journal) return journal.error();
  auto station = station::open(config);
  if (!station) return station.error();
  std::unique_ptr<StationTable> made(new StationTable());
  made->journal_ = *std::move(journal);
  made->station_ = *std::move(station);
  Station& parts = *made->station_;
  table::TableOptions& table = options.table;
  table.people_move_for = parts.arm() == nullptr;
  table.robot = table.people_move_for ? "none" : config.layout.robot;
  table.seed = config.seed;
  table.switches = config.senses.switches;
  table.make_agent = roster::agent_maker(options.resources);
  auto opened = table::RobotTable::create(
      {.hand = parts.hand(),
       .camera = config.senses.camera ? parts.sensor() : nullptr,
       .pace = parts,
       .journal = *made->journal_,
       .realign = [&parts](const auto& before,
                           const auto& now) { return parts.realign(before, now); }},
      std::move(table));
  if (!opened) return opened.error();
  made->table_ = *std::move(opened);
  if (parts.panel() != nullptr) made->connect_panel(std::move(options.complain));
  if (parts.twin() != nullptr && !config.simulated()) {
    parts.on_wait([it = made.get()] { it->show_game_in_twin(); });
  }
  return made;
}

void StationTable::connect_panel(std::function<void(std::string_view)> complain) {
  cell::Panel& panel = *station_->panel();
  SimulatedCell* twin = station_->twin();
  if (twin != nullptr && twin->switches() == &panel) {
    twin->on_step([this, &panel](const sim::World&) { feel_switches(panel, *table_); });
    return;
  }
  panel_thread_ =
      std::jthread([this, &panel, complain = std::move(complain)](const std::stop_token& stop) {
        listen_to_panel(stop, panel, *table_, complain);
      });
}

/// People play in the real board; the simulated arm is to find the same discs in its own.
void StationTable::show_game_in_twin() {
  const auto now = table_->snapshot();
  if (!now->record || now->record->version == shown_) return;
  shown_ = now->record->version;
  sim::Twin& twin = station_->twin()->twin();
  if (now->record->game.moves().empty()) twin.world().reload();
  twin.world().set_board(truth_of(now->record->game.position(), now->human));
}

}  // namespace rowbot::station
