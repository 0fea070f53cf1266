// rowbot arm plan, move, drop, drops, render and record: what the arm does in its cell, shown in
// the physics twin.
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "arm_cell.h"
#include "commands.h"
#include "film.h"
#include "fmt/format.h"
#include "json.h"
#include "robot/arm/angles.h"
#include "robot/arm/forward.h"
#include "robot/cell/calibration.h"
#include "robot/cell/drop_plan.h"
#include "robot/cell/layout_file.h"
#include "robot/sim/renderer.h"
#include "robot/station/arm_wires.h"
#include "robot/station/station.h"
#include "terminal.h"
#include "trials/drop_trials.h"

namespace rowbot::app {

void add_cell_options(CLI::App* command, CellOptions& options) {
  command->add_option("--robot", options.robot, "eezybot, roboarm or panda")->capture_default_str();
  command->add_option("--layout", options.layout_file,
                      "A layout file from 'arm calibrate' instead of the robot's own layout");
  command->add_option("--seed", options.seed, "Seed of everything random")->capture_default_str();
  command->add_flag("--json", options.json, "Print one JSON object");
}

cell::CellLayout layout_of(const CellOptions& options) {
  if (!options.layout_file.empty()) return usage_value(cell::load_layout(options.layout_file));
  return cell::default_layout(*usage_value(arm::model_by_name(options.robot)));
}

namespace {

/// For the commands that can also drive an arm on a wire.
struct DriverOptions : CellOptions {
  std::string driver;
  std::string driver_config;
};

void add_driver_options(CLI::App* command, DriverOptions& options) {
  command->add_option("--driver", options.driver,
                      "The arm's wire instead of the twin: serial:/dev/ttyUSB0, "
                      "rosbridge:ws://host:9090 or servo:hardware.toml; with sim as address a "
                      "simulated far end");
  command->add_option("--driver-config", options.driver_config,
                      "What is known about the arm on the serial wire (TOML)");
  // A wire belongs to one robot: nobody has to name it twice.
  command->parse_complete_callback([command, &options] {
    if (options.driver.empty() || command->count("--robot") > 0) return;
    options.robot = usage_value(station::robot_of_driver(options.driver));
  });
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

/// The arm alone, ready to move: the twin's, or one on a wire.
std::unique_ptr<station::Station> active_arm(const cell::CellLayout& layout,
                                             const DriverOptions& options) {
  auto station =
      usage_value(station::open({.layout = layout,
                                 .driver = options.driver.empty() ? "sim" : options.driver,
                                 .driver_config = options.driver_config,
                                 .senses = {.camera = false},
                                 .camera = "none",
                                 .seed = options.seed}));
  if (station->arm()->read().state == cell::ArmState::kUnconfigured) {
    require(station->arm()->configure());
  }
  require(station->arm()->activate());
  return station;
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
    const auto station = active_arm(layout, *options);
    cell::ArmDriver* driver = station->arm();
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

/// One drop in the twin, or over a wire: into the twin where the far end is simulated; otherwise
/// somebody has to look.
Json run_one_drop(station::Station& station, const DropOptions& options) {
  const game::Column column = column_numbered(options.column);
  if (!options.fault.empty()) {
    station.twin()->twin().inject(usage_value(sim::fault_by_name(options.fault)),
                                  options.fault_index);
  }
  const cell::DropPlan plan =
      plan_or_fail(station.layout(), column, station.arm()->read().q_rad, options.seed);
  const trials::OneDrop drop = trials::run_one_drop(station, plan, column);
  Json answer = {{"robot", station.layout().robot}, {"column", column.number()}};
  if (drop.in_twin) {
    answer["dropped"] = drop.dropped;
    answer["sim_seconds"] = drop.sim_seconds;
    answer["limit_violations"] = drop.safety.limit_violations;
    answer["unwanted_contacts"] = drop.safety.unwanted_contacts;
    if (!drop.safety.first_unwanted.empty()) answer["first_unwanted"] = drop.safety.first_unwanted;
  } else {
    answer["ran"] = drop.ran.has_value();
  }
  if (!drop.ran) answer["fault"] = drop.ran.error().message;
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
    if (!options->driver.empty() && !options->fault.empty()) {
      fail_usage(Error{"--fault breaks the twin; 'arm faults' breaks wires"});
    }
    const auto station = active_arm(layout, *options);
    Json answer = run_one_drop(*station, *options);
    if (!options->driver.empty()) answer["driver"] = options->driver;
    if (const std::string advice = station->arm()->calibration_due(); !advice.empty()) {
      answer["advice"] = advice;
      fmt::print(stderr, "{}\n", advice);
    }
    report_drop(answer, options->json);
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
    const auto station = active_arm(layout_of(*options), *options);
    sim::Twin& twin = station->twin()->twin();
    auto renderer = sim::Renderer::create(twin.world(), options->width, options->height);
    if (!renderer) fail(renderer.error());
    require(sim::write_png((*renderer)->draw(twin.world(), view), options->out));
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
    const auto station = active_arm(layout_of(*options), *options);
    sim::Twin& twin = station->twin()->twin();
    FrameSink sink(options->out, options->width, options->height, options->frames_per_s);
    Recorder recorder(twin.world(),
                      {.width = options->width,
                       .height = options->height,
                       .view = view,
                       .frames_per_s = options->frames_per_s},
                      sink);
    station->twin()->on_step([&recorder](const sim::World& world) { recorder.watch(world); });
    Json answer = run_one_drop(*station, *options);
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
    const auto station = active_arm(layout, *options);
    cell::Calibration calibration(*station->arm(), layout);
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
  add_render(arm_command);
  add_record(arm_command);
  add_calibrate(arm_command);
}

}  // namespace rowbot::app
