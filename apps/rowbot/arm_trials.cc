// rowbot arm drops, plans and hostile: many trials of the arm in its cell, in the physics twin.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "CLI/CLI.hpp"
#include "arm_cell.h"
#include "commands.h"
#include "fmt/format.h"
#include "json.h"
#include "progress.h"
#include "robot/arm/angles.h"
#include "trials/drop_trials.h"
#include "trials/hostile_trials.h"
#include "trials/plan_trials.h"

namespace rowbot::app {
namespace {

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

}  // namespace

void add_arm_trial_commands(CLI::App* arm_command) {
  add_drops(arm_command);
  add_plans(arm_command);
  add_hostile(arm_command);
}

}  // namespace rowbot::app
