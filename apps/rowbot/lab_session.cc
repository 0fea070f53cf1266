#include "lab_session.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

#include "base/memory.h"
#include "base/stop.h"
#include "commands.h"
#include "fmt/core.h"
#include "output.h"

namespace rowbot::app {
namespace {

StopSource asked_to_stop;

void on_signal(int signal) {
  asked_to_stop.request_stop();
  std::signal(signal, SIG_DFL);  // the second one is not to be talked to
}

std::string clock_text(double seconds) {
  const auto whole = static_cast<std::int64_t>(std::max(0.0, seconds));
  if (whole >= 3600) return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
  if (whole >= 60) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} s", whole);
}

}  // namespace

void add_database_option(CLI::App& command, LabOptions& options) {
  command.add_option("--db", options.database, "The database; by default in your data folder")
      ->type_name("FILE");
}

void add_play_options(CLI::App& command, LabOptions& options) {
  add_database_option(command, options);
  command.add_option("--seed", options.seed, "Where all randomness begins")->capture_default_str();
  command.add_option("--threads", options.threads, "Games at a time; by default one a core")
      ->check(CLI::Range(1, 1024));
}

store::Archive open_tables(const LabOptions& options) {
  std::string path = options.database;
  if (path.empty()) path = usage_value(store::default_database_path());
  auto tables = store::Archive::open(path);
  if (!tables) fail(tables.error());
  return *std::move(tables);
}

LabSession::LabSession(const LabOptions& options)
    : tables_(open_tables(options)), archive_(tables_), resources_(machine_resources()) {
  if (options.threads > 0) resources_.threads = options.threads;
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
}

LabSession::~LabSession() { clear_line(); }

lab::RunOptions LabSession::run_options() {
  return {.resources = resources_,
          .archive = &archive_,
          .stop = asked_to_stop.get_token(),
          .progress = [this](const lab::MatchProgress& progress) { show(progress); }};
}

void LabSession::show(const lab::MatchProgress& progress) {
  const double seconds = progress.elapsed.count();
  const double rate = static_cast<double>(progress.played) / seconds;
  const bool terminal = isatty(STDERR_FILENO) != 0;
  if (!terminal && seconds - last_shown_ < 30 && seconds >= last_shown_) return;
  last_shown_ = seconds;
  const auto left = static_cast<double>(progress.games - progress.known);
  fmt::print(stderr, "{}{} of {} games, {:.3g} a second, {} left{}", terminal ? "\r" : "",
             progress.known, progress.games, rate,
             rate > 0 ? clock_text(left / rate) : std::string("?"), terminal ? "\x1b[K" : "\n");
  line_shown_ = terminal;
  std::fflush(stderr);
}

void LabSession::clear_line() {
  if (line_shown_) fmt::print(stderr, "\r\x1b[K");
  line_shown_ = false;
}

void LabSession::end_stopped(const std::string& how_far) {
  clear_line();
  throw CommandFailure{.exit_code = 130,
                       .message = how_far + "; the same command goes on from there"};
}

void LabSession::leave_hanging_threads(int given_up) {
  if (given_up == 0) return;
  fmt::print(stderr, "rowbot: {} searches never came back and were left behind\n", given_up);
  std::_Exit(end_output(0, 0));
}

}  // namespace rowbot::app
