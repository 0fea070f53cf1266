// Boehm 2016, Q-learning, sections 5.1, 5.3 and 5.4: learning curves of several
// learners, each trained a number of times.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/parallel.h"
#include "base/stop.h"
#include "engine/learn/experiments.h"
#include "engine/learn/trainer.h"
#include "engine/roster/agent_spec.h"
#include "fmt/format.h"
#include "lab/experiments/experiment.h"

namespace rowbot::lab {
namespace {

constexpr std::size_t kCurvePoints = 25;

/// One learner trained once.
struct LearningRun {
  std::size_t which;  ///< of the cases
  std::uint64_t seed;
  std::vector<double> curve;
  double all = 0;
  double last_tenth = 0;
  std::size_t states = 0;
  std::optional<Error> error;
};

void train_one(LearningRun& run, const learn::LearningCase& what, std::uint64_t episodes,
               const Workbench& bench) {
  auto opponent = roster::make_agent(what.opponent, bench.resources());
  if (!opponent) {
    run.error = opponent.error();
    return;
  }
  learn::Experience experience;
  StopSource stop;
  const auto report = learn::train(
      experience, **opponent, {.learner = what.learner, .episodes = episodes, .seed = run.seed},
      [&](const learn::TrainingReport&) {
        if (bench.stopped()) stop.request_stop();
      },
      stop.get_token());
  if (!report) {
    run.error = report.error();
    return;
  }
  if (report->stopped) run.error = Error{"the experiment was stopped"};
  run.curve = learn::learning_curve(experience.outcomes(), kCurvePoints);
  run.all = experience.win_rate(episodes);
  run.last_tenth = experience.win_rate(std::max<std::uint64_t>(1, episodes / 10));
  run.states = experience.table().size();
}

/// All runs, as many at a time as the bench has threads.
void train_every(std::vector<LearningRun>& runs, const learn::LearningExperiment& experiment,
                 std::uint64_t episodes, const Workbench& bench) {
  std::atomic<std::size_t> next = 0;
  run_parallel(static_cast<std::size_t>(bench.resources().threads), [&](std::size_t) {
    for (std::size_t i = next++; i < runs.size() && !bench.stopped(); i = next++) {
      train_one(runs[i], experiment.cases[runs[i].which], episodes, bench);
    }
  });
}

struct MeanAndSpread {
  double mean = 0;
  double low = 0;
  double high = 0;
};

template <class Value>
MeanAndSpread over_runs(const std::vector<LearningRun>& runs, std::size_t which, Value value) {
  MeanAndSpread found{.low = 1e9, .high = -1e9};
  double count = 0;
  for (const LearningRun& run : runs) {
    if (run.which != which) continue;
    const double x = 100 * value(run);
    found.mean += x;
    found.low = std::min(found.low, x);
    found.high = std::max(found.high, x);
    ++count;
  }
  found.mean /= std::max(1.0, count);
  return found;
}

std::string spread_text(const MeanAndSpread& found, bool repeated) {
  return repeated ? fmt::format("{:.2f} % ({:.2f} to {:.2f})", found.mean, found.low, found.high)
                  : fmt::format("{:.2f} %", found.mean);
}

/// Shares of parts of equal length, as shares of all up to there.
std::vector<double> so_far(std::vector<double> parts) {
  double sum = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    sum += parts[i];
    parts[i] = sum / static_cast<double>(i + 1);
  }
  return parts;
}

/// One curve for each case; `curve` of a run is what is drawn.
template <class Curve>
Chart curves_of(const learn::LearningExperiment& experiment, const std::vector<LearningRun>& runs,
                std::uint64_t episodes, Curve curve) {
  const bool by_opponent = experiment.cases.front().name == experiment.cases.back().name;
  Chart chart{.x_title = "episodes", .y_title = "games won, %", .kind = Chart::Kind::kLines};
  for (std::size_t which = 0; which < experiment.cases.size(); ++which) {
    const learn::LearningCase& one = experiment.cases[which];
    Series series{.name = by_opponent ? one.opponent_name : one.name};
    for (std::size_t i = 0; i < std::min<std::size_t>(kCurvePoints, episodes); ++i) {
      const auto at =
          over_runs(runs, which, [&](const LearningRun& run) { return curve(run).at(i); });
      const std::uint64_t until = episodes * (i + 1) / kCurvePoints;
      Point point{.label = fmt::format("{:g}k", static_cast<double>(until) / 1000), .y = at.mean};
      if (experiment.repetitions > 1) {
        point.low = at.low;
        point.high = at.high;
      }
      series.points.push_back(std::move(point));
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

void add_charts(Report& report, const learn::LearningExperiment& experiment,
                const std::vector<LearningRun>& runs, std::uint64_t episodes) {
  Chart all = curves_of(experiment, runs, episodes,
                        [](const LearningRun& run) { return so_far(run.curve); });
  all.title = experiment.title + ": all episodes so far";
  for (std::size_t which = 0; which < experiment.cases.size(); ++which) {
    const auto& paper = experiment.cases[which].paper_win_rate;
    if (paper) all.series[which].points.back().paper = 100 * *paper;
  }
  Chart lately =
      curves_of(experiment, runs, episodes, [](const LearningRun& run) { return run.curve; });
  lately.title = fmt::format("{}: the last {} episodes", experiment.title, episodes / kCurvePoints);
  report.charts = {std::move(all), std::move(lately)};
}

Report written_down(const learn::LearningExperiment& experiment,
                    const std::vector<LearningRun>& runs, std::uint64_t episodes) {
  const bool repeated = experiment.repetitions > 1;
  Report report;
  Table table{.caption = fmt::format("Win rates after {} episodes", episodes),
              .header = {"learner", "opponent", "all episodes", "last tenth", "states", "paper"}};
  struct Ranked {
    double all;
    std::string text;
  };
  std::vector<Ranked> ranking;
  for (std::size_t which = 0; which < experiment.cases.size(); ++which) {
    const learn::LearningCase& one = experiment.cases[which];
    const auto all = over_runs(runs, which, [](const LearningRun& r) { return r.all; });
    const auto last = over_runs(runs, which, [](const LearningRun& r) { return r.last_tenth; });
    const auto states = over_runs(
        runs, which, [](const LearningRun& r) { return static_cast<double>(r.states) / 100; });
    table.rows.push_back({one.name,
                          one.opponent_name,
                          {spread_text(all, repeated), all.mean / 100},
                          {spread_text(last, repeated), last.mean / 100},
                          fmt::format("{:.0f}", states.mean),
                          one.paper});
    ranking.push_back(
        {all.mean,
         fmt::format("{} against {} wins {} of all episodes and {} of the last tenth.", one.name,
                     one.opponent_name, spread_text(all, repeated), spread_text(last, repeated))});
  }
  const auto [worst, best] =
      std::minmax_element(ranking.begin(), ranking.end(),
                          [](const Ranked& a, const Ranked& b) { return a.all < b.all; });
  report.findings = {"Most: " + best->text, "Fewest: " + worst->text};
  report.paper_says = experiment.paper_says;
  add_charts(report, experiment, runs, episodes);
  report.tables.push_back(std::move(table));
  report.differences = {
      "The learner always moves first, in the centre; Boehm 2016 does not say who began.",
      "Boehm 2016 does not say over which episodes its win rate is taken; all of them fit its "
      "numbers best. In brackets and as a band: the lowest and highest of the repetitions.",
      "The last update of a game takes 0 for what follows the end; its Algorithm 2 is not "
      "clear there (docs/learning.md)."};
  std::vector<std::string> opponents;
  for (const auto& one : experiment.cases) {
    if (std::ranges::find(opponents, one.opponent) == opponents.end()) {
      opponents.push_back(one.opponent);
    }
  }
  report.setting.emplace_back("opponent", fmt::format("{}", fmt::join(opponents, "; ")));
  report.setting.emplace_back("episodes", std::to_string(episodes));
  report.setting.emplace_back("repetitions", std::to_string(experiment.repetitions));
  return report;
}

Result<Report> learning_report(Workbench& bench, std::size_t number) {
  const auto experiments = learn::boehm_experiments();
  const learn::LearningExperiment& experiment = experiments.at(number);
  const std::uint64_t episodes =
      std::max<std::uint64_t>(kCurvePoints, bench.scaled(experiment.episodes));
  std::vector<LearningRun> runs;
  for (int repetition = 0; repetition < experiment.repetitions; ++repetition) {
    for (std::size_t which = 0; which < experiment.cases.size(); ++which) {
      // Each training has luck of its own, or learners that decide alike would be the same.
      runs.push_back({.which = which, .seed = bench.seed() * 1000 + runs.size()});
    }
  }
  bench.say(fmt::format("{} trainings of {} episodes", runs.size(), episodes));
  train_every(runs, experiment, episodes, bench);
  if (bench.stopped()) return Error{"the experiment was stopped"};
  for (const LearningRun& run : runs) {
    if (run.error) return *run.error;
  }
  return written_down(experiment, runs, episodes);
}

}  // namespace

Result<Report> boehm_learning_random(Workbench& bench) { return learning_report(bench, 0); }
Result<Report> boehm_learning_weak_mcts(Workbench& bench) { return learning_report(bench, 1); }
Result<Report> boehm_learning_mcts(Workbench& bench) { return learning_report(bench, 2); }

}  // namespace rowbot::lab
