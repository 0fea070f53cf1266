// Training: a learner plays episodes against an opponent until its experience holds enough of them.
//
// Every episode's randomness follows from the seed and the number of the episode alone, and every
// save is a whole number of episodes. So a run that was stopped, or killed, and begun again ends
// with the same experience as one that never was (with an opponent that is repeatable). Thread
// safety: a run belongs to one thread; runs with different experiences and opponents may go on side
// by side.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "base/stop.h"
#include "engine/agents/agent.h"
#include "engine/learn/experience.h"
#include "engine/learn/q_learner.h"

namespace rowbot::learn {

/// Who moves first.
enum class First : std::uint8_t { kLearner, kOpponent, kAlternate };

struct TrainingPlan {
  QOptions learner;
  std::uint64_t episodes = 250'000;  ///< in all, with those the experience holds already
  std::uint64_t seed = 1;
  First first = First::kLearner;
  std::chrono::nanoseconds save_every = std::chrono::seconds(2);
  std::chrono::nanoseconds report_every = std::chrono::seconds(1);
  std::uint64_t window = 10'000;  ///< episodes of the win rate in reports
  const Clock* clock = &real_clock();
};

struct TrainingReport {
  std::uint64_t episodes = 0;  ///< in all
  std::uint64_t played = 0;    ///< of these in this run
  std::uint64_t states = 0;
  std::uint64_t saves = 0;
  double window_win_rate = 0;
  double episodes_per_second = 0;  ///< in this run, saving included
  std::chrono::nanoseconds elapsed{0};
  std::chrono::duration<double> time_left{0};  ///< at the rate so far; may exceed any clock
  bool stopped = false;                        ///< before the plan was fulfilled
};

/// Blocks until the experience holds the planned episodes or a stop is requested; then the game
/// under way is finished and everything saved. Reports from time to time, on this thread. Requires
/// an experience opened for training, or one in memory, and check(plan.learner).
[[nodiscard]] Result<TrainingReport> train(Experience& experience, agents::Agent& opponent,
                                           const TrainingPlan& plan,
                                           const std::function<void(const TrainingReport&)>& report,
                                           StopToken stop);

/// The settings in one line, for the experience to remember.
[[nodiscard]] std::string training_text(const TrainingPlan& plan, std::string_view opponent);

}  // namespace rowbot::learn
