// rowbot match: two agents play many games; who is stronger, and how sure is that?

#include "lab/matches/match.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "CLI/CLI.hpp"
#include "base/memory.h"
#include "base/text.h"
#include "commands.h"
#include "common/agent_argument.h"
#include "fmt/core.h"
#include "lab/matches/elo.h"
#include "lab/matches/interval.h"
#include "lab/matches/move_quality.h"
#include "lab/matches/result_json.h"
#include "lab_commands.h"
#include "lab_session.h"
#include "nlohmann/json.hpp"

namespace rowbot::app {
namespace {

struct MatchArguments {
  LabOptions lab;
  std::string a;
  std::string b;
  std::uint64_t games = 100;
  int openings = 0;
  std::string limit = "60s";
  std::string sprt;
  std::uint64_t judged = 0;
  bool fresh = false;
  bool json = false;
};

std::optional<lab::SprtClaims> parse_claims(const std::string& text) {
  if (text.empty()) return std::nullopt;
  const auto parts = split(text, ',');
  if (parts.size() != 2) fail_usage(Error{"--sprt wants two numbers, such as --sprt 0,10"});
  const lab::SprtClaims claims{.elo0 = usage_value(parse_number(parts[0])),
                               .elo1 = usage_value(parse_number(parts[1]))};
  if (claims.elo0 >= claims.elo1) fail_usage(Error{"--sprt wants the smaller number first"});
  return claims;
}

struct BothQualities {
  lab::MoveQuality a;
  lab::MoveQuality b;
};

/// Judges the first games of the match by the solver.
BothQualities judge(LabSession& session, const lab::MatchSpec& spec, std::uint64_t games) {
  lab::MatchSpec part = spec;
  part.games = std::min(spec.games, games);
  const lab::RunOptions options = session.run_options();
  solver::Solver solver(
      {.table_mb = solver::table_mb(options.resources), .book = &solver::Book::built_in()});
  BothQualities found;
  bool stopped = false;
  const auto loaded = session.archive().load(part, [&](const lab::PlayedGame& game) {
    if (stopped) return;
    const auto moves = lab::judge_game(solver, part, game, options.stop);
    stopped = !moves;
    if (stopped) return;
    add_game(found.a, *moves, lab::Role::kA);
    add_game(found.b, *moves, lab::Role::kB);
  });
  if (!loaded) fail(loaded.error());
  if (stopped) session.end_stopped("stopped while judging the moves");
  return found;
}

std::string wdl_text(const lab::WinDrawLoss& games) {
  return fmt::format("{} won, {} drawn, {} lost", games.wins, games.draws, games.losses);
}

void print_quality(const char* name, const lab::MoveQuality& quality) {
  const auto first = quality.median_first_mistake();
  fmt::print(
      "  {}: {:.2f} % of {} moves keep the value, {:.3f} points of score lost a move, {} of "
      "{} games faultless{}\n",
      name, 100 * quality.share_kept(), quality.moves, quality.mean_score_lost(),
      quality.faultless_games(), quality.games,
      first ? fmt::format(", else the first mistake is at ply {} (median)", *first) : "");
}

void print_match(const lab::MatchSpec& spec, const lab::MatchResult& result,
                 const std::optional<lab::SprtClaims>& claims) {
  const lab::MatchTally& tally = result.tally;
  const lab::WinDrawLoss all = tally.all();
  const auto games = static_cast<double>(all.games());
  const lab::Interval interval = lab::wilson(all.points(), games);
  const lab::Elo elo = lab::elo_of_points(all.points(), games);
  fmt::print("A: {}\nB: {}\n", spec.a.text(), spec.b.text());
  fmt::print(
      "A in {} games: {}; score {:.2f} % (95 % interval {:.2f} to {:.2f}), Elo {:+.0f} +- "
      "{:.0f}\n",
      all.games(), wdl_text(all), 100 * all.points() / games, 100 * interval.low,
      100 * interval.high, elo.value, elo.error);
  fmt::print("  moving first:  {}\n  moving second: {}\n", wdl_text(tally.a_first),
             wdl_text(tally.a_second));
  const char* names[] = {"A", "B"};
  for (std::size_t i = 0; i < 2; ++i) {
    const auto moves = static_cast<double>(std::max<std::uint64_t>(1, tally.effort.at(i).moves));
    fmt::print("  {}: {:.1f} moves a game, {:.4g} ms a move\n", names[i],
               static_cast<double>(tally.effort.at(i).moves) / games,
               static_cast<double>(tally.effort.at(i).thinking.count()) / moves / 1000);
  }
  if (tally.failures > 0) {
    fmt::print(
        "  {} games were lost by time-out or break-down; rowbot games show has the reasons\n",
        tally.failures);
  }
  if (claims) {
    const double llr = lab::log_likelihood_ratio(tally.pairs, claims->elo0, claims->elo1);
    fmt::print("  SPRT [{}, {}]: LLR {:.2f} of {:.2f} to {:.2f}: {}\n", claims->elo0, claims->elo1,
               llr, claims->lower_bound(), claims->upper_bound(),
               result.verdict == lab::SprtVerdict::kAcceptH1   ? "H1 accepted"
               : result.verdict == lab::SprtVerdict::kAcceptH0 ? "H0 accepted"
                                                               : "undecided");
  }
}

void run_match_command(const MatchArguments& arguments) {
  const Resources resources = machine_resources();
  const lab::MatchSpec spec{.a = usage_value(agent_argument(arguments.a, resources)),
                            .b = usage_value(agent_argument(arguments.b, resources)),
                            .games = arguments.games,
                            .seed = arguments.lab.seed,
                            .opening_plies = arguments.openings,
                            .move_limit = std::chrono::duration_cast<std::chrono::milliseconds>(
                                usage_value(parse_duration(arguments.limit)))};
  if (const auto checked = lab::check_match(spec); !checked) fail_usage(checked.error());
  const auto claims = parse_claims(arguments.sprt);
  LabSession session(arguments.lab);
  if (arguments.fresh) {
    if (const auto forgotten = session.archive().forget(spec); !forgotten) fail(forgotten.error());
  }
  lab::RunOptions options = session.run_options();
  options.sprt = claims;
  const auto result = lab::run_match(spec, options);
  if (!result) fail(result.error());
  if (!result->complete) {
    session.end_stopped(
        fmt::format("stopped after {} of {} games", result->tally.all().games(), spec.games));
  }
  if (result->played == 0) {
    fmt::print(stderr, "All games were in the database already; --fresh plays them anew.\n");
  }
  std::optional<BothQualities> quality;
  if (arguments.judged > 0) quality = judge(session, spec, arguments.judged);
  if (arguments.json) {
    nlohmann::ordered_json json = lab::match_json(spec, result->tally, claims);
    if (quality) {
      json["a_quality"] = lab::quality_json(quality->a);
      json["b_quality"] = lab::quality_json(quality->b);
    }
    fmt::print("{}\n", json.dump());
  } else {
    print_match(spec, *result, claims);
    if (quality) {
      print_quality("A", quality->a);
      print_quality("B", quality->b);
    }
  }
  LabSession::leave_hanging_threads(result->given_up_threads);
}

}  // namespace

void add_match_command(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("match", "Two agents play many games: who is stronger, and how sure");
  auto arguments = std::make_shared<MatchArguments>();
  command->add_option("a", arguments->a, "One agent; rowbot agents lists them")->required();
  command->add_option("b", arguments->b, "The other")->required();
  command->add_option("--games", arguments->games, "How many games, colours swapped")
      ->check(CLI::Range(1, 100'000'000))
      ->capture_default_str();
  command
      ->add_option("--openings", arguments->openings,
                   "Begin with so many random moves, the same in both games of a pair")
      ->check(CLI::Range(0, 12));
  command->add_option("--limit", arguments->limit, "A move that takes longer loses the game")
      ->capture_default_str();
  command->add_option("--sprt", arguments->sprt, "Stop when A is known to be ELO0 or ELO1 stronger")
      ->type_name("ELO0,ELO1");
  command->add_option("--judge", arguments->judged,
                      "Judge the moves of so many games by the solver");
  command->add_flag("--fresh", arguments->fresh, "Forget the stored games of this match first");
  command->add_flag("--json", arguments->json, "Print one object");
  add_play_options(*command, arguments->lab);
  command->callback([arguments] { run_match_command(*arguments); });
}

}  // namespace rowbot::app
