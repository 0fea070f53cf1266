// Who beats whom: the two figures of Dublin 2020, and all agents on one scale.

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <span>

#include "fmt/core.h"
#include "lab/experiments/experiment.h"
#include "lab/matches/tournament.h"

namespace rowbot::lab {
namespace {

using roster::operator""_agent;

struct Contestant {
  std::string_view name;  // as Dublin 2020 writes it
  std::string_view text;
};

/// What a figure says about row (first) against column (second), in per cent of games.
struct PaperCell {
  int first_wins = 0;
  std::optional<int> second_wins;
};

/// What the fields of a matrix come to, beside the paper's.
struct MatrixSums {
  explicit MatrixSums(std::size_t rows) : spent(rows), played(rows) {}

  std::vector<Effort> spent;  // of each row's agent, moving first or second
  std::vector<double> played;
  std::size_t near = 0;
  std::size_t near_exchanged = 0;  // if the published numbers were the second player's wins
  std::size_t opposite = 0;

  void add_effort(std::size_t who, const Effort& one, std::uint64_t games) {
    spent[who].moves += one.moves;
    spent[who].thinking += one.thinking;
    played[who] += static_cast<double>(games);
  }
  void compare(const WinDrawLoss& all, const PaperCell& paper) {
    const auto n = static_cast<double>(all.games());
    const double won = 100 * static_cast<double>(all.wins) / n;
    const double lost = 100 * static_cast<double>(all.losses) / n;
    const auto is_near = [&paper](double x) { return std::abs(x - paper.first_wins) <= 20; };
    near += is_near(won) ? 1U : 0U;  // one game of the published five
    near_exchanged += is_near(lost) ? 1U : 0U;
    opposite += (won > 50) != (paper.first_wins > 50) ? 1U : 0U;
  }
};

Table effort_table(std::span<const Contestant> rows, const MatrixSums& sums) {
  Table effort{.caption = "What the games took, moving first or second",
               .header = {"agent", "moves a game", "ms a move"}};
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const auto moves = static_cast<double>(sums.spent[r].moves);
    const auto us = static_cast<double>(sums.spent[r].thinking.count());
    effort.rows.push_back({std::string(rows[r].name), fmt::format("{:.1f}", moves / sums.played[r]),
                           fmt::format("{:.3g}", us / std::max(1.0, moves) / 1000)});
  }
  return effort;
}

/// All but the matrix itself and its chart.
Report matrix_report(std::span<const Contestant> rows, std::size_t columns, std::uint64_t games,
                     const MatrixSums& sums) {
  Report report;
  report.findings.push_back(fmt::format(
      "{} of {} fields lie within one game of five of Dublin 2020's; {} are on the other side of a "
      "half. Read as wins of the second player, {} of its numbers would lie as near. Five "
      "games tell little: 3 of 5 won is anything from 23 to 88 %.",
      sums.near, rows.size() * columns, sums.opposite, sums.near_exchanged));
  report.tables.push_back(effort_table(rows, sums));
  report.differences = {
      fmt::format("{} games a field instead of five.", games),
      "Minimax and expectimax choose the leftmost of equal moves and so play the same game again "
      "and again against each other; their fields are 0, 100 or a draw by nature.",
      "The time-outs of MCTS are left out: 5,000 and 10,000 simulations take a fraction of them "
      "here, so its settings differ by simulations only.",
      "Expectimax is what the listing of Dublin 2020 computes (expectimax-dublin)."};
  report.setting.emplace_back("games", fmt::format("{} a field", games));
  for (const Contestant& row : rows) {
    report.setting.emplace_back(std::string(row.name), std::string(row.text));
  }
  return report;
}

/// Plays every row as first player against every column as second.
Result<Report> play_matrix(Workbench& bench, std::span<const Contestant> rows,
                           std::span<const Contestant> columns, std::span<const PaperCell> paper) {
  const std::uint64_t games = bench.scaled(40);
  Table table{
      .caption = "Games won by the row, moving first, in % (that of Dublin 2020 in brackets)",
      .header = {"first \\ second"}};
  for (const Contestant& column : columns) table.header.emplace_back(column.name);
  MatrixSums sums(rows.size());
  Series ours{.name = "won as first player, all opponents"};
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::vector<Cell> line{std::string(rows[r].name)};
    WinDrawLoss row;
    double paper_sum = 0;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      bench.say(fmt::format("{} of {}: {} against {}", r * columns.size() + c + 1,
                            rows.size() * columns.size(), rows[r].name, columns[c].name));
      const auto tally = bench.play({.a = roster::AgentSpec::known(rows[r].text),
                                     .b = roster::AgentSpec::known(columns[c].text),
                                     .games = games,
                                     .colours = Colours::kAFirst});
      if (!tally) return tally.error();
      const WinDrawLoss all = tally->all();
      const PaperCell& said = paper[r * columns.size() + c];
      const auto n = static_cast<double>(all.games());
      line.emplace_back(
          fmt::format("{:.0f} [{}]", 100 * static_cast<double>(all.wins) / n, said.first_wins),
          all.points() / n);
      sums.compare(all, said);
      row += all;
      paper_sum += said.first_wins;
      sums.add_effort(r, tally->effort[0], all.games());
      const auto same = std::ranges::find(rows, columns[c].text, &Contestant::text);
      if (same != rows.end()) {
        sums.add_effort(static_cast<std::size_t>(same - rows.begin()), tally->effort[1],
                        all.games());
      }
    }
    table.rows.push_back(std::move(line));
    ours.points.push_back(share_point(std::string(rows[r].name), static_cast<double>(row.wins),
                                      static_cast<double>(row.games()),
                                      paper_sum / static_cast<double>(columns.size())));
  }
  Report report = matrix_report(rows, columns.size(), games, sums);
  report.charts.push_back(share_chart("Games won as first player against all of the table", "",
                                      "games won, %", Chart::Kind::kBars, {std::move(ours)}));
  report.tables.insert(report.tables.begin(), std::move(table));
  return report;
}

/// Who took how many points of whom, the strongest on top and on the left.
Table points_matrix(const std::vector<Standing>& standings, const std::vector<std::size_t>& order,
                    const std::vector<Pairing>& pairs, const std::vector<MatchTally>& tallies) {
  Table matrix{.caption = "Points of the row against the column, % (both colours)",
               .header = {"", "Elo", "+-"}};
  for (std::size_t i = 0; i < order.size(); ++i) matrix.header.push_back(std::to_string(i + 1));
  std::vector<std::vector<Cell>> points(order.size(), std::vector<Cell>(order.size()));
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const WinDrawLoss all = tallies[k].all();
    const double share = all.points() / static_cast<double>(all.games());
    points[pairs[k].a][pairs[k].b] = {fmt::format("{:.0f}", 100 * share), share};
    points[pairs[k].b][pairs[k].a] = {fmt::format("{:.0f}", 100 * (1 - share)), 1 - share};
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Standing& one = standings[order[i]];
    std::vector<Cell> row{fmt::format("{} {}", i + 1, one.agent.text()),
                          fmt::format("{:+.0f}", one.elo.value),
                          fmt::format("{:.0f}", one.elo.error)};
    for (const std::size_t other : order) row.push_back(points[order[i]][other]);
    matrix.rows.push_back(std::move(row));
  }
  return matrix;
}

}  // namespace

Result<Report> dublin_figure_4(Workbench& bench) {
  constexpr std::array<Contestant, 7> kAgents{{{"Random", "random"},
                                               {"Forward checking", "forward"},
                                               {"Minimax 3", "minimax:depth=3"},
                                               {"Minimax 4", "minimax:depth=4"},
                                               {"Expectimax 3", "expectimax-dublin:depth=3"},
                                               {"Expectimax 4", "expectimax-dublin:depth=4"},
                                               {"MCTS 5k", "mcts:preset=dublin,sims=5000"}}};
  constexpr std::array<PaperCell, 49> kPaper{
      {{60, 40}, {0, 100}, {0, 100}, {0, 100}, {0, 100}, {0, 100}, {0, 100},  //
       {80, 20}, {20, 80}, {0, 100}, {0, 100}, {20, 80}, {20, 40}, {0, 100},  //
       {100, 0}, {100, 0}, {100, 0}, {100, 0}, {100, 0}, {100, 0}, {60, 40},  //
       {100, 0}, {100, 0}, {0, 100}, {100, 0}, {100, 0}, {100, 0}, {40, 60},  //
       {100, 0}, {20, 80}, {0, 100}, {0, 100}, {100, 0}, {100, 0}, {40, 60},  //
       {100, 0}, {60, 40}, {0, 100}, {0, 100}, {100, 0}, {100, 0}, {60, 40},  //
       {100, 0}, {100, 0}, {0, 100}, {20, 80}, {40, 60}, {20, 80}, {100, 0}}};
  auto report = play_matrix(bench, kAgents, kAgents, kPaper);
  if (report) {
    report->paper_says =
        "Random and forward checking hardly ever win against the three that search; minimax of "
        "depth 3, moving first, lost games to MCTS only. Five games a field.";
  }
  return report;
}

Result<Report> dublin_figure_5(Workbench& bench) {
  constexpr std::array<Contestant, 7> kRows{{{"Minimax 5", "minimax:depth=5"},
                                             {"Minimax 6", "minimax:depth=6"},
                                             {"Expectimax 5", "expectimax-dublin:depth=5"},
                                             {"Expectimax 6", "expectimax-dublin:depth=6"},
                                             {"MCTS 10k, 3 s", "mcts:preset=dublin,sims=10000"},
                                             {"MCTS 10k, 2 s", "mcts:preset=dublin,sims=10000"},
                                             {"MCTS 5k, 3 s", "mcts:preset=dublin,sims=5000"}}};
  // Dublin 2020 orders its columns 10k/3s, 5k/3s, 10k/2s and its rows 10k/3s, 10k/2s, 5k/3s.
  constexpr std::array<Contestant, 7> kColumns{
      {kRows[0], kRows[1], kRows[2], kRows[3], kRows[4], kRows[6], kRows[5]}};
  constexpr std::array<PaperCell, 49> kPaper{{{0},   {100}, {0},   {0},   {40}, {20}, {20},  //
                                              {0},   {100}, {0},   {0},   {20}, {20}, {0},   //
                                              {100}, {100}, {100}, {100}, {40}, {60}, {20},  //
                                              {100}, {100}, {100}, {100}, {60}, {60}, {20},  //
                                              {80},  {80},  {40},  {20},  {60}, {40}, {40},  //
                                              {80},  {80},  {40},  {20},  {60}, {60}, {40},  //
                                              {100}, {100}, {40},  {60},  {40}, {60}, {20}}};
  auto report = play_matrix(bench, kRows, kColumns, kPaper);
  if (report) {
    report->paper_says =
        "The text calls minimax of depth 6 the best of all, by its number of wins; the table "
        "beside it shows minimax losing most of its games. Five games a field.";
  }
  return report;
}

Result<Report> all_agents(Workbench& bench) {
  const TournamentSpec spec{
      .agents = {"random"_agent, "forward"_agent, "rhodes"_agent, "minimax:depth=4"_agent,
                 "minimax:depth=6"_agent, "expectimax:depth=4"_agent,
                 "expectimax-dublin:depth=4"_agent, "mcs:sims=2000"_agent, "mcs:sims=40000"_agent,
                 "mcts:preset=boehm"_agent, "mcts:preset=dublin,sims=5000"_agent,
                 "mcts:preset=carlo,sims=21000"_agent, "mcts:sims=1000"_agent,
                 "mcts:sims=20000"_agent, "mcts:preset=hybrid,sims=5000"_agent,
                 "perfect:error=0.1"_agent},
      .games = bench.scaled(100),
      .opening_plies = 2};
  const std::vector<Pairing> pairs = pairings(spec);
  std::vector<MatchTally> tallies;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    bench.say(fmt::format("{} of {}: {} against {}", i + 1, pairs.size(), pairs[i].match.a.text(),
                          pairs[i].match.b.text()));
    auto tally = bench.play(pairs[i].match);
    if (!tally) return tally.error();
    tallies.push_back(*tally);
  }
  const std::vector<Standing> standings = standings_of(spec.agents, pairs, tallies);
  std::vector<std::size_t> order(spec.agents.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, std::greater{}, [&](std::size_t i) { return standings[i].elo.value; });
  Series series{.name = "Elo"};
  for (const std::size_t i : order) {
    const Elo& elo = standings[i].elo;
    series.points.push_back({.label = standings[i].agent.text(),
                             .y = elo.value,
                             .low = elo.value - elo.error,
                             .high = elo.value + elo.error});
  }
  Report report;
  report.paper_says =
      "Dublin 2020 leaves the comparison of all agents as a gap; no paper has one scale.";
  report.findings.push_back(
      fmt::format("{} is the strongest of these, {} the weakest; {:.0f} Elo lie between them.",
                  series.points.front().label, series.points.back().label,
                  series.points.front().y - series.points.back().y));
  report.charts.push_back({.title = "Strength of all agents",
                           .x_title = "agent",
                           .y_title = "Elo, 95 % intervals, mean 0",
                           .kind = Chart::Kind::kRanking,
                           .series = {std::move(series)}});
  report.tables.push_back(points_matrix(standings, order, pairs, tallies));
  report.differences = {
      "Openings of two random plies, each played with both colours, so that agents without "
      "randomness do not repeat one game.",
      "Budgets are simulations and plies, not time: the scale is of algorithms, not of this "
      "machine."};
  report.setting.emplace_back("games", fmt::format("{} a pair", spec.games));
  return report;
}

}  // namespace rowbot::lab
