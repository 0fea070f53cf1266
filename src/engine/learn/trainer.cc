#include "engine/learn/trainer.h"

#include <algorithm>
#include <optional>

#include "base/rng.h"
#include "fmt/core.h"
#include "game/play_out.h"

namespace rowbot::learn {
namespace {

using game::Position;
using game::Side;

/// Episodes between two looks at the clock, if they are quick.
constexpr std::uint64_t kEpisodesPerLook = 32;
/// States that wait for their save; with more a batch would take long to write.
constexpr std::size_t kMostUnsaved = 4'000'000;

/// Plays one game and learns from it.
Result<void> play_episode(QLearner& learner, agents::Agent& opponent, bool learner_first,
                          std::uint64_t seed) {
  learner.start_game(mix_seed(2 * seed));
  opponent.start_game(mix_seed(2 * seed + 1));
  const agents::Budget budget = opponent.budget();
  std::optional<Error> failure;
  const Side learners = learner_first ? Side::kFirst : Side::kSecond;
  game::Game game;
  game::play_out(game, [&](Side side, const Position& position) -> std::optional<game::Column> {
    if (side == learners) return learner.select_action(position);
    const auto decision = opponent.choose(position, budget, {});
    if (decision) return decision->column;
    failure = decision.error();
    return std::nullopt;
  });
  if (failure) return *failure;
  learner.end_game(game.result());
  return {};
}

double seconds(std::chrono::nanoseconds time) {
  return std::chrono::duration<double>(time).count();
}

class Run {
 public:
  Run(Experience& experience, const TrainingPlan& plan)
      : experience_(experience), plan_(plan), begun_(experience.episodes()) {}

  [[nodiscard]] TrainingReport report() const {
    TrainingReport report{.episodes = experience_.episodes(),
                          .played = experience_.episodes() - begun_,
                          .states = experience_.table().size(),
                          .saves = saves_,
                          .window_win_rate = experience_.win_rate(plan_.window),
                          .elapsed = now() - start_,
                          .stopped = experience_.episodes() < plan_.episodes};
    report.episodes_per_second =
        static_cast<double>(report.played) / std::max(1e-9, seconds(report.elapsed));
    if (report.stopped && report.played > 0) {
      report.time_left = report.elapsed * (static_cast<double>(plan_.episodes - report.episodes) /
                                           static_cast<double>(report.played));
    }
    return report;
  }

  [[nodiscard]] Result<void> save() {
    auto saved = experience_.save();
    ++saves_;
    last_save_ = now();
    return saved;
  }

  [[nodiscard]] bool save_is_due() const {
    return now() - last_save_ >= plan_.save_every || experience_.unsaved_states() >= kMostUnsaved;
  }

  [[nodiscard]] bool report_is_due() {
    if (now() - last_report_ < plan_.report_every) return false;
    last_report_ = now();
    return true;
  }

  [[nodiscard]] Clock::Moment now() const { return plan_.clock->now(); }

 private:
  Experience& experience_;
  const TrainingPlan& plan_;
  std::uint64_t begun_;
  std::uint64_t saves_ = 0;
  Clock::Moment start_ = now();
  Clock::Moment last_save_ = start_;
  Clock::Moment last_report_ = start_;
};

}  // namespace

Result<TrainingReport> train(Experience& experience, agents::Agent& opponent,
                             const TrainingPlan& plan,
                             const std::function<void(const TrainingReport&)>& report,
                             StopToken stop) {
  Run run(experience, plan);
  QLearner learner(plan.learner, experience);
  while (experience.episodes() < plan.episodes && !stop.stop_requested()) {
    const auto look_after = std::min(plan.episodes, experience.episodes() + kEpisodesPerLook);
    const auto look_time = run.now() + std::chrono::milliseconds(1);
    while (experience.episodes() < look_after && !stop.stop_requested()) {
      const std::uint64_t episode = experience.episodes();
      const bool learner_first =
          plan.first == First::kLearner || (plan.first == First::kAlternate && episode % 2 == 0);
      if (auto played =
              play_episode(learner, opponent, learner_first, mix_seed(plan.seed) + episode);
          !played) {
        return played.error();
      }
      if (run.now() >= look_time) break;
    }
    if (run.save_is_due()) {
      if (auto saved = run.save(); !saved) return saved.error();
    }
    if (report && run.report_is_due()) report(run.report());
  }
  if (auto saved = run.save(); !saved) return saved.error();
  return run.report();
}

std::string training_text(const TrainingPlan& plan, std::string_view opponent) {
  const QOptions& q = plan.learner;
  return fmt::format(
      "opponent={} first={} seed={} alpha={} dynamic-alpha={} gamma={} epsilon={} "
      "rewards={}/{}/{} centre={} ending={}",
      opponent,
      plan.first == First::kLearner    ? "learner"
      : plan.first == First::kOpponent ? "opponent"
                                       : "alternate",
      plan.seed, q.alpha, q.dynamic_alpha ? "on" : "off", q.gamma, q.epsilon, q.rewards.win,
      q.rewards.draw, q.rewards.loss, q.centre_opening ? "on" : "off",
      q.ending == Ending::kZero ? "zero" : "letter");
}

}  // namespace rowbot::learn
