// What the laboratory's commands share: the database, Ctrl-C, progress on standard error.
#pragma once

#include <csignal>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "CLI/CLI.hpp"
#include "lab/matches/match.h"
#include "lab/matches/match_store.h"
#include "service/store/archive.h"

namespace rowbot::app {

/// Options of every command that plays or reads stored games.
struct LabOptions {
  std::string database;  ///< empty: the user's own
  std::uint64_t seed = 1;
  int threads = 0;  ///< 0: one for each core
};

void add_database_option(CLI::App& command, LabOptions& options);
/// The database, --seed and --threads.
void add_play_options(CLI::App& command, LabOptions& options);

/// Opens the database or ends the command.
[[nodiscard]] store::Archive open_tables(const LabOptions& options);

/// From construction on, the first Ctrl-C (or SIGTERM) asks for a clean stop and the second kills.
class LabSession {
 public:
  explicit LabSession(const LabOptions& options);
  ~LabSession();
  LabSession(const LabSession&) = delete;
  LabSession& operator=(const LabSession&) = delete;
  LabSession(LabSession&&) = delete;
  LabSession& operator=(LabSession&&) = delete;

  [[nodiscard]] store::Archive& tables() { return tables_; }
  [[nodiscard]] lab::MatchStore& archive() { return archive_; }
  /// Resources, archive, stop and progress are set.
  [[nodiscard]] lab::RunOptions run_options();

  /// Takes the progress off the terminal before something else is printed.
  void clear_line();
  /// Says that the same command goes on, and ends this one with exit code 130.
  [[noreturn]] void end_stopped(const std::string& how_far);
  /// To be called when everything is printed: threads that hang must not hold the program up.
  static void leave_hanging_threads(int given_up);

 private:
  void show(const lab::MatchProgress& progress);

  store::Archive tables_;
  lab::MatchStore archive_;
  Resources resources_;
  bool line_shown_ = false;
  double last_shown_ = 0;
};

}  // namespace rowbot::app
