// rowbot train q: Q-learning against any agent of the roster, into an experience that lasts.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/stop.h"
#include "base/text.h"
#include "commands.h"
#include "engine/learn/experience.h"
#include "engine/learn/trainer.h"
#include "engine/roster/agent_spec.h"
#include "fmt/core.h"
#include "nlohmann/json.hpp"

namespace rowbot::app {
namespace {

using learn::Experience;
using learn::TrainingReport;

StopSource stop_training;

struct TrainArguments {
  learn::TrainingPlan plan;
  std::string opponent = "random";
  std::string first = "learner";
  std::string experience;
  std::string save_every = "2s";
  std::optional<bool> mirror;
  int learners = 1;
  int threads = machine_resources().threads;
  bool any_opening = false;
  bool letter = false;
  bool quiet = false;
  bool json = false;
};

/// One learner, its experience and its opponent.
struct Learner {
  int number;
  learn::TrainingPlan plan;
  Experience experience;
  std::unique_ptr<agents::Agent> opponent;
  TrainingReport report = {};
  std::optional<Error> error = {};
};

/// The path of one of several: games.db, games.2.db, games.3.db.
std::string path_of(const std::string& path, int number) {
  if (number == 1) return path;
  const std::size_t slash = path.find_last_of('/');
  const std::size_t dot = path.find_last_of('.');
  const bool has_dot = dot != std::string::npos && (slash == std::string::npos || dot > slash + 1);
  const std::size_t at = has_dot && dot > 0 ? dot : path.size();
  return fmt::format("{}.{}{}", path.substr(0, at), number, path.substr(at));
}

Learner make_learner(const TrainArguments& arguments, const Resources& resources, int number) {
  Learner learner{.number = number,
                  .plan = arguments.plan,
                  .experience = Experience(arguments.mirror.value_or(false)),
                  .opponent = usage_value(roster::make_agent(arguments.opponent, resources))};
  learner.plan.seed += static_cast<std::uint64_t>(number - 1);
  if (!arguments.experience.empty()) {
    auto opened = Experience::open(path_of(arguments.experience, number),
                                   Experience::Access::kTrain, arguments.mirror);
    if (!opened) fail(opened.error());
    learner.experience = *std::move(opened);
  }
  learner.experience.describe_training(learn::training_text(learner.plan, arguments.opponent));
  return learner;
}

/// One line on standard error: over itself on a terminal, else now and then a new one.
class ProgressPrinter {
 public:
  explicit ProgressPrinter(const TrainArguments& arguments)
      : wanted_(!arguments.quiet),
        many_(arguments.learners > 1),
        target_(arguments.plan.episodes) {}

  void show(int number, const TrainingReport& report) {
    if (!wanted_) return;
    const std::scoped_lock lock(mutex_);
    const auto left = std::chrono::duration<double>(report.time_left).count();
    fmt::print(stderr,
               "{}{}{} of {} episodes, {:.2f} % won lately, {} states, {:.0f}/s, {:.0f} s left{}",
               terminal_ ? "\r" : "", many_ ? fmt::format("learner {}: ", number) : "",
               report.episodes, target_, 100 * report.window_win_rate, report.states,
               report.episodes_per_second, std::ceil(left), terminal_ ? "   " : "\n");
    std::fflush(stderr);
    shown_ = true;
  }

  ~ProgressPrinter() {
    if (shown_ && terminal_) fmt::print(stderr, "\n");
  }
  ProgressPrinter(const ProgressPrinter&) = delete;
  ProgressPrinter& operator=(const ProgressPrinter&) = delete;
  ProgressPrinter(ProgressPrinter&&) = delete;
  ProgressPrinter& operator=(ProgressPrinter&&) = delete;

 private:
  bool wanted_;
  bool many_;
  std::uint64_t target_;
  bool terminal_ = isatty(STDERR_FILENO) != 0;
  bool shown_ = false;
  std::mutex mutex_;  // guards the line
};

void train_all(std::vector<Learner>& learners, int threads, ProgressPrinter& progress) {
  std::signal(SIGINT, [](int) { stop_training.request_stop(); });
  std::signal(SIGTERM, [](int) { stop_training.request_stop(); });
  std::atomic<std::size_t> next = 0;
  run_parallel(std::min(static_cast<std::size_t>(threads), learners.size()), [&](std::size_t) {
    for (std::size_t i = next++; i < learners.size(); i = next++) {
      Learner& learner = learners[i];
      auto report = learn::train(
          learner.experience, *learner.opponent, learner.plan,
          [&](const TrainingReport& now) { progress.show(learner.number, now); },
          stop_training.get_token());
      if (report) {
        learner.report = *report;
      } else {
        learner.error = report.error();
        stop_training.request_stop();
      }
    }
  });
}

/// Over the last tenth of all episodes.
double last_win_rate(const Learner& learner) {
  return learner.experience.win_rate(
      std::max<std::uint64_t>(1, learner.experience.episodes() / 10));
}

nlohmann::ordered_json learner_json(const Learner& learner) {
  const Experience& experience = learner.experience;
  return {{"episodes", experience.episodes()},
          {"win_rate_last", last_win_rate(learner)},
          {"win_rate", experience.win_rate(experience.episodes())},
          {"states", experience.table().size()},
          {"episodes_per_second", std::round(learner.report.episodes_per_second)},
          {"seconds", std::chrono::duration<double>(learner.report.elapsed).count()},
          {"played", learner.report.played},
          {"saves", learner.report.saves},
          {"seed", learner.plan.seed},
          {"stopped", learner.report.stopped}};
}

void print_training(const std::vector<Learner>& learners) {
  for (const Learner& learner : learners) {
    fmt::print(
        "{}{} episodes ({} now), {:.2f} % of the last tenth won, {} states, {:.0f} episodes a "
        "second{}\n",
        learners.size() > 1 ? fmt::format("learner {}: ", learner.number) : "",
        learner.experience.episodes(), learner.report.played, 100 * last_win_rate(learner),
        learner.experience.table().size(), learner.report.episodes_per_second,
        learner.report.stopped ? "; stopped, the same command goes on" : "");
  }
}

void print_training_json(const std::vector<Learner>& learners) {
  if (learners.size() == 1) {
    fmt::print("{}\n", learner_json(learners.front()).dump());
    return;
  }
  // A line for each, and one for all in the end.
  double mean = 0;
  double squares = 0;
  for (const Learner& learner : learners) {
    auto line = learner_json(learner);
    line["learner"] = learner.number;
    fmt::print("{}\n", line.dump());
    mean += last_win_rate(learner);
  }
  const auto n = static_cast<double>(learners.size());
  mean /= n;
  std::uint64_t states = 0;
  double rate = 0;
  for (const Learner& learner : learners) {
    squares += std::pow(last_win_rate(learner) - mean, 2);
    states += learner.experience.table().size();
    rate += learner.report.episodes_per_second;
  }
  const nlohmann::ordered_json all{{"episodes", learners.front().experience.episodes()},
                                   {"win_rate_last", mean},
                                   {"win_rate_last_sd", std::sqrt(squares / (n - 1))},
                                   {"states", states},
                                   {"episodes_per_second", std::round(rate)},
                                   {"learners", learners.size()}};
  fmt::print("{}\n", all.dump());
}

void run_train(TrainArguments arguments) {
  arguments.plan.first = arguments.first == "learner"    ? learn::First::kLearner
                         : arguments.first == "opponent" ? learn::First::kOpponent
                                                         : learn::First::kAlternate;
  arguments.plan.learner.centre_opening = !arguments.any_opening;
  if (arguments.letter) arguments.plan.learner.ending = learn::Ending::kLetter;
  if (auto fine = learn::check(arguments.plan.learner); !fine) fail_usage(fine.error());
  arguments.plan.save_every = usage_value(parse_duration(arguments.save_every));
  arguments.plan.window = std::max<std::uint64_t>(1, arguments.plan.window);
  Resources resources = machine_resources();
  resources.memory_bytes /= static_cast<unsigned>(arguments.learners);
  std::vector<Learner> learners;
  for (int number = 1; number <= arguments.learners; ++number) {
    learners.push_back(make_learner(arguments, resources, number));
    if (learners.back().experience.episodes() >= arguments.plan.episodes) {
      fmt::print(stderr,
                 "rowbot: the experience holds {} episodes already; --episodes is the number in "
                 "all: ask for more to go on\n",
                 learners.back().experience.episodes());
    }
  }
  {
    ProgressPrinter progress(arguments);
    train_all(learners, arguments.threads, progress);
  }
  for (const Learner& learner : learners) {
    if (learner.error) fail(*learner.error);
  }
  arguments.json ? print_training_json(learners) : print_training(learners);
}

void add_learning_options(CLI::App& command, const std::shared_ptr<TrainArguments>& a) {
  learn::QOptions& q = a->plan.learner;
  command.add_option("--alpha", q.alpha, "Learning rate; alpha0 with --dynamic-alpha")
      ->capture_default_str();
  command.add_flag("--dynamic-alpha", q.dynamic_alpha, "alpha0 / (alpha0 + episodes)");
  command.add_option("--gamma", q.gamma, "Discount of what comes later")->capture_default_str();
  command.add_option("--epsilon", q.epsilon, "Share of moves made to explore")
      ->capture_default_str();
  command.add_option("--win", q.rewards.win, "Reward of a win")->capture_default_str();
  command.add_option("--draw", q.rewards.draw, "Reward of a draw")->capture_default_str();
  command.add_option("--loss", q.rewards.loss, "Reward of a loss")->capture_default_str();
  command.add_flag("--any-opening", a->any_opening,
                   "Learn the first move too: not always the centre");
  command.add_flag("--letter", a->letter,
                   "The last update by the letter of Boehm 2016 (docs/learning.md)");
  command.add_flag("--mirror,!--no-mirror", a->mirror,
                   "A position and its mirror image are one state");
}

}  // namespace

void add_train_command(CLI::App& app) {
  CLI::App* train = app.add_subcommand("train", "Let an agent learn; can be stopped and goes on");
  train->require_subcommand(1);
  CLI::App* command = train->add_subcommand("q", "Q-learning against any agent");
  auto a = std::make_shared<TrainArguments>();
  command->add_option("--opponent", a->opponent, "The agent to learn against")
      ->capture_default_str();
  command->add_option("--episodes", a->plan.episodes, "Games in all, with those played before")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 40))
      ->capture_default_str();
  command->add_option("--experience", a->experience,
                      "The file that keeps what is learned; left out: nothing is kept");
  command->add_option("--seed", a->plan.seed, "Where its randomness begins")->capture_default_str();
  command->add_option("--first", a->first, "Who moves first")
      ->check(CLI::IsMember({"learner", "opponent", "alternate"}))
      ->capture_default_str();
  add_learning_options(*command, a);
  command
      ->add_option("--learners", a->learners,
                   "Learners at once, with seeds in a row and a file each (F, F.2, ...)")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command->add_option("--threads", a->threads, "Most learners that work at the same time")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  command->add_option("--checkpoint", a->save_every, "Write to the file at least this often")
      ->capture_default_str();
  command->add_option("--window", a->plan.window, "Episodes of the win rate in the progress")
      ->capture_default_str();
  command->add_flag("--quiet", a->quiet, "No progress");
  command->add_flag("--json", a->json, "Print an object as the last line");
  command->callback([a] { run_train(*a); });
}

}  // namespace rowbot::app
