// The rowbot program: finds the subcommand, runs it, and turns every ending into an exit code
// (0 done, 1 failed, 2 wrong usage).

#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "CLI/CLI.hpp"
#include "base/text.h"
#include "commands.h"
#include "common/whole_numbers.h"
#include "fmt/core.h"
#include "lab_commands.h"
#include "output.h"

namespace rowbot::app {

void fail(const Error& error) { throw CommandFailure{.exit_code = 1, .message = error.message}; }

void fail_usage(const Error& error) {
  throw CommandFailure{.exit_code = 2, .message = error.message};
}

namespace {

void add_commands(CLI::App& app) {
  add_play_command(app);
  add_serve_command(app);
  add_agents_command(app);
  add_show_command(app);
  add_perft_command(app);
  add_bench_command(app);
  add_quality_command(app);
  add_match_command(app);
  add_tournament_command(app);
  add_games_command(app);
  add_experiment_command(app);
  add_parent_command(app);
  add_child_command(app);
  add_load_command(app);
  add_see_command(app);
  add_solve_command(app);
  add_book_command(app);
  add_arm_command(app);
  add_table_command(app);
  add_replay_command(app);
  add_doctor_command(app);
  add_train_command(app);
  add_experience_command(app);
}

/// What to say about a command line that CLI11 did not understand.
std::string advice(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return fmt::format("{}. See rowbot --help", error.what());
  const std::string_view typed = argv[1];
  std::vector<std::string> names;
  for (const CLI::App* sub : app.get_subcommands({})) names.push_back(sub->get_name());
  if (std::find(names.begin(), names.end(), typed) != names.end()) {
    return fmt::format("{}. See rowbot {} --help", error.what(), typed);
  }
  const std::vector<std::string_view> views(names.begin(), names.end());
  const auto meant = nearest(typed, views);
  return fmt::format("there is no command {}{} See rowbot --help", in_quotes(typed),
                     meant ? fmt::format("; did you mean '{}'?", *meant) : ".");
}

/// Parses the command line, which runs the command.
int run(int argc, char** argv) {
  CLI::App app("Rowbot plays Connect Four.", "rowbot");
  app.set_version_flag("--version", ROWBOT_VERSION);
  app.require_subcommand(1);
  add_commands(app);
  check_whole_numbers(app);
  // After the commands: they would inherit it.
  app.footer(
      "Exit codes: 0 done, 1 failed, 2 wrong usage. A result that cannot be written to standard\n"
      "output is a failure; a reader that leaves early (| head) ends the program quietly.");
  try {
    app.parse(argc, argv);
    return 0;
  } catch (const CommandFailure& failure) {
    fmt::print(stderr, "rowbot: {}\n", failure.message);
    return failure.exit_code;
  } catch (const CLI::Success& success) {  // --help and --version
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    fmt::print(stderr, "rowbot: {}\n", advice(app, error, argc, argv));
    return 2;
  }
}

/// Runs the command and makes sure that what it printed has arrived.
int run_checked(int argc, char** argv) {
  try {
    return end_output(run(argc, argv), 0);
  } catch (const std::system_error& error) {
    // flush_output and fmt throw when standard output takes no more.
    if (std::ferror(stdout) != 0) return end_output(1, error.code().value());
    std::fprintf(stderr, "rowbot: internal error: %s\n", error.what());
  } catch (const std::exception& error) {  // a fault of ours, but never a silent one
    std::fprintf(stderr, "rowbot: internal error: %s\n", error.what());
  }
  return end_output(1, 0);
}

}  // namespace
}  // namespace rowbot::app

int main(int argc, char** argv) {
  rowbot::app::occupy_standard_streams();
  return rowbot::app::run_checked(argc, argv);
}
