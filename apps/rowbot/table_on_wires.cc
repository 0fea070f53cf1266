#include "table_on_wires.h"

#include <atomic>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <memory>
#include <poll.h>
#include <string_view>
#include <thread>
#include <unistd.h>
#include <variant>

#include "base/text.h"
#include "cell/layout_file.h"
#include "commands.h"
#include "drivers/hardware_file.h"
#include "drivers/panel/switch_panel.h"
#include "fmt/format.h"
#include "roster/roster.h"
#include "service_notify.h"
#include "table/robot_table.h"
#include "table_narrator.h"
#include "vision/board_place.h"
#include "vision/camera_sensor.h"
#include "vision/video_camera.h"
#include "wired_arm.h"

namespace rowbot::app {
namespace {

using table::Command;

// Written by the signal handler, which may do little else.
std::atomic<bool> told_to_end = false;
static_assert(std::atomic<bool>::is_always_lock_free);

/// Real time; shows the service manager that the table is alive.
class ServicePace final : public table::Pace {
 public:
  explicit ServicePace(std::function<void()> end) : end_(std::move(end)) {}
  void wait(double seconds) override {
    wall_.wait(seconds);
    notify_service("WATCHDOG=1");
    if (told_to_end.exchange(false)) end_();
  }
  [[nodiscard]] double now_s() const override { return wall_.now_s(); }

 private:
  table::WallPace wall_;
  std::function<void()> end_;
};

struct Senses {
  bool camera = false;
  bool switches = false;
  bool keys = false;
};

Senses senses_of(std::string_view text) {
  Senses senses;
  for (const std::string_view sense : split(text, ',')) {
    if (sense == "camera") {
      senses.camera = true;
    } else if (sense == "switches") {
      senses.switches = true;
    } else if (sense == "keys") {
      senses.keys = true;
    } else {
      fail_usage(Error{fmt::format("there is no sense {}; there are camera, switches and keys",
                                   in_quotes(sense))});
    }
  }
  return senses;
}

std::string beside(const std::string& file, const std::string& name) {
  namespace fs = std::filesystem;
  return fs::path(name).is_absolute() ? name : (fs::path(file).parent_path() / name).string();
}

/// The driver's text with its address, from the command line or from the configuration.
std::string driver_text(const WiredTable& wanted, const drivers::Hardware& hardware) {
  std::string driver = wanted.driver == "sim" ? "" : wanted.driver;
  if (driver.empty()) driver = hardware.driver.value_or("");
  if (driver.empty() && hardware.servos) driver = "servo";
  if (driver.find(':') != std::string::npos) return driver;
  if (driver == "servo" && !wanted.config.empty()) return "servo:" + wanted.config;
  if (driver == "serial" && hardware.serial) return "serial:" + *hardware.serial;
  if (driver == "rosbridge" && hardware.rosbridge) return "rosbridge:" + *hardware.rosbridge;
  fail_usage(Error{fmt::format(
      "the driver {} has no address; name it as in serial:/dev/ttyUSB0, or write it into the "
      "configuration (docs/wiring.md)",
      in_quotes(driver))});
}

/// The rocker of paper 000 gives the arm 100, 1000 or 5000 ms; the website's levels are others.
std::string level_agent(cell::PanelLevel level) {
  switch (level) {
    case cell::PanelLevel::kEasy:
      return "mcts:level=table1";
    case cell::PanelLevel::kModerate:
      return "mcts:level=table2";
    case cell::PanelLevel::kHard:
      return "mcts:level=table3";
  }
  return "mcts:level=table3";
}

/// Brings what the switches say to the table.
void listen_to_panel(const std::stop_token& stop, cell::Panel& panel, table::RobotTable& table) {
  while (!stop.stop_requested()) {
    const auto event = panel.next(std::chrono::milliseconds(200));
    if (!event) {
      fmt::print(stderr, "rowbot: the panel is gone: {}\n", event.error().message);
      return;
    }
    if (!*event) continue;
    const auto& what = (*event)->what;
    if (const auto* pressed = std::get_if<cell::ColumnPressed>(&what)) {
      table.post({.kind = Command::Kind::kDropSeen, .column = pressed->column, .text = {}});
    } else if (const auto* level = std::get_if<cell::LevelChanged>(&what)) {
      table.post({.kind = Command::Kind::kAgent, .column = {}, .text = level_agent(level->level)});
    } else if (std::holds_alternative<cell::RestartPressed>(what)) {
      table.post({.kind = Command::Kind::kRestart, .column = {}, .text = {}});
    } else if (const auto* stuck = std::get_if<cell::SwitchStuck>(&what)) {
      fmt::print(stderr, "rowbot: the switch '{}' is stuck\n", stuck->name);
    }
  }
}

/// Columns, and commands in one letter, as they are typed.
void listen_to_keys(const std::stop_token& stop, table::RobotTable& table) {
  while (!stop.stop_requested()) {
    pollfd input{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
    if (::poll(&input, 1, 200) <= 0) continue;
    std::string line;
    if (!std::getline(std::cin, line)) return;
    for (const char key : line) {
      if (const auto column = game::Column::from_digit(key)) {
        table.post({.kind = Command::Kind::kTyped, .column = *column, .text = {}});
      } else if (key == 'r') {
        table.post({.kind = Command::Kind::kRestart, .column = {}, .text = {}});
      } else if (key == 's') {
        table.stop();
      } else if (key == 'c') {
        table.post({.kind = Command::Kind::kResume, .column = {}, .text = {}});
      } else if (key == 'q') {
        table.post({.kind = Command::Kind::kQuit, .column = {}, .text = {}});
      }
    }
  }
}

std::unique_ptr<vision::CameraSensor> open_eye(const drivers::Hardware& hardware,
                                               const std::string& config,
                                               const cell::CellLayout& layout,
                                               std::unique_ptr<vision::VideoCamera>& camera) {
  auto opened = vision::VideoCamera::open(hardware.camera.value_or("/dev/video0"));
  if (!opened) fail(opened.error());
  camera = *std::move(opened);
  vision::CameraSensorOptions options{.moved_columns = cell::moved_columns(layout)};
  if (hardware.eyes) {
    auto loaded = vision::load_calibration(beside(config, *hardware.eyes));
    if (!loaded) fail(loaded.error());
    options.calibration = *loaded;
  }
  return std::make_unique<vision::CameraSensor>(*camera, options);
}

}  // namespace

void run_table_on_wires(const WiredTable& wanted) {
  drivers::Hardware hardware;
  if (!wanted.config.empty()) hardware = usage_value(drivers::load_hardware(wanted.config));
  const std::string driver = driver_text(wanted, hardware);
  const std::string robot =
      wanted.robot.empty() ? usage_value(robot_of_driver(driver)) : wanted.robot;
  const std::string layout_file = !wanted.layout.empty() ? wanted.layout
                                  : hardware.layout      ? beside(wanted.config, *hardware.layout)
                                                         : "";
  cell::CellLayout layout = layout_file.empty()
                                ? cell::default_layout(*usage_value(arm::model_by_name(robot)))
                                : usage_value(cell::load_layout(layout_file));
  const Senses senses = senses_of(!wanted.senses.empty() ? wanted.senses
                                  : hardware.senses      ? *hardware.senses
                                                         : std::string("camera,keys"));
  const std::string agent = !wanted.agent.empty() ? wanted.agent
                            : hardware.agent      ? *hardware.agent
                                                  : std::string("mcts:preset=hybrid,time=1s");
  WiredArm wired = usage_value(make_wired_arm(driver, layout, wanted.seed, ""));
  cell::ArmHand hand(*wired.driver, layout, wanted.seed, wired.run_plan);
  std::unique_ptr<vision::VideoCamera> camera;
  std::unique_ptr<vision::CameraSensor> eye;
  if (senses.camera) {
    eye = open_eye(hardware, wanted.config, layout, camera);
    if (wired.driver->model().gripper.marker_m) {
      hand.watch_aim([&eye] { return eye->gripper_column(); });
    }
  }
  auto journal = table::Journal::open(wanted.log);
  if (!journal) fail(journal.error());

  table::RobotTable* playing = nullptr;
  ServicePace pace([&playing] {
    if (playing != nullptr) {
      playing->post({.kind = Command::Kind::kQuit, .column = {}, .text = {}});
    }
  });
  auto table = table::RobotTable::create(
      {.hand = hand,
       .camera = eye.get(),
       .pace = pace,
       .journal = **journal,
       .realign = [&](const cell::BoardReading& before,
                      const cell::BoardReading& now) -> Result<void> {
         const auto moved = vision::measured_layout(layout, before.corners, now.corners,
                                                    {eye->frame()->width, eye->frame()->height});
         if (!moved) return moved.error();
         layout = *moved;
         hand.set_layout(layout);
         return {};
       }},
      {.robot = robot,
       .human = wanted.human,
       .agent = agent,
       .make_agent = roster::make_agent,
       .seed = wanted.seed,
       .switches = senses.switches,
       .keys = senses.keys});
  if (!table) fail_usage(table.error());
  playing = table->get();
  Narrator narrator;
  playing->on_change([&narrator](const table::TableSnapshot& now) {
    narrator.tell(now);
    std::fflush(stdout);
    notify_service(fmt::format("STATUS={}: {}", state_text(now.state), now.message));
  });
  std::unique_ptr<drivers::SwitchPanel> panel;
  std::jthread panel_thread;
  if (senses.switches) {
    auto opened = drivers::SwitchPanel::open(hardware.panel.value_or(drivers::PanelWiring{}));
    if (!opened) fail(opened.error());
    panel = *std::move(opened);
    panel_thread =
        std::jthread([&](const std::stop_token& stop) { listen_to_panel(stop, *panel, *playing); });
  }
  std::jthread key_thread;
  if (senses.keys) {
    key_thread = std::jthread([&](const std::stop_token& stop) { listen_to_keys(stop, *playing); });
    fmt::print("1 to 7: your disc is in that column; s stop, c go on, r new game, q quit\n");
  }
  std::signal(SIGINT, [](int) { told_to_end = true; });
  std::signal(SIGTERM, [](int) { told_to_end = true; });
  notify_service("READY=1");
  for (std::uint64_t game = 0; !wanted.games || game < *wanted.games; ++game) {
    const auto end = playing->play_game();
    if (!end) fail(end.error());
    if (const std::string advice = wired.advice(); !advice.empty()) fmt::print("{}\n", advice);
    if (*end == table::GameEnd::kQuit) break;
  }
  notify_service("STOPPING=1");
}

}  // namespace rowbot::app
