#include "lab/experiments/experiment.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <unistd.h>
#include <utility>

#include "base/rng.h"
#include "base/text.h"
#include "engine/solver/book.h"
#include "fmt/core.h"
#include "lab/matches/interval.h"

namespace rowbot::lab {
namespace {

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  std::string row;
  while (std::getline(file, row)) {
    if (row.starts_with("model name")) {
      return std::string(trimmed(std::string_view(row).substr(row.find(':') + 1)));
    }
  }
  return "unknown processor";
}

/// Adds what the board was worth to the first player before each move.
void add_values(Workbench::Qualities& found, const std::vector<JudgedMove>& moves) {
  for (const JudgedMove& move : moves) {
    const auto ply = static_cast<std::size_t>(move.ply);
    const bool first_to_move = move.ply % 2 == 0;
    const int value = first_to_move ? move.best : -move.best;
    ++found.games_at_ply.at(ply);
    found.first_wins_at_ply.at(ply) += value > 0 ? 1U : 0U;
    found.first_draws_at_ply.at(ply) += value == 0 ? 1U : 0U;
  }
}

constexpr std::array kExperiments{
    Experiment{"carlo-7.1", "MCTS against MCS, by thinking time and first mover",
               "Carlo 2020, Table 4.1 and Figure 7.1", carlo_win_rates},
    Experiment{"carlo-7.1-time",
               "MCTS against MCS in the milliseconds of Carlo 2020 on this machine",
               "Carlo 2020, Table 4.1 and Figure 7.1", carlo_win_rates_by_time},
    Experiment{"carlo-7.2", "Simulations per second of MCS and MCTS", "Carlo 2020, Figure 7.2",
               carlo_speeds},
    Experiment{"first-move", "Who profits from moving first?",
               "Carlo 2020, open question of sections 7.1 and 8", first_move},
    Experiment{"never-lose", "How much thinking until MCTS never loses?",
               "Carlo 2020, open question of chapter 8", never_lose},
    Experiment{"rhodes", "Five games against the player of 1993", "Rhodes 1993, section 6",
               rhodes_games},
    Experiment{"boehm-5.1", "Q-learning against random", "Boehm 2016, section 5.1 and Figure 5.1",
               boehm_learning_random},
    Experiment{"boehm-5.2", "MCTS with 20 playouts against random", "Boehm 2016, section 5.2",
               boehm_against_random},
    Experiment{"boehm-5.3", "Q-learning against a weak MCTS",
               "Boehm 2016, section 5.3 and Figure 5.2", boehm_learning_weak_mcts},
    Experiment{"boehm-5.4", "Q-learning against three strengths of MCTS",
               "Boehm 2016, section 5.4 and Figure 5.3", boehm_learning_mcts},
    Experiment{"dublin-4", "Seven agents, everybody first against everybody second",
               "Dublin 2020, Figure 4", dublin_figure_4},
    Experiment{"dublin-5", "Deeper minimax and expectimax, longer MCTS", "Dublin 2020, Figure 5",
               dublin_figure_5},
    Experiment{"all-agents", "All agents of all papers on one scale",
               "Dublin 2020, the comparison it left open", all_agents},
    Experiment{"sprt", "Does the sequential test err as rarely as it says?", "this laboratory",
               sprt_calibration},
};

}  // namespace

std::uint64_t Workbench::scaled(std::uint64_t games) const {
  const double wanted = std::round(static_cast<double>(games) * options_.scale);
  const auto whole = static_cast<std::uint64_t>(std::max(2.0, wanted));
  return whole + whole % 2;
}

MatchSpec Workbench::own(MatchSpec spec) const {
  spec.seed = options_.seed;
  spec.group = options_.experiment;
  return spec;
}

void Workbench::say(const std::string& text) const {
  if (options_.say) options_.say(text);
}

Result<MatchTally> Workbench::play(MatchSpec spec) {
  if (options_.play_match) return options_.play_match(own(std::move(spec)));
  const auto result = run_match(own(std::move(spec)), options_.run);
  if (!result) return result.error();
  if (!result->complete) return Error{"the experiment was stopped; --resume goes on"};
  return result->tally;
}

Result<MatchResult> Workbench::test_match(MatchSpec spec, std::uint64_t variant,
                                          const SprtClaims& claims) const {
  spec.seed = mix_seed(options_.seed) + variant;
  auto result =
      run_match(spec, {.resources = resources(), .sprt = claims, .stop = options_.run.stop});
  if (result && !result->complete) return Error{"the experiment was stopped"};
  return result;
}

Result<Workbench::Qualities> Workbench::judge(MatchSpec spec, std::uint64_t games) {
  spec = own(std::move(spec));
  spec.games = std::min(spec.games, games);
  Qualities found{.games_at_ply = std::vector<std::uint64_t>(game::kCells),
                  .first_wins_at_ply = std::vector<std::uint64_t>(game::kCells),
                  .first_draws_at_ply = std::vector<std::uint64_t>(game::kCells)};
  if (options_.run.archive == nullptr) return Error{"without a database there is nothing to judge"};
  solver::Solver solver({.table_mb = solver::table_mb(resources()),
                         .threads = resources().threads,
                         .book = &solver::Book::built_in()});
  const auto loaded = options_.run.archive->load(spec, [&](const PlayedGame& game) {
    if (stopped()) return;
    const auto moves = judge_game(solver, spec, game, options_.run.stop);
    if (!moves) return;
    add_game(found.a, *moves, Role::kA);
    add_game(found.b, *moves, Role::kB);
    add_values(found, *moves);
  });
  if (!loaded) return loaded.error();
  if (stopped()) return Error{"the experiment was stopped; --resume goes on"};
  return found;
}

std::vector<std::pair<std::string, std::string>> Workbench::setting() const {
  return {
      {"machine", fmt::format("{}, {} cores", processor_name(), ::sysconf(_SC_NPROCESSORS_ONLN))},
      {"games at a time", std::to_string(resources().threads)},
      {"seed", std::to_string(options_.seed)},
      {"scale", fmt::format("{:g}", options_.scale)}};
}

std::span<const Experiment> experiments() { return kExperiments; }

Result<const Experiment*> find_experiment(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Experiment& experiment : experiments()) {
    if (experiment.name == name) return &experiment;
    names.push_back(experiment.name);
  }
  const auto meant = nearest(name, names);
  return Error{fmt::format("there is no experiment {}{} See rowbot experiment list",
                           in_quotes(name),
                           meant ? fmt::format("; did you mean '{}'?", *meant) : ".")};
}

Result<Report> run_experiment(const Experiment& experiment, Workbench& bench) {
  auto report = experiment.run(bench);
  if (!report) return report;
  report->name = experiment.name;
  report->title = experiment.title;
  report->source = experiment.source;
  auto setting = bench.setting();
  setting.insert(setting.end(), report->setting.begin(), report->setting.end());
  report->setting = std::move(setting);
  return report;
}

roster::AgentSpec known(std::string_view text, int number) {
  return roster::AgentSpec::known(fmt::format(fmt::runtime(text), number));
}

std::vector<Cell> count_cells(const WinDrawLoss& all) {
  return {std::to_string(all.wins), std::to_string(all.draws), std::to_string(all.losses)};
}

Chart share_chart(std::string title, std::string x_title, std::string y_title, Chart::Kind kind,
                  std::vector<Series> series) {
  return {.title = std::move(title),
          .x_title = std::move(x_title),
          .y_title = std::move(y_title),
          .kind = kind,
          .series = std::move(series),
          .y_low = 0,
          .y_high = 100};
}

std::string share_text(double successes, double trials) {
  const Interval interval = wilson(successes, trials);
  return fmt::format("{:.1f} % ({:.1f} to {:.1f})", 100 * successes / std::max(trials, 1.0),
                     100 * interval.low, 100 * interval.high);
}

Point share_point(std::string label, double successes, double trials, std::optional<double> paper) {
  const Interval interval = wilson(successes, trials);
  return {.label = std::move(label),
          .y = 100 * successes / std::max(trials, 1.0),
          .low = 100 * interval.low,
          .high = 100 * interval.high,
          .paper = paper};
}

}  // namespace rowbot::lab
