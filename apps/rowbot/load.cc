// rowbot load: many simulated visitors at once, to see what a server bears.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <string>
#include <sys/resource.h>
#include <vector>

#include "CLI/CLI.hpp"
#include "base/text.h"
#include "commands.h"
#include "engine/roster/levels.h"
#include "fmt/core.h"
#include "load_players.h"
#include "nlohmann/json.hpp"

namespace rowbot::app {
namespace {

struct LoadArguments {
  std::string url = "http://127.0.0.1:8080";
  int players = 100;
  int slow = 0;
  int attackers = 0;
  bool addresses = false;
  double seconds = 30;
  double least_pause = 3;
  double most_pause = 5;
  std::string levels = "easy,moderate,easy,beginner-2,easy,moderate,hard,easy,moderate,perfect";
  std::uint64_t seed = 1;
  bool json = false;
};

/// The value below which this share of the sorted values lies; requires some values.
double quantile(const std::vector<double>& sorted, double share) {
  const auto last = static_cast<double>(sorted.size() - 1);
  return sorted[static_cast<std::size_t>(std::ceil(share * last))];
}

std::chrono::milliseconds in_milliseconds(double seconds) {
  return std::chrono::milliseconds(static_cast<std::int64_t>(std::lround(seconds * 1000)));
}

LoadOptions options_of(const LoadArguments& arguments) {
  constexpr std::string_view kScheme = "http://";
  std::string_view rest = arguments.url;
  if (!rest.starts_with(kScheme)) {
    fail_usage(Error{fmt::format("{} must begin with http://", in_quotes(arguments.url))});
  }
  rest.remove_prefix(kScheme.size());
  rest = rest.substr(0, rest.find('/'));
  const std::size_t colon = rest.rfind(':');
  LoadOptions options{.players = arguments.players,
                      .slow_clients = arguments.slow,
                      .attackers = arguments.attackers,
                      .addresses = arguments.addresses,
                      .time = in_milliseconds(arguments.seconds),
                      .least_pause = in_milliseconds(arguments.least_pause),
                      .most_pause = in_milliseconds(arguments.most_pause),
                      .seed = arguments.seed};
  options.host = rest.substr(0, colon);
  options.port = colon == std::string_view::npos ? "80" : std::string(rest.substr(colon + 1));
  for (const std::string_view level : split(arguments.levels, ',')) {
    if (std::ranges::find(roster::visitor_levels(), trimmed(level), &roster::Level::name) ==
        roster::visitor_levels().end()) {
      fail_usage(Error{fmt::format("--levels: there is no level {}", in_quotes(trimmed(level)))});
    }
    options.levels.emplace_back(trimmed(level));
  }
  return options;
}

nlohmann::ordered_json levels_json(LoadReport& report) {
  nlohmann::ordered_json levels = nlohmann::ordered_json::array();
  for (auto& [level, times] : report.answer_ms) {
    std::sort(times.begin(), times.end());
    levels.push_back({{"level", level},
                      {"moves", times.size()},
                      {"p50_ms", quantile(times, 0.5)},
                      {"p99_ms", quantile(times, 0.99)},
                      {"max_ms", times.back()}});
  }
  return levels;
}

nlohmann::ordered_json attacks_json(const LoadReport& report) {
  nlohmann::ordered_json attacks = nlohmann::ordered_json::array();
  for (const auto& [name, tally] : report.attacks) {
    attacks.push_back({{"kind", name},
                       {"connections", tally.connections},
                       {"bytes_sent", tally.bytes_sent},
                       {"answered", tally.answered},
                       {"refused", tally.refused},
                       {"failed", tally.failed}});
  }
  return attacks;
}

void print_json(const LoadArguments& arguments, LoadReport& report) {
  const nlohmann::ordered_json object{{"players", arguments.players},
                                      {"slow", arguments.slow},
                                      {"attackers", arguments.attackers},
                                      {"seconds", arguments.seconds},
                                      {"games", report.games},
                                      {"finished", report.finished},
                                      {"moves", report.moves},
                                      {"surveys", report.surveys},
                                      {"errors", report.errors},
                                      {"busy", report.busy},
                                      {"lost_moves", report.lost_moves},
                                      {"doubled_moves", report.doubled_moves},
                                      {"lost_results", report.lost_results},
                                      {"doubled_results", report.doubled_results},
                                      {"unverified", report.unverified},
                                      {"first_error", report.first_error},
                                      {"levels", levels_json(report)},
                                      {"attacks", attacks_json(report)}};
  fmt::print("{}\n", object.dump(2));
}

void print_text(const LoadArguments& arguments, LoadReport& report) {
  fmt::print("{} players for {} s: {} games, {} moves, {} errors, {} times busy\n",
             arguments.players, arguments.seconds, report.games, report.moves, report.errors,
             report.busy);
  fmt::print("lost or doubled: moves {} and {}, results {} and {}; not verified: {}\n",
             report.lost_moves, report.doubled_moves, report.lost_results, report.doubled_results,
             report.unverified);
  if (!report.first_error.empty()) fmt::print("first error: {}\n", report.first_error);
  for (const auto& level : levels_json(report)) {
    fmt::print("{:12} {:6} moves, p50 {:7.1f} ms, p99 {:7.1f} ms\n",
               level["level"].get<std::string>(), level["moves"].get<std::size_t>(),
               level["p50_ms"].get<double>(), level["p99_ms"].get<double>());
  }
  for (const auto& [name, tally] : report.attacks) {
    fmt::print("{:24} {:7} connections, {:6.1f} MB sent, {:7} answered, {:7} refused, {} failed\n",
               name, tally.connections, static_cast<double>(tally.bytes_sent) / 1e6, tally.answered,
               tally.refused, tally.failed);
  }
}

void run_load_command(const LoadArguments& arguments) {
  rlimit limit{};  // every visitor is an open file
  if (::getrlimit(RLIMIT_NOFILE, &limit) == 0) {
    limit.rlim_cur = limit.rlim_max;
    static_cast<void>(::setrlimit(RLIMIT_NOFILE, &limit));
  }
  auto ran = run_load(options_of(arguments));
  if (!ran) fail(ran.error());
  if (arguments.json) {
    print_json(arguments, *ran);
  } else {
    print_text(arguments, *ran);
  }
  if (!ran->faultless()) {
    std::fflush(stdout);
    fail(Error{"the server lost, doubled or did not show what it had acknowledged"});
  }
}

}  // namespace

void add_load_command(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("load", "Simulated visitors: what does a running server bear?");
  auto arguments = std::make_shared<LoadArguments>();
  command->add_option("--url", arguments->url, "The server")->capture_default_str();
  command->add_option("--players", arguments->players, "Visitors who play at once")
      ->check(CLI::Range(1, 100'000))
      ->capture_default_str();
  command->add_option("--seconds", arguments->seconds, "How long")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->add_option("--slow", arguments->slow, "Visitors who send a byte now and then")
      ->check(CLI::NonNegativeNumber);
  command
      ->add_option("--attack", arguments->attackers,
                   "Hostile clients: malformed, endless, slow, half-open, flooding")
      ->check(CLI::Range(0, 60'000));
  command->add_flag("--addresses", arguments->addresses,
                    "Give each visitor an address in X-Forwarded-For; start the server with "
                    "--behind-proxy");
  command->add_option("--least-pause", arguments->least_pause, "Seconds between two moves")
      ->capture_default_str();
  command->add_option("--most-pause", arguments->most_pause)->capture_default_str();
  command->add_option("--levels", arguments->levels, "Shared out among the players")
      ->capture_default_str();
  command->add_option("--seed", arguments->seed, "Where the randomness begins");
  command->add_flag("--json", arguments->json, "Print one object");
  command->callback([arguments] { run_load_command(*arguments); });
}

}  // namespace rowbot::app
