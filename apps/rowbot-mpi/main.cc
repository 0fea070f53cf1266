// rowbot-mpi: `rowbot match`, `rowbot tournament` and `rowbot experiment run` over many machines.
//   mpirun -n 8 --hostfile hosts rowbot-mpi match A B --games 10000 --json

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>
#include <mpi.h>
#include <optional>
#include <string>
#include <unistd.h>
#include <vector>

#include "CLI/CLI.hpp"
#include "base/memory.h"
#include "common/agent_argument.h"
#include "common/whole_numbers.h"
#include "fmt/core.h"
#include "lab/experiments/experiment.h"
#include "lab/experiments/report.h"
#include "lab/matches/match_store.h"
#include "lab/matches/result_json.h"
#include "lab/matches/tournament.h"
#include "nlohmann/json.hpp"
#include "service/store/archive.h"
#include "work_sharing.h"

namespace rowbot::mpi {
namespace {

struct Arguments {
  std::vector<std::string> texts;
  std::vector<roster::AgentSpec> agents;
  std::uint64_t games = 100;
  std::uint64_t seed = 1;
  int openings = 0;
  std::string database;
  bool json = false;
  std::string experiment;
  double scale = 1;
};

void add_options(CLI::App& command, Arguments& arguments) {
  command.add_option("--games", arguments.games, "Games of each pair, colours swapped")
      ->check(CLI::Range(1, 100'000'000))
      ->capture_default_str();
  command.add_option("--seed", arguments.seed, "Where all randomness begins")
      ->capture_default_str();
  command.add_option("--openings", arguments.openings, "Begin with so many random moves")
      ->check(CLI::Range(0, 12));
  command.add_option("--db", arguments.database, "The database of the first process")
      ->type_name("FILE");
  command.add_flag("--json", arguments.json, "Print one object, the same as rowbot prints");
}

lab::TournamentSpec spec_of(const Arguments& arguments) {
  return {.agents = arguments.agents,
          .games = arguments.games,
          .seed = arguments.seed,
          .opening_plies = arguments.openings};
}

std::vector<lab::MatchSpec> matches_of(const Arguments& arguments, bool tournament) {
  // A match may be of an agent against itself; a tournament's pairs never are.
  if (!tournament) {
    return {{.a = arguments.agents[0],
             .b = arguments.agents[1],
             .games = arguments.games,
             .seed = arguments.seed,
             .opening_plies = arguments.openings}};
  }
  std::vector<lab::MatchSpec> matches;
  for (const lab::Pairing& pairing : lab::pairings(spec_of(arguments))) {
    matches.push_back(pairing.match);
  }
  return matches;
}

void print_result(const Arguments& arguments, bool tournament,
                  const std::vector<lab::MatchSpec>& matches,
                  const std::vector<lab::MatchTally>& tallies) {
  nlohmann::ordered_json json;
  if (tournament) {
    const lab::TournamentSpec spec = spec_of(arguments);
    lab::TournamentResult result{
        .pairings = lab::pairings(spec), .tallies = tallies, .complete = true};
    result.standings = lab::standings_of(spec.agents, result.pairings, result.tallies);
    json = lab::tournament_json(spec, result);
  } else {
    json = lab::match_json(matches.front(), tallies.front(), std::nullopt);
  }
  fmt::print("{}\n", arguments.json ? json.dump() : json.dump(2));
}

/// What was printed has arrived.
Result<void> flush_output() {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return {};
  return Error{fmt::format("cannot write the result to standard output: {}", std::strerror(errno))};
}

Result<void> check_arguments(Arguments& arguments, bool tournament) {
  for (const std::string& text : arguments.texts) {
    auto agent = agent_argument(text, machine_resources());
    if (!agent) return agent.error();
    arguments.agents.push_back(*std::move(agent));
  }
  if (tournament) return lab::check_tournament(spec_of(arguments));
  return lab::check_match(matches_of(arguments, false).front());
}

Result<store::Archive> open_tables(const Arguments& arguments) {
  std::string path = arguments.database;
  if (path.empty()) {
    auto found = store::default_database_path();
    if (!found) return found.error();
    path = *std::move(found);
  }
  return store::Archive::open(path);
}

SharingOptions sharing_options(lab::GameArchive& archive) {
  SharingOptions options{.archive = &archive};
  if (isatty(STDERR_FILENO) != 0) {
    options.progress = [](const lab::MatchProgress& progress) {
      fmt::print(stderr, "\r{} of {} games\x1b[K", progress.known, progress.games);
    };
  }
  return options;
}

/// The experiment itself runs on rank 0; its matches are played everywhere.
Result<void> run_experiment(const Arguments& arguments) {
  auto tables = open_tables(arguments);
  if (!tables) return tables.error();
  lab::MatchStore archive(*tables);
  const SharingOptions options = sharing_options(archive);
  const lab::Experiment& experiment = **lab::find_experiment(arguments.experiment);
  lab::RunOptions local;
  local.archive = &archive;
  lab::Workbench bench(
      {.experiment = arguments.experiment,
       .scale = arguments.scale,
       .seed = arguments.seed,
       .run = local,
       .play_match =
           [&options](const lab::MatchSpec& match) { return share_match(match, options); },
       .say = {}});
  const auto report = lab::run_experiment(experiment, bench);
  if (!report) return report.error();
  end_matches();
  if (auto kept = tables->keep_report(arguments.experiment, lab::report_json(*report)); !kept) {
    return kept.error();
  }
  for (const std::string& finding : report->findings) fmt::print("{}\n", finding);
  return flush_output();
}

Result<void> keep_books(const Arguments& arguments, bool tournament) {
  auto tables = open_tables(arguments);
  if (!tables) return tables.error();
  lab::MatchStore archive(*tables);
  const SharingOptions options = sharing_options(archive);
  const auto matches = matches_of(arguments, tournament);
  const auto tallies = hand_out_games(matches, options);
  if (!tallies) return tallies.error();
  print_result(arguments, tournament, matches, *tallies);
  return flush_output();
}

int run(int argc, char** argv) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  CLI::App app("Rowbot's matches over many machines.", "rowbot-mpi");
  app.require_subcommand(1);
  Arguments arguments;
  CLI::App* match = app.add_subcommand("match", "Two agents play many games");
  match->add_option("agents", arguments.texts, "The two agents")->required()->expected(2);
  add_options(*match, arguments);
  CLI::App* tournament = app.add_subcommand("tournament", "Everybody against everybody");
  tournament->add_option("agents", arguments.texts, "Two agents or more")->required();
  add_options(*tournament, arguments);
  CLI::App* experiment = app.add_subcommand("experiment", "An experiment of the laboratory");
  CLI::App* run_command =
      experiment->require_subcommand(1)->add_subcommand("run", "Plays it, or goes on with it");
  run_command->add_option("name", arguments.experiment, "rowbot experiment list names them")
      ->required();
  run_command->add_option("--scale", arguments.scale, "Share of the paper's games")
      ->check(CLI::Range(1e-6, 100.0))
      ->capture_default_str();
  run_command->add_option("--seed", arguments.seed, "Where all randomness begins")
      ->capture_default_str();
  run_command->add_option("--db", arguments.database, "The database of the first process")
      ->type_name("FILE");
  rowbot::app::check_whole_numbers(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const bool fine = error.get_exit_code() == 0;
    if (rank == 0) (void)app.exit(error);
    return fine ? 0 : 2;
  }
  const auto wrong_usage = [rank](const Error& error) {
    if (rank == 0) fmt::print(stderr, "rowbot-mpi: {}\n", error.message);
    return 2;
  };
  Result<void> done;
  if (experiment->parsed()) {
    if (const auto found = lab::find_experiment(arguments.experiment); !found) {
      return wrong_usage(found.error());
    }
    done = rank == 0 ? run_experiment(arguments) : play_announced_matches();
  } else {
    const bool many = tournament->parsed();
    if (const auto checked = check_arguments(arguments, many); !checked) {
      return wrong_usage(checked.error());
    }
    done = rank == 0 ? keep_books(arguments, many) : play_given_games(matches_of(arguments, many));
  }
  if (done) return 0;
  fmt::print(stderr, "rowbot-mpi: {}\n", done.error().message);
  MPI_Abort(MPI_COMM_WORLD, 1);  // the others would wait for ever
  return 1;
}

}  // namespace
}  // namespace rowbot::mpi

int main(int argc, char** argv) {
  // Threads watch the clock; only the main one speaks MPI.
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  int code = 1;
  try {
    code = rowbot::mpi::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "rowbot-mpi: internal error: %s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  return code;
}
