// rowbot arm plan, move, drop, drops, render and record: what the arm does in its cell, shown in
// the physics twin.
#include "arm_twin.h"

#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "commands.h"
#include "film.h"
#include "fmt/format.h"
#include "json.h"
#include "progress.h"
#include "robot/arm/angles.h"
#include "robot/arm/forward.h"
#include "robot/cell/calibration.h"
#include "robot/cell/drop_plan.h"
#include "robot/cell/layout_file.h"
#include "robot/sim/renderer.h"
#include "robot/sim/twin.h"
#include "terminal.h"
#include "trials/drop_trials.h"
#include "trials/hostile_trials.h"
#include "trials/plan_trials.h"
#include "wired_arm.h"

namespace rowbot::app {
namespace {

struct CellOptions {
  std::string robot = "panda";
  std::string layout_file;
  bool json = false;
  std::uint64_t seed = 1;
};

void add_cell_options(CLI::App* command, CellOptions& options) {
  command->add_option("--robot", options.robot, "eezybot, roboarm or panda")->capture_default_str();
  command->add_option("--layout", options.layout_file,
                      "A layout file from 'arm calibrate' instead of the robot's own layout");
  command->add_option("--seed", options.seed, "Seed of everything random")->capture_default_str();
  command->add_flag("--json", options.json, "Print one JSON object");
}

/// For the commands that can also drive an arm on a wire.
struct DriverOptions : CellOptions {
  std::string driver;
  std::string driver_config;
};

void add_driver_options(CLI::App* command, DriverOptions& options) {
  command->add_option("--driver", options.driver, kDriverHelp);
  command->add_option("--driver-config", options.driver_config,
                      "What is known about the arm on the serial wire (TOML)");
  // A wire belongs to one robot: nobody has to name it twice.
  command->parse_complete_callback([command, &options] {
    if (options.driver.empty() || command->count("--robot") > 0) return;
    options.robot = usage_value(robot_of_driver(options.driver));
  });
}

cell::CellLayout layout_of(const CellOptions& options) {
  if (!options.layout_file.empty()) return usage_value(cell::load_layout(options.layout_file));
  return cell::default_layout(*usage_value(arm::model_by_name(options.robot)));
}

game::Column column_numbered(int number) {
  if (number < 1 || number > 7) {
    fail_usage(Error{fmt::format("there is no column {}; the columns are 1 to 7", number)});
  }
  return game::Column(number - 1);
}

void require(const Result<void>& done) {
  if (!done) fail(done.error());
}

std::unique_ptr<sim::Twin> active_twin(const cell::CellLayout& layout,
                                       const sim::TwinOptions& options) {
  auto twin = sim::Twin::create(layout, options);
  if (!twin) fail(twin.error());
  require((*twin)->configure());
  require((*twin)->activate());
  return *std::move(twin);
}

WiredArm active_wire(const cell::CellLayout& layout, const DriverOptions& options) {
  WiredArm wired =
      usage_value(make_wired_arm(options.driver, layout, options.seed, options.driver_config));
  require(wired.driver->configure());
  require(wired.driver->activate());
  return wired;
}

cell::DropPlan plan_or_fail(const cell::CellLayout& layout, game::Column column,
                            const arm::JointVector& from_rad, std::uint64_t seed) {
  auto plan = cell::plan_drop(layout, column, from_rad, {.seed = seed});
  if (!plan) fail(plan.error());
  return *std::move(plan);
}

void add_plan(CLI::App* arm_command) {
  struct Options : CellOptions {
    int column = 4;
  };
  CLI::App* command = arm_command->add_subcommand("plan", "The steps of one drop, checked");
  auto options = std::make_shared<Options>();
  add_cell_options(command, *options);
  command->add_option("--column", options->column, "1 to 7")->capture_default_str();
  command->callback([options] {
    const cell::CellLayout layout = layout_of(*options);
    const arm::ArmModel& model = **arm::model_by_name(layout.robot);
    const cell::DropPlan plan =
        plan_or_fail(layout, column_numbered(options->column), arm::neutral(model), options->seed);
    auto steps = Json::array();
    if (!options->json) fmt::print("{:<10}{:>8}   {}\n", "step", "s", "hand at x, y, z in metres");
    for (const cell::DropStep& step : plan.steps) {
      if (step.grip) {
        steps.push_back({{"name", cell::drop_step_name(step.kind)},
                         {"width_m", step.grip->width_m},
                         {"force_n", step.grip->force_n}});
        if (!options->json) {
          fmt::print("{:<10}{:>8}   fingers to {:.0f} mm with {:.1f} N\n",
                     cell::drop_step_name(step.kind), "", 1000 * step.grip->width_m,
                     step.grip->force_n);
        }
        continue;
      }
      const Eigen::Vector3d p = arm::forward(model, step.motion->end_rad()).translation();
      std::vector<double> q_deg;
      for (const double q : step.motion->end_rad()) q_deg.push_back(arm::degrees(q));
      steps.push_back({{"name", cell::drop_step_name(step.kind)},
                       {"duration_s", step.motion->duration_s()},
                       {"position_m", {p.x(), p.y(), p.z()}},
                       {"joints_deg", q_deg}});
      if (!options->json) {
        fmt::print("{:<10}{:>8.2f}   {:.3f}, {:.3f}, {:.3f}\n", cell::drop_step_name(step.kind),
                   step.motion->duration_s(), p.x(), p.y(), p.z());
      }
    }
    if (options->json) {
      fmt::print("{}\n", Json{{"robot", model.name},
                              {"column", options->column},
                              {"moving_s", plan.moving_s},
                              {"steps", steps}}
                             .dump());
    } else {
      fmt::print("moving {:.2f} s in all\n", plan.moving_s);
    }
  });
}

void add_move(CLI::App* arm_command) {
  struct Options : DriverOptions {
    std::vector<double> joints_deg;
    std::string position;
  };
  CLI::App* command = arm_command->add_subcommand(
      "move", "Move the simulated arm, or one on a wire, to joint angles or a named place");
  auto options = std::make_shared<Options>();
  add_cell_options(command, *options);
  add_driver_options(command, *options);
  command->add_option("joints", options->joints_deg, "One angle per joint, in degrees");
  command->add_option("--to", options->position, "A named position, for example neutral");
  command->callback([options] {
    const cell::CellLayout layout = layout_of(*options);
    const arm::ArmModel& model = **arm::model_by_name(layout.robot);
    arm::JointVector to_rad = arm::neutral(model);
    if (!options->position.empty()) {
      to_rad = usage_value(arm::named_position(model, options->position));
    } else if (static_cast<int>(options->joints_deg.size()) == arm::joint_count(model)) {
      for (int i = 0; i < arm::joint_count(model); ++i) {
        to_rad[i] = arm::radians(options->joints_deg[static_cast<std::size_t>(i)]);
      }
    } else {
      fail_usage(
          Error{fmt::format("{} has {} joints, but {} angles are given; or use --to", model.name,
                            arm::joint_count(model), options->joints_deg.size())});
    }
    const std::unique_ptr<cell::ArmDriver> driver =
        options->driver.empty() ? active_twin(layout, {.seed = options->seed})
                                : std::move(active_wire(layout, *options).driver);
    const auto way = cell::plan_to(layout, driver->read().q_rad, to_rad, {.seed = options->seed});
    if (!way) fail(way.error());
    require(cell::run(*driver, *way));
    const arm::JointVector q = driver->read().q_rad;
    const double error_rad = (q - to_rad).cwiseAbs().maxCoeff();
    if (options->json) {
      fmt::print(
          "{}\n",
          Json{{"duration_s", way->duration_s()}, {"error_deg", arm::degrees(error_rad)}}.dump());
    } else {
      fmt::print("arrived after {:.2f} s, {:.3f} degrees off\n", way->duration_s(),
                 arm::degrees(error_rad));
    }
  });
}

struct DropOptions : DriverOptions {
  int column = 4;
  std::string fault;
  int fault_index = 0;
};

Json drop_answer(const sim::World& world, game::Column column, const Result<void>& ran) {
  int height = 0;
  const sim::BoardTruth board = world.board.truth();
  for (const auto& cell : board[static_cast<std::size_t>(column.index())]) {
    height += cell == sim::Side::kRobot ? 1 : 0;
  }
  Json answer = {{"robot", world.state.scene().arm.name},
                 {"column", column.number()},
                 {"dropped", ran.has_value() && height == 1},
                 {"sim_seconds", world.state.time_s()},
                 {"limit_violations", world.safety.counts().limit_violations},
                 {"unwanted_contacts", world.safety.counts().unwanted_contacts}};
  if (!world.safety.counts().first_unwanted.empty()) {
    answer["first_unwanted"] = world.safety.counts().first_unwanted;
  }
  if (!ran) answer["fault"] = ran.error().message;
  return answer;
}

/// One drop in the twin; says what came of it.
Json run_one_drop(sim::Twin& twin, const DropOptions& options) {
  const game::Column column = column_numbered(options.column);
  if (!options.fault.empty()) {
    twin.inject(usage_value(sim::fault_by_name(options.fault)), options.fault_index);
  }
  const cell::DropPlan plan =
      plan_or_fail(twin.world().state.layout(), column, twin.read().q_rad, options.seed);
  const auto ran = cell::run_plan(twin, plan);
  twin.settle(2);
  return drop_answer(twin.world(), column, ran);
}

/// One drop over a wire: into the twin where the far end is simulated; otherwise somebody has to
/// look.
Json run_wired_drop(WiredArm& wired, const cell::CellLayout& layout, const DropOptions& options) {
  const game::Column column = column_numbered(options.column);
  const cell::DropPlan plan =
      plan_or_fail(layout, column, wired.driver->read().q_rad, options.seed);
  const auto ran = wired.run_whole ? wired.run_whole(plan) : cell::run_plan(*wired.driver, plan);
  Json answer;
  if (wired.world) {
    for (int i = 0; i < 1000 && (i < 60 || !wired.world->pieces.all_at_rest()); ++i) {
      wired.world->step();
    }
    answer = drop_answer(*wired.world, column, ran);
  } else {
    answer = {{"robot", layout.robot}, {"column", options.column}, {"ran", ran.has_value()}};
    if (!ran) answer["fault"] = ran.error().message;
  }
  answer["driver"] = options.driver;
  if (const std::string advice = wired.driver->calibration_due(); !advice.empty()) {
    answer["advice"] = advice;
  }
  return answer;
}

void add_drop_options(CLI::App* command, DropOptions& options) {
  add_cell_options(command, options);
  command->add_option("--column", options.column, "1 to 7")->capture_default_str();
  command->add_option("--fault", options.fault,
                      "Something that goes wrong: slipped-piece, empty-magazine, jammed-column, "
                      "dead-joint, late-messages, lost-messages, moved-board, ...");
  command->add_option("--fault-index", options.fault_index, "Which column or joint, from 0");
}

void report_drop(const Json& answer, bool as_json) {
  const bool looked = answer.contains("dropped");
  const bool dropped = answer[looked ? "dropped" : "ran"].get<bool>();
  if (as_json) {
    fmt::print("{}\n", answer.dump());
  } else if (dropped && !looked) {
    fmt::print("the arm has made its moves for column {}\n", answer["column"].get<int>());
  } else if (dropped) {
    fmt::print("dropped into column {} after {:.1f} s\n", answer["column"].get<int>(),
               answer["sim_seconds"].get<double>());
  }
  if (!dropped) {
    fail(Error{answer.contains("fault") ? answer["fault"].get<std::string>()
                                        : "the piece is not in its column"});
  }
}

void add_drop(CLI::App* arm_command) {
  CLI::App* command =
      arm_command->add_subcommand("drop", "One drop in the physics simulation, or over a wire");
  auto options = std::make_shared<DropOptions>();
  add_drop_options(command, *options);
  add_driver_options(command, *options);
  command->callback([options] {
    const cell::CellLayout layout = layout_of(*options);
    if (!options->driver.empty()) {
      if (!options->fault.empty()) {
        fail_usage(Error{"--fault breaks the twin; 'arm faults' breaks wires"});
      }
      WiredArm wired = active_wire(layout, *options);
      const Json answer = run_wired_drop(wired, layout, *options);
      if (answer.contains("advice"))
        fmt::print(stderr, "{}\n", answer["advice"].get<std::string>());
      return report_drop(answer, options->json);
    }
    auto twin = active_twin(layout, {.seed = options->seed});
    report_drop(run_one_drop(*twin, *options), options->json);
  });
}

void add_drops(CLI::App* arm_command) {
  struct Options : CellOptions {
    std::uint64_t count = 21;
    double noise_mm = 0;
    std::string servo = "exact";
  };
  CLI::App* command = arm_command->add_subcommand(
      "drops", "Many drops over all columns and heights, against a random opponent");
  auto options = std::make_shared<Options>();
  add_cell_options(command, *options);
  command->add_option("--count", options->count, "Number of drops")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1000000}))
      ->capture_default_str();
  command->add_option("--noise-mm", options->noise_mm, "Placing error, evenly within +- this")
      ->check(CLI::Range(0.0, 50.0))
      ->capture_default_str();
  command
      ->add_option("--servo", options->servo,
                   "exact, coarse (4-degree steps of Carlo 2020) or drifting (Rhodes 1993)")
      ->check(CLI::IsMember({"exact", "coarse", "drifting"}))
      ->capture_default_str();
  command->callback([options] {
    const sim::ServoModel servo = options->servo == "coarse"     ? sim::coarse_servos()
                                  : options->servo == "drifting" ? sim::drifting_motors()
                                                                 : sim::exact_servos();
    ProgressLine line("drops");
    const auto report = trials::run_drops(
        layout_of(*options),
        {.count = options->count,
         .seed = options->seed,
         .noise_m = options->noise_mm / 1000,
         .servo = servo,
         .progress = [&](std::uint64_t done) { line.show(done, options->count); }});
    if (!report) fail(report.error());
    if (options->json) {
      Json answer = {{"drops", report->drops},
                     {"missed", report->missed},
                     {"limit_violations", report->limit_violations},
                     {"unwanted_contacts", report->unwanted_contacts},
                     {"sim_seconds", report->sim_seconds},
                     {"cpu_seconds", report->cpu_seconds}};
      fmt::print("{}\n", answer.dump());
    } else {
      fmt::print("{} drops, {} missed, {} limit violations, {} unwanted contacts\n", report->drops,
                 report->missed, report->limit_violations, report->unwanted_contacts);
      fmt::print("{:.0f} s simulated in {:.0f} s of processor time: {:.1f} times real time\n",
                 report->sim_seconds, report->cpu_seconds,
                 report->sim_seconds / report->cpu_seconds);
      if (!report->first_miss.empty()) fmt::print("{}\n", report->first_miss);
      if (!report->first_unwanted.empty()) fmt::print("{}\n", report->first_unwanted);
    }
  });
}

void add_plans(CLI::App* arm_command) {
  struct Options : CellOptions {
    std::uint64_t count = 200;
    std::optional<double> shift_mm;
    std::optional<double> turn_deg;
  };
  CLI::App* command =
      arm_command->add_subcommand("plans", "Plan many drops, the board moved each time");
  auto options = std::make_shared<Options>();
  add_cell_options(command, *options);
  command->add_option("--count", options->count, "Number of problems")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1000000}))
      ->capture_default_str();
  command->add_option("--shift-mm", options->shift_mm, "Board moved within +- this; by robot")
      ->check(CLI::Range(0.0, 500.0));
  command->add_option("--turn-deg", options->turn_deg, "Board turned within +- this; by robot")
      ->check(CLI::Range(0.0, 180.0));
  command->callback([options] {
    const cell::CellLayout layout = layout_of(*options);
    trials::PlanTrialOptions trial = trials::usual_moves(layout);
    trial.count = options->count;
    trial.seed = options->seed;
    if (options->shift_mm) trial.shift_m = *options->shift_mm / 1000;
    if (options->turn_deg) trial.turn_rad = arm::radians(*options->turn_deg);
    ProgressLine line("problems");
    trial.progress = [&](std::uint64_t done) { line.show(done, options->count); };
    const trials::PlanReport report = trials::run_plans(layout, trial);
    const auto share = [&report](double q) {
      return report.milliseconds[static_cast<std::size_t>(
          q * static_cast<double>(report.milliseconds.size() - 1))];
    };
    if (options->json) {
      fmt::print("{}\n", Json{{"problems", options->count},
                              {"solved", report.solved},
                              {"shift_mm", 1000 * trial.shift_m},
                              {"turn_deg", arm::degrees(trial.turn_rad)},
                              {"p50_ms", share(0.5)},
                              {"p99_ms", share(0.99)},
                              {"max_ms", share(1)}}
                             .dump());
    } else {
      fmt::print(
          "{} of {} drops planned, board moved up to {:.0f} mm and turned up to {:.1f} "
          "degrees\nmedian {:.1f} ms, 99 % below {:.1f} ms, worst {:.1f} ms\n",
          report.solved, options->count, 1000 * trial.shift_m, arm::degrees(trial.turn_rad),
          share(0.5), share(0.99), share(1));
    }
    if (!report.first_failure.empty()) fail(Error{report.first_failure});
  });
}

void add_hostile(CLI::App* arm_command) {
  struct Options : CellOptions {
    std::uint64_t count = 1000;
  };
  CLI::App* command = arm_command->add_subcommand(
      "hostile", "Send the simulated arm random and absurd commands; nothing may break");
  auto options = std::make_shared<Options>();
  add_cell_options(command, *options);
  command->add_option("--count", options->count, "Number of commands")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{10000000}))
      ->capture_default_str();
  command->callback([options] {
    ProgressLine line("commands");
    const auto report = trials::run_hostile(
        layout_of(*options), {.count = options->count,
                              .seed = options->seed,
                              .progress = [&](std::uint64_t n) { line.show(n, options->count); }});
    if (!report) fail(report.error());
    if (options->json) {
      fmt::print("{}\n", Json{{"commands", report->commands},
                              {"refused", report->refused},
                              {"halts", report->halts},
                              {"limit_violations", report->limit_violations},
                              {"unwanted_contacts", report->unwanted_contacts},
                              {"worst_stop_ms", 1000 * report->worst_stop_s},
                              {"sim_seconds", report->sim_seconds}}
                             .dump());
    } else {
      fmt::print(
          "{} commands, {} refused, {} halts on the way (at rest after {:.0f} ms at most)\n"
          "{} limit violations, {} unwanted contacts\n",
          report->commands, report->refused, report->halts, 1000 * report->worst_stop_s,
          report->limit_violations, report->unwanted_contacts);
    }
    if (report->limit_violations + report->unwanted_contacts > 0) {
      fail(Error{"the arm left its limits or touched something: " + report->first_unwanted});
    }
  });
}

struct PictureOptions : DropOptions {
  std::string out;
  std::string view = "overview";
  int width = 960;
  int height = 720;
};

void add_picture_options(CLI::App* command, PictureOptions& options) {
  command->add_option("--view", options.view, "overview, board or camera")->capture_default_str();
  command->add_option("--width", options.width, "Pixels")
      ->check(CLI::Range(16, 1920))
      ->capture_default_str();
  command->add_option("--height", options.height, "Pixels")
      ->check(CLI::Range(16, 1080))
      ->capture_default_str();
}

void add_render(CLI::App* arm_command) {
  CLI::App* command = arm_command->add_subcommand("render", "A picture of the simulated cell");
  auto options = std::make_shared<PictureOptions>();
  add_cell_options(command, *options);
  add_picture_options(command, *options);
  command->add_option("--out", options->out, "The PNG file to write")->required();
  command->callback([options] {
    const sim::View view = usage_value(sim::view_by_name(options->view));
    auto twin = active_twin(layout_of(*options), {.seed = options->seed});
    auto renderer = sim::Renderer::create(twin->world(), options->width, options->height);
    if (!renderer) fail(renderer.error());
    require(sim::write_png((*renderer)->draw(twin->world(), view), options->out));
    if (options->json) {
      fmt::print(
          "{}\n",
          Json{{"file", options->out}, {"width", options->width}, {"height", options->height}}
              .dump());
    }
  });
}

void add_record(CLI::App* arm_command) {
  struct Options : PictureOptions {
    int frames_per_s = 15;
  };
  CLI::App* command = arm_command->add_subcommand("record", "A film of one drop");
  auto options = std::make_shared<Options>();
  options->width = 640;
  options->height = 480;
  add_drop_options(command, *options);
  add_picture_options(command, *options);
  command->add_option("out", options->out, "film.mp4, or a directory for PNG frames")->required();
  command->add_option("--fps", options->frames_per_s, "Frames per simulated second")
      ->check(CLI::Range(1, 60))
      ->capture_default_str();
  command->callback([options] {
    const sim::View view = usage_value(sim::view_by_name(options->view));
    auto twin = active_twin(layout_of(*options), {.seed = options->seed});
    FrameSink sink(options->out, options->width, options->height, options->frames_per_s);
    Recorder recorder(twin->world(),
                      {.width = options->width,
                       .height = options->height,
                       .view = view,
                       .frames_per_s = options->frames_per_s},
                      sink);
    twin->on_step([&recorder](const sim::World& world) { recorder.watch(world); });
    Json answer = run_one_drop(*twin, *options);
    sink.finish();
    answer["frames"] = sink.frames();
    report_drop(answer, options->json);
  });
}

void add_calibrate(CLI::App* arm_command) {
  struct Options : DriverOptions {
    std::string out;
  };
  CLI::App* command = arm_command->add_subcommand(
      "calibrate",
      "Jog the simulated arm, or one on a wire, to board and magazine; writes a layout file");
  auto options = std::make_shared<Options>();
  add_cell_options(command, *options);
  add_driver_options(command, *options);
  command->add_option("--out", options->out, "The layout file to write (TOML)")->required();
  command->callback([options] {
    const cell::CellLayout layout = layout_of(*options);
    const std::unique_ptr<cell::ArmDriver> driver =
        options->driver.empty() ? active_twin(layout, {.seed = options->seed})
                                : std::move(active_wire(layout, *options).driver);
    cell::Calibration calibration(*driver, layout);
    require(calibration.begin());
    fmt::print(stderr, "{}\n", cell::Calibration::help());
    while (!calibration.finished()) {
      fmt::print(stderr, "{}\n", calibration.prompt());
      const auto typed = read_command();
      if (!typed) fail(Error{"the input ended before the calibration did; nothing is written"});
      // An empty line is Enter; a longer one is several keys.
      for (const char key : typed->empty() ? std::string("\n") : *typed) {
        if (const auto done = calibration.key(key); !done) {
          fmt::print(stderr, "{}\n", done.error().message);
        }
        if (calibration.finished()) break;
      }
    }
    require(cell::save_layout(calibration.layout(), options->out));
    if (options->json) {
      fmt::print("{}\n", Json{{"file", options->out}, {"robot", layout.robot}}.dump());
    } else {
      fmt::print("wrote {}\n", options->out);
    }
  });
}

}  // namespace

void add_arm_twin_commands(CLI::App* arm_command) {
  add_plan(arm_command);
  add_move(arm_command);
  add_drop(arm_command);
  add_drops(arm_command);
  add_plans(arm_command);
  add_hostile(arm_command);
  add_render(arm_command);
  add_record(arm_command);
  add_calibrate(arm_command);
}

}  // namespace rowbot::app
