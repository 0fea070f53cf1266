// rowbot serve: the website.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <malloc.h>
#include <memory>
#include <pthread.h>
#include <string>
#include <sys/resource.h>

#include "CLI/CLI.hpp"
#include "base/memory.h"
#include "base/text.h"
#include "base/text_file.h"
#include "commands.h"
#include "fmt/core.h"
#include "serve_table.h"
#include "service/server/server.h"
#include "service/store/server_lock.h"
#include "service/store/sqlite_store.h"

namespace rowbot::app {
namespace {

struct ServeArguments {
  std::string host = "127.0.0.1";
  std::uint16_t port = 8080;
  std::string database;
  std::string laboratory;
  std::string access_log;
  std::string operator_token_file;
  bool behind_proxy = false;
  ServeTableOptions table;
};

/// Where programs keep a user's data, by the XDG convention.
std::string default_database() {
  namespace fs = std::filesystem;
  if (const char* data = std::getenv("XDG_DATA_HOME"); data != nullptr && *data != '\0') {
    return (fs::path(data) / "rowbot" / "rowbot.db").string();
  }
  if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0') {
    return (fs::path(home) / ".local" / "share" / "rowbot" / "rowbot.db").string();
  }
  fail_usage(Error{"there is no home folder to keep the database in; name a file with --db"});
}

/// Every visitor is an open file.
void allow_many_files() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  static_cast<void>(::setrlimit(RLIMIT_NOFILE, &limit));
}

/// Of each thread that thinks: every one has solvers and trees of its own, and together they are to
/// leave room on a small machine, or under a limit of the address space.
Resources thread_resources(const Resources& machine, int threads) {
  constexpr std::uint64_t kMost = std::uint64_t{256} << 20;
  constexpr std::uint64_t kMostOfAddresses = std::uint64_t{64} << 20;  // trees reserve all they may
  rlimit space{};
  const bool limited = ::getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY;
  return {.memory_bytes = std::min(limited ? kMostOfAddresses : kMost,
                                   machine.memory_bytes / static_cast<unsigned>(threads))};
}

/// By default every thread reserves 8 MB of addresses for its stack and 64 MB for its part of the
/// heap: under a limit of the address space far more than they use.
void save_addresses() {
  rlimit space{};
  if (::getrlimit(RLIMIT_AS, &space) != 0 || space.rlim_cur == RLIM_INFINITY) return;
  static_cast<void>(::mallopt(M_ARENA_MAX, 1));
  pthread_attr_t attributes{};
  if (::pthread_attr_init(&attributes) != 0) return;
  if (::pthread_attr_setstacksize(&attributes, std::size_t{2} << 20) == 0) {
    static_cast<void>(::pthread_setattr_default_np(&attributes));
  }
  ::pthread_attr_destroy(&attributes);
}

std::string read_secret(const std::string& path) {
  const std::string text = usage_value(read_text_file(path, kSettingsBytes));
  const std::string_view secret = trimmed(std::string_view(text).substr(0, text.find('\n')));
  if (secret.size() < 16) {
    fail_usage(
        Error{fmt::format("{} must hold the operator's token, at least 16 characters", path)});
  }
  return std::string(secret);
}

/// A line that the disk does not take is lost; whoever it is about is served all the same.
void log_line(std::FILE* file, const std::string& line) {
  static_cast<void>(std::fwrite(line.data(), 1, line.size(), file));
  std::fflush(file);
}

/// Physics and renderer of a simulated table end the program when memory is refused, so the table
/// is left out beforehand. Website and table together take 0.8 GB of addresses.
ServeTableOptions table_that_fits(ServeTableOptions table) {
  constexpr rlim_t kAddresses = rlim_t{900} << 20;
  rlimit space{};
  const bool fits = ::getrlimit(RLIMIT_AS, &space) != 0 || space.rlim_cur >= kAddresses;
  if (fits || !table.config.empty() || table.robot == "none") return table;
  log_line(stderr, fmt::format("rowbot: the simulated table is left out: it takes {} MB of "
                               "addresses, and the limit is {} MB; raise it (ulimit -v)\n",
                               kAddresses >> 20, space.rlim_cur >> 20));
  table.robot = "none";
  return table;
}

void run_serve(const ServeArguments& arguments) {
  allow_many_files();
  save_addresses();
  server::Options options{.host = arguments.host, .port = arguments.port};
  options.handle_signals = true;
  // The longer lanes yield to the shorter, so that together they may have more threads than there
  // are processors.
  const Resources machine = machine_resources();
  const int processors = std::max(2, machine.threads);
  for (server::LaneOptions* lane : {&options.pool.shorts, &options.pool.longs, &options.pool.solver,
                                    &options.pool.background}) {
    lane->threads = processors / 2;
  }
  const Resources each = thread_resources(machine, 2 * processors + 2);  // with lab and table
  options.pool.resources = each;
  options.laboratory.resources = each;
  options.trust_forwarded = arguments.behind_proxy;
  if (!arguments.operator_token_file.empty()) {
    options.operator_token = read_secret(arguments.operator_token_file);
  }
  std::shared_ptr<std::FILE> log;
  if (arguments.access_log == "-") {
    log = std::shared_ptr<std::FILE>(stderr, [](std::FILE*) {});
  } else if (!arguments.access_log.empty()) {
    log = std::shared_ptr<std::FILE>(std::fopen(arguments.access_log.c_str(), "ae"),
                                     [](std::FILE* file) {
                                       if (file != nullptr) std::fclose(file);
                                     });
    if (!log) fail_usage(Error{fmt::format("cannot write to {}", arguments.access_log)});
  }
  options.error_log = [](std::string_view line) {
    log_line(stderr, fmt::format("rowbot: {}\n", line));
  };
  if (log) {
    options.access_log = [log](std::string_view line) {
      log_line(log.get(), fmt::format("{}\n", line));
    };
  }
  const std::string path = arguments.database.empty() ? default_database() : arguments.database;
  options.laboratory.database = arguments.laboratory.empty() ? path : arguments.laboratory;
  // Before the store: opening may bring the file up to date, and not below a server that runs.
  const auto alone = store::ServerLock::take(path);
  if (!alone) fail(alone.error());
  auto store = store::SqliteStore::open(path);
  if (!store) fail(store.error());
  ServeTableOptions table = table_that_fits(arguments.table);
  table.resources = each;
  const auto robot = make_table_feed(table);
  auto server = server::Server::open(options, **store, robot.get());
  if (!server) fail(server.error());
  const std::string host = arguments.host.find(':') == std::string::npos
                               ? arguments.host
                               : fmt::format("[{}]", arguments.host);
  fmt::print("Rowbot is at http://{}:{}/\n", host, (*server)->port());
  std::fflush(stdout);
  if (robot) {
    fmt::print(stderr, "The robot's table is at http://{}:{}/table\n", host, (*server)->port());
  }
  fmt::print(stderr, "Games are kept in {}. Ctrl-C stops.\n", path);
  (*server)->run();
}

}  // namespace

void add_serve_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("serve", "The website: play in the browser");
  auto arguments = std::make_shared<ServeArguments>();
  command->add_option("--host", arguments->host, "Address to listen on; 0.0.0.0 for all")
      ->capture_default_str();
  command->add_option("--port", arguments->port, "Port; 0 for any that is free")
      ->capture_default_str();
  command->add_option("--db", arguments->database, "Database; else in the user's data folder")
      ->type_name("FILE");
  command
      ->add_option("--lab", arguments->laboratory,
                   "Database of the experiments to show; else the same as --db")
      ->check(CLI::ExistingFile)
      ->type_name("FILE");
  command->add_option("--access-log", arguments->access_log, "One line a request; - for stderr")
      ->type_name("FILE");
  command
      ->add_option("--operator-token-file", arguments->operator_token_file,
                   "File with the secret that allows operator actions")
      ->type_name("FILE");
  command->add_flag("--behind-proxy", arguments->behind_proxy,
                    "Believe the last address of X-Forwarded-For");
  command
      ->add_option("--robot", arguments->table.robot,
                   "Whose table to show: eezybot, roboarm, panda or none")
      ->capture_default_str();
  command->add_option("--robot-agent", arguments->table.agent, "Who plays for the robot");
  command
      ->add_option("--table", arguments->table.config,
                   "The table that this hardware file describes (docs/wiring.md), in place of the "
                   "twin's")
      ->check(CLI::ExistingFile)
      ->type_name("FILE");
  command->add_option("--table-log", arguments->table.log, "Log of that table")->type_name("FILE");
  command
      ->add_option("--table-speed", arguments->table.speed,
                   "Simulated seconds per second at the robot's table")
      ->check(CLI::Range(0.1, 1000.0))
      ->capture_default_str();
  command->callback([arguments] { run_serve(*arguments); });
}

}  // namespace rowbot::app
