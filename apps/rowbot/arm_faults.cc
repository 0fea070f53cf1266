// rowbot arm faults: random faults on the wire of a driver, whose far end is rehearsed.
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "CLI/CLI.hpp"
#include "arm/angles.h"
#include "arm_drivers.h"
#include "commands.h"
#include "drivers/servo/rehearsal.h"
#include "drivers/wire_trials.h"
#include "fmt/format.h"
#include "json.h"

namespace rowbot::app {
namespace {

struct Rehearsed {
  std::string_view driver;
  std::function<Result<std::unique_ptr<drivers::FarEnd>>()> make;
};

Result<std::unique_ptr<drivers::FarEnd>> rehearsed_servos(drivers::WireKind kind) {
  auto rehearsal = drivers::ServoRehearsal::create(kind);
  if (!rehearsal) return rehearsal.error();
  return std::unique_ptr<drivers::FarEnd>(*std::move(rehearsal));
}

const std::array kRehearsed = {
    Rehearsed{"servo-sysfs", [] { return rehearsed_servos(drivers::WireKind::kSysfs); }},
    Rehearsed{"servo-gpio", [] { return rehearsed_servos(drivers::WireKind::kGpio); }},
    Rehearsed{"servo-i2c", [] { return rehearsed_servos(drivers::WireKind::kI2c); }},
};

std::unique_ptr<drivers::FarEnd> far_end_of(const std::string& driver) {
  std::string known;
  for (const Rehearsed& entry : kRehearsed) {
    if (entry.driver == driver) {
      auto made = entry.make();
      if (!made) fail(made.error());
      return *std::move(made);
    }
    known += fmt::format("{}{}", known.empty() ? "" : ", ", entry.driver);
  }
  fail_usage(Error{fmt::format("there is no driver '{}'; there are {}", driver, known)});
}

void print_json(const drivers::WireTrialReport& report) {
  auto kinds = Json::array();
  for (const drivers::FaultTally& tally : report.by_fault) {
    kinds.push_back({{"fault", tally.name},
                     {"count", tally.count},
                     {"reported", tally.reported},
                     {"harmless", tally.harmless},
                     {"said", tally.example}});
  }
  const Json answer = {{"faults", report.faults},
                       {"reported", report.reported},
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

void print_table(const drivers::WireTrialReport& report) {
  fmt::print("{:<16}{:>8}{:>10}{:>10}   what the driver said first\n", "fault", "count", "reported",
             "harmless");
  for (const drivers::FaultTally& tally : report.by_fault) {
    fmt::print("{:<16}{:>8}{:>10}{:>10}   {}\n", tally.name, tally.count, tally.reported,
               tally.harmless, tally.example);
  }
  fmt::print(
      "{} faults in {:.0f} simulated seconds: {} reported, {} harmless, {} unnoticed, {} hung, "
      "{} without a way back\n",
      report.faults, report.sim_seconds, report.reported, report.harmless, report.unnoticed,
      report.hung, report.unrecovered);
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
      "faults", "Random faults on the wire of a driver, with a rehearsed arm at its end");
  auto options = std::make_shared<Options>();
  command->add_option("--driver", options->driver, "servo-sysfs, servo-gpio or servo-i2c")
      ->capture_default_str();
  command->add_option("--count", options->count, "Number of faults")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{100000000}))
      ->capture_default_str();
  command->add_option("--seed", options->seed, "Seed of everything random")->capture_default_str();
  command->add_flag("--json", options->json, "Print one JSON object");
  command->callback([options] {
    const auto far_end = far_end_of(options->driver);
    const auto report =
        drivers::run_wire_trials(*far_end, {.count = options->count, .seed = options->seed});
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
