// rowbot arm faults: random faults on the wire of a driver, whose far end is simulated.
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "CLI/CLI.hpp"
#include "arm_drivers.h"
#include "commands.h"
#include "fmt/format.h"
#include "json.h"
#include "progress.h"
#include "robot/arm/angles.h"
#include "robot/farend/servo_far_end.h"
#include "trials/wire_faults.h"
#include "trials/wire_trials.h"

namespace rowbot::app {
namespace {

struct FaultTrials {
  std::string_view driver;
  std::function<Result<trials::WireTrialReport>(const trials::WireTrialOptions&)> run;
};

auto servo_trials(drivers::WireKind kind) {
  return [kind](const trials::WireTrialOptions& options) -> Result<trials::WireTrialReport> {
    auto far_end = farend::ServoFarEnd::create(kind);
    if (!far_end) return far_end.error();
    return trials::run_wire_trials(**far_end, options);
  };
}

const std::array kFaultTrials = {
    FaultTrials{"servo-sysfs", servo_trials(drivers::WireKind::kSysfs)},
    FaultTrials{"servo-gpio", servo_trials(drivers::WireKind::kGpio)},
    FaultTrials{"servo-i2c", servo_trials(drivers::WireKind::kI2c)},
    FaultTrials{"serial", trials::run_serial_faults},
    FaultTrials{"rosbridge", trials::run_rosbridge_faults},
};

const FaultTrials& simulated(const std::string& driver) {
  std::string known;
  for (const FaultTrials& entry : kFaultTrials) {
    if (entry.driver == driver) return entry;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", entry.driver);
  }
  fail_usage(Error{fmt::format("there is no driver '{}'; there are {}", driver, known)});
}

void print_json(const trials::WireTrialReport& report) {
  auto kinds = Json::array();
  for (const trials::FaultTally& tally : report.by_fault) {
    kinds.push_back({{"fault", tally.name},
                     {"count", tally.count},
                     {"reported", tally.reported},
                     {"seen", tally.seen},
                     {"harmless", tally.harmless},
                     {"said", tally.example}});
  }
  const Json answer = {{"faults", report.faults},
                       {"reported", report.reported},
                       {"seen", report.seen},
                       {"harmless", report.harmless},
                       {"unnoticed", report.unnoticed},
                       {"hung", report.hung},
                       {"unrecovered", report.unrecovered},
                       {"limit_violations", report.far_end.limit_violations},
                       {"excursions", report.far_end.excursions},
                       {"worst_excursion_deg", arm::degrees(report.far_end.worst_excursion_rad)},
                       {"sim_seconds", report.sim_seconds},
                       {"by_fault", kinds}};
  fmt::print("{}\n", answer.dump());
}

void print_table(const trials::WireTrialReport& report) {
  fmt::print("{:<16}{:>8}{:>10}{:>8}{:>10}   what was said first\n", "fault", "count", "reported",
             "seen", "harmless");
  for (const trials::FaultTally& tally : report.by_fault) {
    fmt::print("{:<16}{:>8}{:>10}{:>8}{:>10}   {}\n", tally.name, tally.count, tally.reported,
               tally.seen, tally.harmless, tally.example);
  }
  fmt::print(
      "{} faults in {:.0f} simulated seconds: {} reported, {} seen afterwards, {} harmless, {} "
      "unnoticed, {} hung, {} without a way back\n",
      report.faults, report.sim_seconds, report.reported, report.seen, report.harmless,
      report.unnoticed, report.hung, report.unrecovered);
  fmt::print("limits broken: {}\n", report.far_end.limit_violations);
  if (report.far_end.excursions > 0) {
    fmt::print(
        "beyond them by faults that no driver can prevent on this wire: {} periods, by at most "
        "{:.1f} degrees\n",
        report.far_end.excursions, arm::degrees(report.far_end.worst_excursion_rad));
  }
}

}  // namespace

void add_arm_faults_command(CLI::App* arm_command) {
  struct Options {
    std::string driver = "servo-sysfs";
    std::uint64_t count = 10000;
    std::uint64_t seed = 1;
    bool json = false;
  };
  CLI::App* command = arm_command->add_subcommand(
      "faults", "Random faults on the wire of a driver, with a simulated arm at its end");
  auto options = std::make_shared<Options>();
  command
      ->add_option("--driver", options->driver,
                   "servo-sysfs, servo-gpio, servo-i2c, serial or rosbridge")
      ->capture_default_str();
  command->add_option("--count", options->count, "Number of faults")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{100000000}))
      ->capture_default_str();
  command->add_option("--seed", options->seed, "Seed of everything random")->capture_default_str();
  command->add_flag("--json", options->json, "Print one JSON object");
  command->callback([options] {
    ProgressLine line("faults");
    const auto report =
        simulated(options->driver)
            .run({.count = options->count,
                  .seed = options->seed,
                  .progress = [&](std::uint64_t done) { line.show(done, options->count); }});
    if (!report) fail(report.error());
    if (options->json) {
      print_json(*report);
    } else {
      print_table(*report);
    }
    if (report->far_end.limit_violations > 0) fail(Error{report->far_end.first_violation});
    if (report->unnoticed + report->hung + report->unrecovered > 0) {
      fail(Error{report->first_trouble});
    }
  });
}

}  // namespace rowbot::app
