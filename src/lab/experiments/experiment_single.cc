// Experiments of one match or a few: Boehm 2016 section 5.2, the games of Rhodes 1993, and the
// calibration of our own sequential test.

#include <array>
#include <cmath>

#include "fmt/core.h"
#include "lab/experiments/experiment.h"
#include "lab/matches/interval.h"
#include "lab/matches/ledger.h"

namespace rowbot::lab {
namespace {

using roster::operator""_agent;

/// One match of an agent against itself, from the games of a long one: which verdict?
struct Calibration {
  std::uint64_t matches = 0;
  std::uint64_t accepted_h1 = 0;
  std::uint64_t undecided = 0;
};

}  // namespace

Result<Report> boehm_against_random(Workbench& bench) {
  const std::uint64_t games = bench.scaled(150'000);
  Report report;
  Series series{.name = "games won"};
  Table table{.caption = "mcts:preset=boehm with N playouts a move against random",
              .header = {"playouts", "games", "won", "drawn", "lost", "win rate", "paper"}};
  for (const int playouts : {5, 10, 20, 50, 100, 140}) {
    bench.say(fmt::format("{} playouts", playouts));
    const std::uint64_t here = playouts == 20 ? games : std::max<std::uint64_t>(games / 10, 2);
    const auto tally = bench.play(
        {.a = known("mcts:preset=boehm,sims={}", playouts), .b = "random"_agent, .games = here});
    if (!tally) return tally.error();
    const WinDrawLoss all = tally->all();
    const auto wins = static_cast<double>(all.wins);
    const auto n = static_cast<double>(all.games());
    const bool papers = playouts == 20;
    series.points.push_back(share_point(std::to_string(playouts), wins, n,
                                        papers ? std::optional(99.98) : std::nullopt));
    const Interval interval = wilson(wins, n);
    table.rows.push_back({std::to_string(playouts), std::to_string(all.games()),
                          std::to_string(all.wins), std::to_string(all.draws),
                          std::to_string(all.losses),
                          fmt::format("{:.3f} % ({:.3f} to {:.3f})", 100 * wins / n,
                                      100 * interval.low, 100 * interval.high),
                          papers ? "99.98 %" : ""});
    if (!papers) continue;
    const bool agrees = interval.low <= 0.9998 && 0.9998 <= interval.high;
    report.findings.push_back(fmt::format(
        "With 20 playouts a move MCTS wins {:.3f} % ({:.3f} to {:.3f}) of {} games against random. "
        "The 99.98 % of Boehm 2016 {} this interval.",
        100 * wins / n, 100 * interval.low, 100 * interval.high, all.games(),
        agrees ? "lies in" : "lies outside"));
  }
  const double lowest = series.points.front().low.value_or(90);
  report.paper_says =
      "20 playouts a move are enough: in three runs of 50,000 games against the random agent the "
      "mean win rate was 99.98 %.";
  report.charts.push_back(share_chart("MCTS against random", "playouts a move", "games won, %",
                                      Chart::Kind::kLines, {std::move(series)}));
  report.charts.back().y_low = 10 * std::floor(lowest / 10);
  report.tables.push_back(std::move(table));
  report.differences = {
      "One run of three times the games, half of them begun by each; Boehm 2016 does not say who "
      "began.",
      "Other numbers of playouts, with a tenth of the games, to show where 20 stands. 140 are 20 "
      "for each of seven moves, which come near its 99.98 % (docs/learning.md)."};
  report.setting.emplace_back("games", std::to_string(games));
  return report;
}

Result<Report> rhodes_games(Workbench& bench) {
  const std::uint64_t games = bench.scaled(100);
  constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kOpponents{
      {{"random", "random"},
       {"beginner 1", "mcts:level=beginner-1"},
       {"beginner 2", "mcts:level=beginner-2"},
       {"beginner 3", "mcts:level=beginner-3"},
       {"one move ahead", "forward"},
       {"Pi, easy", "mcts:level=pi-easy"},
       {"Pi, moderate", "mcts:level=pi-moderate"}}};
  Series series{.name = "games won by the player of 1993"};
  Table table{.caption = "rhodes (six plies, the evaluation of 1993) against opponents of our own",
              .header = {"opponent", "won", "drawn", "lost", "win rate"}};
  for (const auto& [name, text] : kOpponents) {
    bench.say(std::string(name));
    const auto tally = bench.play(
        {.a = "rhodes:ties=random"_agent, .b = roster::AgentSpec::known(text), .games = games});
    if (!tally) return tally.error();
    const WinDrawLoss all = tally->all();
    const auto wins = static_cast<double>(all.wins);
    const auto n = static_cast<double>(all.games());
    series.points.push_back(share_point(std::string(name), wins, n, 80));
    table.rows.push_back({std::string(name),
                          std::to_string(all.wins),
                          std::to_string(all.draws),
                          std::to_string(all.losses),
                          {share_text(wins, n), wins / n}});
  }
  Report report;
  report.paper_says =
      "Of the five games played by students and counsellors, the computer and robot won four.";
  const Interval paper = wilson(4, 5);
  std::string like;
  for (const Point& point : series.points) {
    if (point.y >= 100 * paper.low && point.y <= 100 * paper.high) {
      like += (like.empty() ? "" : ", ") + point.label;
    }
  }
  report.findings.push_back(fmt::format(
      "Four of five is a win rate of anything from {:.0f} to {:.0f} %. Of our opponents these fall "
      "into that range: {}.",
      100 * paper.low, 100 * paper.high, like.empty() ? "none" : like));
  report.charts.push_back(share_chart("Win rate of the player of 1993", "opponent", "games won, %",
                                      Chart::Kind::kBars, {std::move(series)}));
  report.tables.push_back(std::move(table));
  report.differences = {
      "The people of 1993 cannot be asked again: a row of programs stands for them, from random "
      "to the levels people met on the website of Carlo 2020.",
      "Equal moves are chosen at random, so that no game is repeated; colours are swapped."};
  report.setting.emplace_back("games", fmt::format("{} for each opponent", games));
  return report;
}

Result<Report> sprt_calibration(Workbench& bench) {
  const std::uint64_t matches = bench.scaled(1000);
  constexpr std::uint64_t kMostGames = 2'000;
  const SprtClaims claims{.elo0 = 0, .elo1 = 50};
  Calibration found;
  bench.say(fmt::format("{} matches of forward against itself", matches));
  for (std::uint64_t i = 0; i < matches; ++i) {
    // Not stored: these games are about the test, not about the agents.
    const auto result = bench.test_match(
        {.a = "forward"_agent, .b = "forward"_agent, .games = kMostGames}, i, claims);
    if (!result) return result.error();
    ++found.matches;
    found.accepted_h1 += result->verdict == SprtVerdict::kAcceptH1 ? 1U : 0U;
    found.undecided += result->verdict == SprtVerdict::kUndecided ? 1U : 0U;
  }
  const auto n = static_cast<double>(found.matches);
  const auto wrong = static_cast<double>(found.accepted_h1);
  Report report;
  report.findings.push_back(
      fmt::format("In {} matches of an agent against itself the false claim 'stronger by 50 Elo' "
                  "was accepted {} "
                  "times: {}. The test promises at most 5 %.",
                  found.matches, found.accepted_h1, share_text(wrong, n)));
  report.tables.push_back(
      {.caption = "SPRT [0, 50], alpha = beta = 5 %, forward against itself",
       .header = {"matches", "H1 accepted (wrong)", "H0 accepted (right)", "undecided"},
       .rows = {{std::to_string(found.matches), std::to_string(found.accepted_h1),
                 std::to_string(found.matches - found.accepted_h1 - found.undecided),
                 std::to_string(found.undecided)}}});
  report.setting.emplace_back("games", fmt::format("up to {} a match", kMostGames));
  return report;
}

}  // namespace rowbot::lab
