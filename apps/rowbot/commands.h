// The subcommands, one file each. A command prints results on standard output and everything else
// on standard error; it ends well by returning and badly by fail() or fail_usage().
#pragma once

#include <cstddef>
#include <string>

#include "CLI/CLI.hpp"
#include "base/result.h"

namespace rowbot::app {

/// The largest file of positions to solve or to judge; it is read whole.
constexpr std::size_t kPositionsBytes = std::size_t{256} << 20;

/// Thrown by fail() and caught in main(), which prints the message and returns the exit code.
struct CommandFailure {
  int exit_code;
  std::string message;
};

/// Exit code 1: the command was understood but could not be done.
[[noreturn]] void fail(const Error& error);
/// Exit code 2: the command line itself is wrong.
[[noreturn]] void fail_usage(const Error& error);

/// The value, or the end of the command with exit code 2: for what the user wrote.
template <class T>
T usage_value(Result<T> result) {
  if (!result) fail_usage(result.error());
  return *std::move(result);
}

void add_agents_command(CLI::App& app);
void add_bench_command(CLI::App& app);
void add_book_command(CLI::App& app);
void add_arm_command(CLI::App& app);
void add_doctor_command(CLI::App& app);
void add_experience_command(CLI::App& app);
void add_load_command(CLI::App& app);
void add_perft_command(CLI::App& app);
void add_play_command(CLI::App& app);
void add_quality_command(CLI::App& app);
void add_replay_command(CLI::App& app);
void add_see_command(CLI::App& app);
void add_serve_command(CLI::App& app);
void add_show_command(CLI::App& app);
void add_solve_command(CLI::App& app);
void add_table_command(CLI::App& app);
void add_train_command(CLI::App& app);

}  // namespace rowbot::app
