#include "table_on_wires.h"

#include <utility>
#include <variant>

#include "base/memory.h"
#include "commands.h"
#include "engine/roster/agent_spec.h"
#include "fmt/format.h"
#include "robot/table/panel_command.h"
#include "robot/vision/board_place.h"
#include "table_keys.h"
#include "table_service.h"

namespace rowbot::app {
namespace {

using table::Command;

/// Real time; somebody hears that the table is alive.
class LivelyPace final : public table::Pace {
 public:
  explicit LivelyPace(std::function<void()> alive) : alive_(std::move(alive)) {}
  void wait(double seconds) override {
    wall_.wait(seconds);
    if (alive_) alive_();
  }
  [[nodiscard]] double now_s() const override { return wall_.now_s(); }

 private:
  table::WallPace wall_;
  std::function<void()> alive_;
};

/// There is no arm: people do what the table asks for.
class HandOfPeople final : public cell::Hand {
 public:
  Result<void> prepare() override { return {}; }
  cell::HandReport drop(game::Column /*column*/) override { return {}; }
  void halt() noexcept override {}
};

/// Brings what the switches say to the table.
void listen_to_panel(const std::stop_token& stop, cell::Panel& panel, table::RobotTable& table) {
  while (!stop.stop_requested()) {
    const auto event = panel.next(std::chrono::milliseconds(200));
    if (!event) {
      fmt::print(stderr, "rowbot: the panel is gone: {}\n", event.error().message);
      return;
    }
    if (!*event) continue;
    if (auto command = table::panel_command(**event)) {
      table.post(*std::move(command));
    } else if (const auto* stuck = std::get_if<cell::SwitchStuck>(&(*event)->what)) {
      fmt::print(stderr, "rowbot: the switch '{}' is stuck\n", stuck->name);
    }
  }
}

}  // namespace

Result<std::unique_ptr<TableOnWires>> TableOnWires::open(const TableParts& parts,
                                                         const TableOnWiresOptions& options) {
  // First: a log that another table writes belongs to an arm that this one must not move.
  auto journal = table::Journal::open(options.log);
  if (!journal) return journal.error();
  std::unique_ptr<TableOnWires> made(new TableOnWires(parts));
  const bool armless = parts.driver == "none";
  if (armless) {
    made->hand_of_people_ = std::make_unique<HandOfPeople>();
  } else if (auto done = made->open_arm(parts, options.seed); !done) {
    return done.error();
  }
  if (parts.senses.camera) {
    if (auto done = made->open_eye(parts); !done) return done.error();
  }
  made->journal_ = *std::move(journal);
  made->pace_ = std::make_unique<LivelyPace>(options.alive);
  cell::Hand& hand = armless ? *made->hand_of_people_ : *made->arm_hand_;
  auto table = table::RobotTable::create(
      {.hand = hand,
       .camera = made->eye_.get(),
       .pace = *made->pace_,
       .journal = *made->journal_,
       .realign = [it = made.get()](const auto& before,
                                    const auto& now) { return it->realign(before, now); }},
      {.robot = armless ? "none" : made->layout_.robot,
       .human = options.human,
       .agent = parts.agent.empty() ? "mcts:preset=hybrid,time=1s" : parts.agent,
       .make_agent = roster::agent_maker(machine_resources()),
       .seed = options.seed,
       .switches = parts.senses.switches,
       .keys = parts.senses.keys,
       .people_move_for = armless});
  if (!table) return table.error();
  made->table_ = *std::move(table);
  if (parts.senses.switches) {
    if (auto done = made->open_panel(parts); !done) return done.error();
  }
  return made;
}

Result<void> TableOnWires::open_arm(const TableParts& parts, std::uint64_t seed) {
  auto arm = make_wired_arm(parts.driver, layout_, seed, "");
  if (!arm) return arm.error();
  arm_ = *std::move(arm);
  // An arm that is looked at moves step by step, so that its aim can be corrected.
  const bool looked_at = parts.senses.camera && arm_.driver->model().gripper.marker_m.has_value();
  arm_hand_ = std::make_unique<cell::ArmHand>(
      *arm_.driver, layout_, seed, looked_at ? cell::ArmHand::PlanRunner() : arm_.run_whole);
  if (looked_at) arm_hand_->watch_aim([this] { return eye_->gripper_column(); });
  return {};
}

Result<void> TableOnWires::open_eye(const TableParts& parts) {
  auto camera = vision::VideoCamera::open(parts.camera);
  if (!camera) return camera.error();
  camera_ = *std::move(camera);
  vision::CameraSensorOptions options{.moved_columns = cell::moved_columns(layout_)};
  if (!parts.eyes.empty()) {
    auto loaded = vision::load_calibration(parts.eyes);
    if (!loaded) return loaded.error();
    options.calibration = *loaded;
  }
  eye_ = std::make_unique<vision::CameraSensor>(*camera_, options);
  return {};
}

Result<void> TableOnWires::open_panel(const TableParts& parts) {
  auto panel = drivers::SwitchPanel::open(parts.panel);
  if (!panel) return panel.error();
  panel_ = *std::move(panel);
  panel_thread_ = std::jthread(
      [this](const std::stop_token& stop) { listen_to_panel(stop, *panel_, *table_); });
  return {};
}

Result<void> TableOnWires::realign(const cell::BoardReading& before,
                                   const cell::BoardReading& now) {
  if (!arm_hand_) return {};  // people find the board wherever it stands
  const auto moved = vision::measured_layout(layout_, before.corners, now.corners,
                                             {eye_->frame()->width, eye_->frame()->height});
  if (!moved) return moved.error();
  layout_ = *moved;
  arm_hand_->set_layout(layout_);
  return {};
}

void run_table_on_wires(const TableParts& parts, const TableOnWiresOptions& options,
                        std::optional<std::uint64_t> games) {
  TableService service;
  TableOnWiresOptions lively = options;
  lively.alive = [&service] { service.alive(); };
  auto opened = TableOnWires::open(parts, lively);
  if (!opened) fail(opened.error());
  table::RobotTable& table = (*opened)->table();
  table.on_change([&service](const table::TableSnapshot& now) { service.tell(now); });
  std::optional<TableKeys> keys;
  if (parts.senses.keys) {
    fmt::print("{}", kTableKeys);
    keys.emplace(table, TableKeys::Listener{.column = [&table](game::Column column) {
                   table.post({.kind = Command::Kind::kTyped, .column = column, .text = {}});
                 }});
  }
  service.attach(&table);
  for (std::uint64_t game = 0; !games || game < *games; ++game) {
    const auto end = table.play_game();
    if (!end) fail(end.error());
    if (*end == table::GameEnd::kQuit) break;
  }
  service.attach(nullptr);
}

}  // namespace rowbot::app
