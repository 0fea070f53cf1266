// rowbot table: the robot's table, sensing, thinking, moving and verifying; in the twin or with
// real parts.
#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "base/memory.h"
#include "base/text.h"
#include "commands.h"
#include "film.h"
#include "fmt/format.h"
#include "json.h"
#include "output.h"
#include "progress.h"
#include "robot/station/station_table.h"
#include "table_keys.h"
#include "table_service.h"
#include "trials/interruptions.h"
#include "trials/rehearsal.h"

namespace rowbot::app {
namespace {

constexpr const char* kVisitorAtKeys = "keys";

struct TableArguments {
  std::string robot = "eezybot";
  std::string driver = "sim";
  std::string config;
  std::string layout_file;
  std::string senses;
  std::string camera;
  std::string agent;
  std::string visitor = "mcts:sims=500";
  std::string human = "first";
  std::uint64_t games = 1;
  std::string speed = "max";
  std::uint64_t seed = 1;
  std::string servo = "exact";
  std::vector<std::string> inject;
  std::string record;
  std::string view = "overview";
  std::string log;
  std::string world;
  std::uint64_t interrupts = 0;
  bool json = false;
  bool states = false;
};

game::Side human_of(const TableArguments& args) {
  return args.human == "first" ? game::Side::kFirst : game::Side::kSecond;
}

station::StationConfig station_of(const TableArguments& args,
                                  const station::StationOptions& options) {
  station::StationConfig config = usage_value(station::configure(options));
  config.seed = args.seed;
  config.servo = args.servo == "coarse"     ? sim::coarse_servos()
                 : args.servo == "drifting" ? sim::drifting_motors()
                                            : sim::exact_servos();
  config.world_file = args.world;
  if (args.speed != "max") {
    const auto speed = parse_number(args.speed);
    if (!speed || !(*speed > 0 && *speed <= 1000)) {
      fail_usage(
          Error{fmt::format("--speed is max or a factor above 0, not {}", in_quotes(args.speed))});
    }
    config.speed = *speed;
  }
  return config;
}

trials::RehearsalOptions rehearsal_of(const TableArguments& args,
                                      const station::StationConfig& config) {
  trials::RehearsalOptions options;
  options.station = config;
  for (const std::string& text : args.inject) {
    if (text == "random") {
      options.random_mishaps = true;
    } else {
      options.mishaps.push_back(usage_value(station::parse_mishap(text)));
    }
  }
  options.resources = machine_resources();
  if (!config.agent.empty()) options.agent = config.agent;
  options.visitor = args.visitor;
  options.human = human_of(args);
  options.games = args.games;
  options.log_file = args.log;
  return options;
}

/// A person at the keyboard in place of the visiting agent.
class PersonAtKeys {
 public:
  void take_seat(trials::RehearsalOptions& options) {
    options.ask_person = [this] { return next_column(); };
    options.leave_s = 300;
    options.patience_s = 120;
    if (!options.station.speed) options.station.speed = 1;
  }
  void sit_down(table::RobotTable* table) {
    keys_.reset();
    if (table == nullptr) return;
    keys_.emplace(
        *table,
        TableKeys::Listener{
            .column =
                [this](game::Column column) {
                  const std::scoped_lock lock(mutex_);
                  columns_.push_back(column);
                },
            .ended =
                [table] {
                  if (runs_as_service()) return;
                  table->post({.kind = table::Command::Kind::kQuit, .column = {}, .text = {}});
                }});
  }

 private:
  std::optional<game::Column> next_column() {
    const std::scoped_lock lock(mutex_);
    if (columns_.empty()) return std::nullopt;
    const game::Column column = columns_.front();
    columns_.pop_front();
    return column;
  }

  std::mutex mutex_;  // guards columns_
  std::deque<game::Column> columns_;
  std::optional<TableKeys> keys_;
};

Json report_json(const trials::RehearsalReport& report) {
  return {{"games", report.games},
          {"finished", report.finished},
          {"wrong_records", report.wrong_records},
          {"help_needed", report.counts.helps},
          {"safe_stops", report.safe_stops},
          {"moves", report.counts.moves},
          {"sim_seconds", report.sim_seconds},
          {"cpu_seconds", report.cpu_seconds},
          {"restarted", report.restarted},
          {"mishaps", report.mishaps},
          {"fouls", report.counts.fouls},
          {"misses", report.counts.misses},
          {"strays", report.counts.strays},
          {"faults", report.counts.faults},
          {"shifts", report.counts.shifts},
          {"unwanted_contacts", report.unwanted_contacts},
          {"limit_violations", report.limit_violations},
          {"broken_steps", report.broken_steps}};
}

void run_table(const TableArguments& args, const station::StationConfig& config) {
  trials::RehearsalOptions options = rehearsal_of(args, config);
  std::unique_ptr<FrameSink> sink;
  std::unique_ptr<Recorder> recorder;
  if (!args.record.empty()) {
    const Shot shot{.view = usage_value(sim::view_by_name(args.view))};
    sink = std::make_unique<FrameSink>(args.record, shot.width, shot.height, shot.frames_per_s);
    options.prepare = [&, shot](station::Station& station) {
      recorder = std::make_unique<Recorder>(station.twin()->twin().world(), shot, *sink);
      station.twin()->on_step([&recorder](const sim::World& world) { recorder->watch(world); });
    };
  }
  PersonAtKeys person;
  const bool by_keys = args.visitor == kVisitorAtKeys;
  if (by_keys) {
    person.take_seat(options);
    fmt::print(args.json ? stderr : stdout, "{}", kTableKeys);
  }
  TableService service(!args.json);
  options.open = [&](table::RobotTable* table) {
    service.attach(table);
    if (by_keys) person.sit_down(table);
  };
  options.alive = [&service] { service.alive(); };
  std::string last_said;
  options.watch = [&](const table::TableSnapshot& now) {
    service.tell(now);
    last_said = now.message;
  };
  if (args.json) {
    options.progress = [&](std::uint64_t game, table::GameEnd end) {
      const char* how = end == table::GameEnd::kFinished    ? "finished"
                        : end == table::GameEnd::kRestarted ? "restarted"
                        : end == table::GameEnd::kGivenUp   ? "given_up"
                                                            : "quit";
      fmt::print("{}\n", Json{{"game", game}, {"end", how}, {"said", last_said}}.dump());
      flush_output();
    };
  }
  const auto report = trials::run_rehearsal(options);
  if (sink) sink->finish();
  if (!report) fail(report.error());
  if (args.json) {
    fmt::print("{}\n", report_json(*report).dump());
  } else {
    fmt::print(
        "\n{} games: {} finished, {} given up safely, {} restarted; {} moves, help needed {} "
        "times\n{:.0f} s simulated in {:.0f} s of processor time\n",
        report->games, report->finished, report->safe_stops, report->restarted,
        report->counts.moves, report->counts.helps, report->sim_seconds, report->cpu_seconds);
  }
  if (report->wrong_records > 0) fail(Error{report->first_wrong});
}

void run_interruptions(const TableArguments& args, const station::StationConfig& config) {
  ProgressLine line("interruptions");
  const auto report = trials::run_interruptions(
      {.station = config, .count = args.interrupts, .progress = [&](std::uint64_t done) {
         line.show(done, args.interrupts);
       }});
  if (!report) fail(report.error());
  if (args.json) {
    fmt::print("{}\n", Json{{"interruptions", report->interruptions},
                            {"while_moving", report->while_moving},
                            {"clean_starts", report->clean_starts},
                            {"worst_ticks", report->worst_ticks},
                            {"worst_rest_ms", 1000 * report->worst_rest_s},
                            {"unwanted_contacts", report->unwanted_contacts},
                            {"limit_violations", report->limit_violations},
                            {"sim_seconds", report->sim_seconds}}
                           .dump());
  } else {
    fmt::print(
        "{} stops and restarts, {} of them while the arm moved; {} clean new starts\nno motion "
        "commanded after {} ticks of 2 ms at most; at rest after {:.0f} ms at most\n",
        report->interruptions, report->while_moving, report->clean_starts, report->worst_ticks,
        1000 * report->worst_rest_s);
  }
  if (report->clean_starts != report->interruptions) fail(Error{report->first_wrong});
}

/// Until the games are played, somebody quits, or the service is stopped; for ever without a
/// number.
void run_with_people(const TableArguments& args, const station::StationConfig& config,
                     std::optional<std::uint64_t> games) {
  TableService service;
  station::StationTableOptions options{
      .log = args.log, .resources = machine_resources(), .complain = [](std::string_view what) {
        fmt::print(stderr, "rowbot: {}\n", what);
      }};
  options.table.human = human_of(args);
  options.table.agent = config.agent.empty() ? "mcts:preset=hybrid,time=1s" : config.agent;
  options.table.keys = config.senses.keys;
  auto opened = station::StationTable::open(config, std::move(options));
  if (!opened) fail(opened.error());
  table::RobotTable& table = (*opened)->table();
  (*opened)->station().on_wait([&service] { service.alive(); });
  table.on_change([&service](const table::TableSnapshot& now) { service.tell(now); });
  std::optional<TableKeys> keys;
  if (config.senses.keys) {
    fmt::print("{}", kTableKeys);
    keys.emplace(table, TableKeys::Listener{.column = [&table](game::Column column) {
                   table.post({.kind = table::Command::Kind::kTyped, .column = column, .text = {}});
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

}  // namespace

void add_table_command(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("table", "The robot's table: whole games with arm, camera and referee");
  auto args = std::make_shared<TableArguments>();
  command->add_option("--robot", args->robot, "eezybot, roboarm or panda")->capture_default_str();
  command
      ->add_option("--driver", args->driver,
                   "sim for the twin with its camera; servo, serial or rosbridge as the "
                   "configuration says, or with an address: serial:/dev/ttyUSB0, or serial:sim for "
                   "the twin at the far end of the wire; none: people move for the robot")
      ->capture_default_str();
  command->add_option("--config", args->config, "What is wired to what (docs/wiring.md)");
  command->add_option("--layout", args->layout_file, "A layout file from 'arm calibrate'");
  command->add_option("--senses", args->senses, "camera, switches, keys; joined by commas");
  command->add_option("--camera", args->camera,
                      "sim, a device, a film or a folder of images; else as driver and "
                      "configuration say");
  command->add_option("--agent", args->agent, "Who plays for the robot");
  command
      ->add_option("--visitor", args->visitor,
                   "In the twin, who plays for the visitor: an agent, or keys for you")
      ->capture_default_str();
  command->add_option("--human", args->human, "Whether the visitor is first or second")
      ->check(CLI::IsMember({"first", "second"}))
      ->capture_default_str();
  command->add_option("--games", args->games, "Number of games")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1000000}))
      ->capture_default_str();
  command->add_option("--speed", args->speed, "max, or simulated seconds per second")
      ->capture_default_str();
  command->add_option("--seed", args->seed, "Seed of everything random")->capture_default_str();
  command->add_option("--servo", args->servo, "exact, coarse or drifting motors")
      ->check(CLI::IsMember({"exact", "coarse", "drifting"}))
      ->capture_default_str();
  command->add_option("--inject", args->inject,
                      "What goes wrong: random, or NAME@PLY such as two-discs@6; repeatable");
  command->add_option("--record", args->record, "A film (.mp4), or a directory for PNG frames");
  command->add_option("--view", args->view, "Of the film: overview, board or camera")
      ->capture_default_str();
  command->add_option("--log", args->log,
                      "Log of the table; a game left open there is gone on with");
  command->add_option("--world", args->world,
                      "Keeps what lies in the simulated board, as a real board would");
  command
      ->add_option("--interrupts", args->interrupts,
                   "Instead of whole games: stop or restart at this many random instants")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1000000}));
  command->add_flag("--json", args->json, "A line a game, and one JSON object at the end");
  command->add_flag("--states", args->states,
                    "Print the table's states and ways as a Mermaid diagram");
  command->callback([args, command] {
    if (args->states) return fmt::print("{}", table::ways_diagram());
    const auto said = [command](const char* option, const std::string& value) {
      return command->count(option) > 0 ? value : std::string();
    };
    const station::StationConfig config =
        station_of(*args, {.driver = said("--driver", args->driver),
                           .config = args->config,
                           .robot = said("--robot", args->robot),
                           .layout = args->layout_file,
                           .senses = args->senses,
                           .camera = args->camera,
                           .agent = args->agent});
    if (!config.simulated()) {
      return run_with_people(
          *args, config, command->count("--games") > 0 ? std::optional(args->games) : std::nullopt);
    }
    // Whoever wants to type columns wants to play.
    if (config.senses.keys && command->count("--visitor") == 0) args->visitor = kVisitorAtKeys;
    args->interrupts > 0 ? run_interruptions(*args, config) : run_table(*args, config);
  });
}

}  // namespace rowbot::app
