// rowbot tournament: everybody against everybody, on one scale of strength.

#include "lab/matches/tournament.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "base/memory.h"
#include "base/text.h"
#include "commands.h"
#include "common/agent_argument.h"
#include "fmt/core.h"
#include "lab/matches/result_json.h"
#include "lab_commands.h"
#include "lab_session.h"
#include "nlohmann/json.hpp"

namespace rowbot::app {
namespace {

struct TournamentArguments {
  LabOptions lab;
  std::vector<std::string> agents;
  std::uint64_t games = 100;
  int openings = 0;
  std::string limit = "60s";
  bool json = false;
};

void print_standings(std::vector<lab::Standing> standings) {
  std::sort(standings.begin(), standings.end(), [](const lab::Standing& x, const lab::Standing& y) {
    return x.elo.value > y.elo.value;
  });
  fmt::print("{:>6} {:>6} {:>7} {:>7} {:>7} {:>7}  agent\n", "Elo", "+-", "won", "drawn", "lost",
             "score");
  for (const lab::Standing& one : standings) {
    const auto games = static_cast<double>(std::max<std::uint64_t>(1, one.games.games()));
    fmt::print("{:>+6.0f} {:>6.0f} {:>7} {:>7} {:>7} {:>5.1f} %  {}\n", one.elo.value,
               one.elo.error, one.games.wins, one.games.draws, one.games.losses,
               100 * one.games.points() / games, one.agent.text());
  }
}

void run_tournament_command(const TournamentArguments& arguments) {
  std::vector<roster::AgentSpec> agents;
  for (const std::string& text : arguments.agents) {
    agents.push_back(usage_value(agent_argument(text, machine_resources())));
  }
  const lab::TournamentSpec spec{
      .agents = std::move(agents),
      .games = arguments.games,
      .seed = arguments.lab.seed,
      .opening_plies = arguments.openings,
      .move_limit = std::chrono::duration_cast<std::chrono::milliseconds>(
          usage_value(parse_duration(arguments.limit)))};
  if (const auto checked = lab::check_tournament(spec); !checked) fail_usage(checked.error());
  LabSession session(arguments.lab);
  const auto result = lab::run_tournament(spec, session.run_options());
  if (!result) fail(result.error());
  if (!result->complete) session.end_stopped("the tournament was stopped");
  if (arguments.json) {
    fmt::print("{}\n", lab::tournament_json(spec, *result).dump());
  } else {
    print_standings(result->standings);
  }
  LabSession::leave_hanging_threads(result->given_up_threads);
}

}  // namespace

void add_tournament_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "tournament", "Everybody against everybody: one table of strength with error bars");
  auto arguments = std::make_shared<TournamentArguments>();
  command->add_option("agents", arguments->agents, "Two agents or more")->required();
  command->add_option("--games", arguments->games, "Games of each pair, colours swapped")
      ->check(CLI::Range(1, 100'000'000))
      ->capture_default_str();
  command
      ->add_option("--openings", arguments->openings,
                   "Begin with so many random moves, the same in both games of a pair")
      ->check(CLI::Range(0, 12));
  command->add_option("--limit", arguments->limit, "A move that takes longer loses the game")
      ->capture_default_str();
  command->add_flag("--json", arguments->json, "Print one object");
  add_play_options(*command, arguments->lab);
  command->callback([arguments] { run_tournament_command(*arguments); });
}

}  // namespace rowbot::app
