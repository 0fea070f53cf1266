// Experiments: every table and figure of the papers, made again by one call. A new one is a
// function and one line in experiment.cc.
// Thread safety: one experiment at a time; it uses threads of its own.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lab/experiments/report.h"
#include "lab/matches/match.h"
#include "lab/matches/move_quality.h"

namespace rowbot::lab {

/// What an experiment works with: how large, from which seed, on what.
class Workbench {
 public:
  struct Options {
    std::string experiment;  ///< its matches are stored under this name
    double scale = 1;        ///< of the number of games; the intervals tell the rest
    std::uint64_t seed = 1;
    RunOptions run;
    /// Plays a match elsewhere than on this machine's threads, if given.
    std::function<Result<MatchTally>(const MatchSpec&)> play_match;
    /// Told before each step: "12 of 24: mcts:... against mcs:...".
    std::function<void(const std::string&)> say;
  };

  explicit Workbench(Options options) : options_(std::move(options)) {}

  /// The paper's number of games at this scale, at least two, and even so that colours balance.
  [[nodiscard]] std::uint64_t scaled(std::uint64_t games) const;
  [[nodiscard]] double scale() const { return options_.scale; }
  [[nodiscard]] std::uint64_t seed() const { return options_.seed; }
  [[nodiscard]] const Resources& resources() const { return options_.run.resources; }

  /// Plays, or takes from the archive what was played before. An interruption is an error.
  [[nodiscard]] Result<MatchTally> play(MatchSpec spec);

  /// A match that is not stored, under a sequential test; `variant` makes its seed its own.
  [[nodiscard]] Result<MatchResult> test_match(MatchSpec spec, std::uint64_t variant,
                                               const SprtClaims& claims) const;

  struct Qualities {
    MoveQuality a;
    MoveQuality b;
    /// After so many discs: games, and in how many the first player stood to win, or to draw.
    std::vector<std::uint64_t> games_at_ply;
    std::vector<std::uint64_t> first_wins_at_ply;
    std::vector<std::uint64_t> first_draws_at_ply;
  };
  /// The first games of a match that was played, judged by the solver.
  [[nodiscard]] Result<Qualities> judge(MatchSpec spec, std::uint64_t games);

  void say(const std::string& text) const;
  [[nodiscard]] bool stopped() const { return options_.run.stop.stop_requested(); }

  /// Machine, cores, seed, scale: the first lines of every report's setting.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> setting() const;

 private:
  [[nodiscard]] MatchSpec own(MatchSpec spec) const;

  Options options_;
};

struct Experiment {
  std::string_view name;
  std::string_view title;
  std::string_view source;
  Result<Report> (*run)(Workbench& bench);
};

/// In the order of the papers.
[[nodiscard]] std::span<const Experiment> experiments();
/// An error suggests the nearest name.
[[nodiscard]] Result<const Experiment*> find_experiment(std::string_view name);

/// Runs it and fills in name, title, source and setting.
[[nodiscard]] Result<Report> run_experiment(const Experiment& experiment, Workbench& bench);

// The experiments, by paper.
[[nodiscard]] Result<Report> carlo_win_rates(Workbench& bench);
[[nodiscard]] Result<Report> carlo_win_rates_by_time(Workbench& bench);
[[nodiscard]] Result<Report> carlo_speeds(Workbench& bench);
[[nodiscard]] Result<Report> first_move(Workbench& bench);
[[nodiscard]] Result<Report> never_lose(Workbench& bench);
[[nodiscard]] Result<Report> rhodes_games(Workbench& bench);
[[nodiscard]] Result<Report> boehm_learning_random(Workbench& bench);
[[nodiscard]] Result<Report> boehm_against_random(Workbench& bench);
[[nodiscard]] Result<Report> boehm_learning_weak_mcts(Workbench& bench);
[[nodiscard]] Result<Report> boehm_learning_mcts(Workbench& bench);
[[nodiscard]] Result<Report> dublin_figure_4(Workbench& bench);
[[nodiscard]] Result<Report> dublin_figure_5(Workbench& bench);
[[nodiscard]] Result<Report> all_agents(Workbench& bench);
[[nodiscard]] Result<Report> sprt_calibration(Workbench& bench);

// Small things the experiments share.
/// An agent whose text has a number in it.
[[nodiscard]] roster::AgentSpec known(std::string_view text, int number);
/// Wins, draws and losses, a cell each.
[[nodiscard]] std::vector<Cell> count_cells(const WinDrawLoss& all);
/// A chart of shares, its axis from 0 to 100.
[[nodiscard]] Chart share_chart(std::string title, std::string x_title, std::string y_title,
                                Chart::Kind kind, std::vector<Series> series);
/// "61.0 % (58.2 to 63.7)".
[[nodiscard]] std::string share_text(double successes, double trials);
/// A share in per cent with Wilson's interval.
[[nodiscard]] Point share_point(std::string label, double successes, double trials,
                                std::optional<double> paper = std::nullopt);

}  // namespace rowbot::lab
