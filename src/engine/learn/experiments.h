// The Q-learning experiments of Boehm 2016, chapter 5: which learners met whom, and what came
// out there. Opponents are texts for the roster, which this room lies below.
// Thread safety: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/learn/q_learner.h"

namespace rowbot::learn {

struct LearningCase {
  std::string name;  ///< as in Boehm 2016, such as G1A0.1
  QOptions learner;
  std::string opponent;
  std::string opponent_name;             ///< short, for a legend
  std::optional<double> paper_win_rate;  ///< after all episodes, where Boehm 2016 says it
  std::string paper;                     ///< the same in words, or a range, or nothing
};

struct LearningExperiment {
  std::string name;  ///< by section
  std::string title;
  std::uint64_t episodes = 250'000;
  int repetitions = 1;
  std::vector<LearningCase> cases;
  std::string paper_says;  ///< what Boehm 2016 concludes, in words
};

/// boehm-5.1, boehm-5.3, boehm-5.4.
[[nodiscard]] std::vector<LearningExperiment> boehm_experiments();

/// The win rate in each of `points` equal parts of a training, for a learning curve.
[[nodiscard]] std::vector<double> learning_curve(const std::string& outcomes, std::size_t points);

}  // namespace rowbot::learn
