// Who beats whom: the two figures of Dublin 2020, and all agents on one scale.

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>

#include "fmt/core.h"
#include "lab/experiments/experiment.h"
#include "lab/matches/tournament.h"

namespace rowbot::lab {
namespace {

struct Contestant {
  std::string_view name;  // as Dublin 2020 writes it
  std::string_view text;
};

/// What a figure says about row (first) against column (second), in per cent of games.
struct PaperCell {
  int first_wins = 0;
  std::optional<int> second_wins;
};

/// Plays every row as first player against every column as second.
Result<Report> play_matrix(Workbench& bench, std::span<const Contestant> rows,
                           std::span<const Contestant> columns, std::span<const PaperCell> paper) {
  const std::uint64_t games = bench.scaled(40);
  Table table{
      .caption = "Games won by the row, moving first, in % (the paper's number in brackets)",
      .header = {"first \\ second"}};
  for (const Contestant& column : columns) table.header.emplace_back(column.name);
  Table effort{.caption = "What the games took, moving first or second",
               .header = {"agent", "moves a game", "ms a move"}};
  std::vector<Effort> spent(rows.size());
  std::vector<double> played(rows.size());
  std::size_t near = 0;
  std::size_t near_exchanged = 0;  // if the published numbers were the second player's wins
  std::size_t opposite = 0;
  Series ours{.name = "won as first player, all opponents"};
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::vector<Cell> line{{.text = std::string(rows[r].name)}};
    double row_wins = 0;
    double row_games = 0;
    double paper_sum = 0;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      bench.say(fmt::format("{} of {}: {} against {}", r * columns.size() + c + 1,
                            rows.size() * columns.size(), rows[r].name, columns[c].name));
      const auto tally = bench.play({.a = std::string(rows[r].text),
                                     .b = std::string(columns[c].text),
                                     .games = games,
                                     .colours = Colours::kAFirst});
      if (!tally) return tally.error();
      const WinDrawLoss all = tally->all();
      const double share = static_cast<double>(all.wins) / static_cast<double>(all.games());
      const PaperCell& said = paper[r * columns.size() + c];
      line.push_back({.text = fmt::format("{:.0f} [{}]", 100 * share, said.first_wins),
                      .shade = all.points() / static_cast<double>(all.games())});
      const double distance = std::abs(100 * share - said.first_wins);
      near += distance <= 20 ? 1U : 0U;  // one game of the published five
      const double lost = 100 * static_cast<double>(all.losses) / static_cast<double>(all.games());
      near_exchanged += std::abs(lost - said.first_wins) <= 20 ? 1U : 0U;
      opposite += (share > 0.5) != (said.first_wins > 50) ? 1U : 0U;
      row_wins += static_cast<double>(all.wins);
      row_games += static_cast<double>(all.games());
      paper_sum += said.first_wins;
      const auto add = [&](std::size_t who, const Effort& one) {
        spent[who].moves += one.moves;
        spent[who].thinking += one.thinking;
        played[who] += static_cast<double>(all.games());
      };
      add(r, tally->effort[0]);
      const auto same = std::find_if(rows.begin(), rows.end(), [&](const Contestant& row) {
        return row.text == columns[c].text;
      });
      if (same != rows.end()) add(static_cast<std::size_t>(same - rows.begin()), tally->effort[1]);
    }
    table.rows.push_back(std::move(line));
    ours.points.push_back(share_point(std::string(rows[r].name), row_wins, row_games,
                                      paper_sum / static_cast<double>(columns.size())));
  }
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const auto moves = static_cast<double>(std::max<std::uint64_t>(1, spent[r].moves));
    effort.rows.push_back(
        {{.text = std::string(rows[r].name)},
         {.text = fmt::format("{:.1f}", static_cast<double>(spent[r].moves) / played[r])},
         {.text = fmt::format("{:.3g}",
                              static_cast<double>(spent[r].thinking.count()) / moves / 1000)}});
  }
  Report report;
  report.findings.push_back(fmt::format(
      "{} of {} fields lie within one game of five of the paper's; {} are on the other side of a "
      "half. Read as wins of the second player, {} of the paper's numbers would lie as near. Five "
      "games tell little: 3 of 5 won is anything from 23 to 88 %.",
      near, rows.size() * columns.size(), opposite, near_exchanged));
  report.charts.push_back({.title = "Games won as first player against all of the table",
                           .x_title = "",
                           .y_title = "games won, %",
                           .kind = Chart::Kind::kBars,
                           .series = {std::move(ours)},
                           .y_low = 0,
                           .y_high = 100});
  report.tables.push_back(std::move(table));
  report.tables.push_back(std::move(effort));
  report.differences = {
      fmt::format("{} games a field instead of five.", games),
      "Minimax and expectimax choose the leftmost of equal moves and so play the same game again "
      "and "
      "again against each other; their fields are 0, 100 or a draw by nature.",
      "The time-outs of MCTS are left out: 5,000 and 10,000 simulations take a fraction of them "
      "here, so its settings differ by simulations only.",
      "Expectimax is what the report's listing computes (expectimax-dublin)."};
  report.setting.emplace_back("games", fmt::format("{} a field", games));
  for (const Contestant& row : rows) {
    report.setting.emplace_back(std::string(row.name), std::string(row.text));
  }
  return report;
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
  // The report orders its columns 10k/3s, 5k/3s, 10k/2s and its rows 10k/3s, 10k/2s, 5k/3s.
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
        "beside "
        "it shows minimax losing most of its games. Five games a field.";
  }
  return report;
}

Result<Report> all_agents(Workbench& bench) {
  const TournamentSpec spec{
      .agents = {"random", "forward", "rhodes", "minimax:depth=4", "minimax:depth=6",
                 "expectimax:depth=4", "expectimax-dublin:depth=4", "mcs:sims=2000",
                 "mcs:sims=40000", "mcts:preset=boehm", "mcts:preset=dublin,sims=5000",
                 "mcts:preset=carlo,sims=21000", "mcts:sims=1000", "mcts:sims=20000",
                 "mcts:preset=hybrid,sims=5000", "perfect:error=0.1"},
      .games = bench.scaled(100),
      .opening_plies = 2};
  std::vector<Pairing> pairs = pairings(spec);
  std::vector<MatchTally> tallies;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    bench.say(fmt::format("{} of {}: {} against {}", i + 1, pairs.size(), pairs[i].match.a,
                          pairs[i].match.b));
    auto tally = bench.play(pairs[i].match);
    if (!tally) return tally.error();
    tallies.push_back(*tally);
  }
  const std::vector<Standing> standings = standings_of(spec.agents, pairs, tallies);
  std::vector<std::size_t> order(spec.agents.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&standings](std::size_t x, std::size_t y) {
    return standings[x].elo.value > standings[y].elo.value;
  });
  Series series{.name = "Elo"};
  Table matrix{.caption = "Points of the row against the column, % (both colours)",
               .header = {"", "Elo", "+-"}};
  for (std::size_t i = 0; i < order.size(); ++i) matrix.header.push_back(std::to_string(i + 1));
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Standing& one = standings[order[i]];
    series.points.push_back({.label = one.agent,
                             .y = one.elo.value,
                             .low = one.elo.value - one.elo.error,
                             .high = one.elo.value + one.elo.error});
    std::vector<Cell> row{{.text = fmt::format("{} {}", i + 1, one.agent)},
                          {.text = fmt::format("{:+.0f}", one.elo.value)},
                          {.text = fmt::format("{:.0f}", one.elo.error)}};
    for (const std::size_t other : order) {
      Cell cell;
      for (std::size_t k = 0; k < pairs.size(); ++k) {
        const bool forward = pairs[k].a == order[i] && pairs[k].b == other;
        const bool backward = pairs[k].b == order[i] && pairs[k].a == other;
        if (!forward && !backward) continue;
        const WinDrawLoss all = tallies[k].all();
        const double share = all.points() / static_cast<double>(all.games());
        cell.shade = forward ? share : 1 - share;
        cell.text = fmt::format("{:.0f}", 100 * *cell.shade);
      }
      row.push_back(std::move(cell));
    }
    matrix.rows.push_back(std::move(row));
  }
  Report report;
  report.paper_says =
      "The Dublin report leaves the comparison of all agents as a gap; no paper has one scale.";
  report.findings.push_back(
      fmt::format("{} is the strongest of these, {} the weakest; {:.0f} Elo lie between them.",
                  series.points.front().label, series.points.back().label,
                  series.points.front().y - series.points.back().y));
  report.charts.push_back({.title = "Strength of all agents",
                           .x_title = "agent",
                           .y_title = "Elo, 95 % intervals, mean 0",
                           .kind = Chart::Kind::kRanking,
                           .series = {std::move(series)}});
  report.tables.push_back(std::move(matrix));
  report.differences = {
      "Openings of two random plies, each played with both colours, so that agents without "
      "randomness do not repeat one game.",
      "Budgets are simulations and plies, not time: the scale is of algorithms, not of this "
      "machine."};
  report.setting.emplace_back("games", fmt::format("{} a pair", spec.games));
  return report;
}

}  // namespace rowbot::lab
