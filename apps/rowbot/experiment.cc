// rowbot experiment: the papers' tables and figures, made again: list, run, report.

#include "lab/experiments/experiment.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "CLI/CLI.hpp"
#include "commands.h"
#include "fmt/core.h"
#include "lab/experiments/report.h"
#include "lab_commands.h"
#include "lab_session.h"
#include "nlohmann/json.hpp"

namespace rowbot::app {
namespace {

struct ExperimentArguments {
  LabOptions lab;
  std::string name;
  double scale = 1;
  std::string out = "report";
  bool resume = false;
  bool json = false;
};

void list_experiments(const ExperimentArguments& arguments) {
  auto array = nlohmann::ordered_json::array();
  for (const lab::Experiment& experiment : lab::experiments()) {
    if (arguments.json) {
      array.push_back(
          {{"name", experiment.name}, {"title", experiment.title}, {"source", experiment.source}});
    } else {
      fmt::print("{:<15} {} ({})\n", experiment.name, experiment.title, experiment.source);
    }
  }
  if (arguments.json) fmt::print("{}\n", array.dump(2));
}

/// One by its name, or all of them.
std::vector<const lab::Experiment*> chosen(const std::string& name) {
  if (name != "all") return {usage_value(lab::find_experiment(name))};
  std::vector<const lab::Experiment*> all;
  for (const lab::Experiment& experiment : lab::experiments()) all.push_back(&experiment);
  return all;
}

void run_one(LabSession& session, const lab::Experiment& experiment,
             const ExperimentArguments& arguments) {
  const std::string name(experiment.name);
  if (!arguments.resume) {
    if (const auto gone = session.archive().forget_group(name); !gone) fail(gone.error());
  }
  lab::Workbench bench({.experiment = name,
                        .scale = arguments.scale,
                        .seed = arguments.lab.seed,
                        .run = session.run_options(),
                        .say = [&](const std::string& text) {
                          session.clear_line();
                          fmt::print(stderr, "{}: {}\n", name, text);
                        }});
  const auto report = lab::run_experiment(experiment, bench);
  if (!report) {
    if (bench.stopped()) {
      session.clear_line();
      throw CommandFailure{.exit_code = 130, .message = report.error().message};
    }
    fail(report.error());
  }
  const auto kept = session.tables().keep_report(name, lab::report_json(*report));
  if (!kept) fail(kept.error());
  session.clear_line();
  fmt::print("{}: {}\n", name, experiment.title);
  for (const std::string& finding : report->findings) fmt::print("  {}\n", finding);
}

void run_experiments(const ExperimentArguments& arguments) {
  const auto experiments = chosen(arguments.name);
  LabSession session(arguments.lab);
  for (const lab::Experiment* experiment : experiments) run_one(session, *experiment, arguments);
  fmt::print(stderr, "rowbot experiment report {} --out DIR writes it down with charts.\n",
             arguments.name);
}

void write_report_file(const std::filesystem::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text << std::flush;
  if (!file) fail(Error{fmt::format("cannot write {}; is there room?", path.string())});
}

void report_experiments(const ExperimentArguments& arguments) {
  const auto experiments = chosen(arguments.name);
  store::Archive tables = open_tables(arguments.lab);
  std::vector<lab::Report> reports;
  for (const lab::Experiment* experiment : experiments) {
    const auto json = tables.report(experiment->name);
    if (!json) fail(json.error());
    if (!*json) continue;
    auto report = lab::parse_report_json(**json);
    if (!report) fail(report.error());
    reports.push_back(*std::move(report));
  }
  if (reports.empty()) {
    fail(Error{fmt::format("there is nothing to report yet; rowbot experiment run {} makes it",
                           arguments.name)});
  }
  const std::filesystem::path folder(arguments.out);
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) fail(Error{fmt::format("cannot make the folder {}", arguments.out)});
  write_report_file(folder / "index.html", lab::reports_html(reports));
  write_report_file(folder / "report.md", lab::reports_markdown(reports));
  write_report_file(folder / "report.json", lab::reports_json(reports));
  fmt::print("{}\n", (folder / "index.html").string());
}

}  // namespace

void add_experiment_command(CLI::App& app) {
  CLI::App* experiment =
      app.add_subcommand("experiment", "The papers' tables and figures, made again");
  experiment->require_subcommand(1);
  auto arguments = std::make_shared<ExperimentArguments>();

  CLI::App* list = experiment->add_subcommand("list", "All experiments");
  list->add_flag("--json", arguments->json, "Print an array of objects");
  list->callback([arguments] { list_experiments(*arguments); });

  CLI::App* run = experiment->add_subcommand("run", "Play one, or all");
  run->add_option("name", arguments->name, "The experiment's name, or all")->required();
  run->add_option("--scale", arguments->scale, "Share of the games; fewer give wider intervals")
      ->check(CLI::Range(0.0001, 100.0))
      ->capture_default_str();
  run->add_flag("--resume", arguments->resume, "Go on with the games already played");
  add_play_options(*run, arguments->lab);
  run->callback([arguments] { run_experiments(*arguments); });

  CLI::App* report = experiment->add_subcommand(
      "report", "Write index.html, report.md and report.json of what was run last");
  report->add_option("name", arguments->name, "The experiment's name, or all")->required();
  report->add_option("--out", arguments->out, "The folder")->capture_default_str();
  add_database_option(*report, arguments->lab);
  report->callback([arguments] { report_experiments(*arguments); });
}

}  // namespace rowbot::app
