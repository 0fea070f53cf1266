#include "engine/learn/trainer.h"

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "base/temporary_folder.h"
#include "engine/agents/random_agent.h"
#include "engine/learn/experiments.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace rowbot::learn {
namespace {

using agents::RandomAgent;
using ::testing::HasSubstr;

using StateList = std::vector<std::pair<StateKey, ActionValues>>;

StateList states_in(const std::string& path) {
  StateList all;
  auto file = ExperienceFile::open(path, ExperienceFile::Use::kExtend);
  EXPECT_TRUE(file) << file.error().message;
  EXPECT_TRUE(file->for_each([&all](StateKey key, const ActionValues& values) -> Result<void> {
    all.emplace_back(key, values);
    return {};
  }));
  return all;
}

/// Trains up to so many episodes in all, as a run of its own.
TrainingReport train_file(const std::string& path, std::uint64_t episodes,
                          const QOptions& learner = {.epsilon = 0.1}) {
  auto experience = Experience::open(path, Experience::Access::kTrain);
  EXPECT_TRUE(experience) << experience.error().message;
  RandomAgent opponent{agents::RandomOptions{}};
  const auto report = train(*experience, opponent,
                            {.learner = learner, .episodes = episodes, .seed = 5}, nullptr, {});
  EXPECT_TRUE(report);
  return *report;
}

TEST(Trainer, LearnsToBeatRandom) {
  Experience experience;
  RandomAgent opponent{agents::RandomOptions{}};
  const auto report = train(experience, opponent, {.episodes = 30'000}, nullptr, {});
  ASSERT_TRUE(report);
  EXPECT_EQ(report->episodes, 30'000U);
  EXPECT_FALSE(report->stopped);
  const auto curve = learning_curve(experience.outcomes(), 10);
  EXPECT_GT(curve.back(), curve.front() + 0.05);
  EXPECT_GT(experience.win_rate(3000), 0.8);
}

TEST(Trainer, EndsWithTheSameExperienceWhetherInterruptedOrNot) {
  const TemporaryFolder folder;
  for (const QOptions& learner :
       {QOptions{.epsilon = 0.1}, QOptions{.alpha = 50, .dynamic_alpha = true, .epsilon = 0.1}}) {
    const std::string whole = folder.file(learner.dynamic_alpha ? "a.db" : "b.db");
    const std::string parts = folder.file(learner.dynamic_alpha ? "c.db" : "d.db");
    train_file(whole, 1500, learner);
    for (const std::uint64_t until : {1U, 400U, 401U, 1500U}) train_file(parts, until, learner);
    EXPECT_EQ(states_in(whole), states_in(parts));
    EXPECT_EQ(train_file(parts, 1500, learner).played, 0U);
  }
}

TEST(Trainer, KeepsTheSameInAFileAsInMemory) {
  const TemporaryFolder folder;
  train_file(folder.file("q.db"), 1000);
  Experience memory;
  RandomAgent opponent{agents::RandomOptions{}};
  ASSERT_TRUE(train(memory, opponent, {.learner = {.epsilon = 0.1}, .episodes = 1000, .seed = 5},
                    nullptr, {}));
  const StateList kept = states_in(folder.file("q.db"));
  EXPECT_EQ(kept.size(), memory.table().size());
  for (const auto& [key, values] : kept) {
    ASSERT_NE(memory.table().find(key), nullptr);
    EXPECT_EQ(*memory.table().find(key), values);
  }
}

TEST(Trainer, StopsBetweenGamesAndSavesWhatItHas) {
  const TemporaryFolder folder;
  auto experience = Experience::open(folder.file("q.db"), Experience::Access::kTrain);
  ASSERT_TRUE(experience);
  RandomAgent opponent{agents::RandomOptions{}};
  StopSource stop;
  std::uint64_t reports = 0;
  const TrainingPlan plan{.episodes = UINT64_MAX,
                          .save_every = std::chrono::milliseconds(1),
                          .report_every = std::chrono::milliseconds(1)};
  const auto report = train(
      *experience, opponent, plan,
      [&](const TrainingReport& now) {
        EXPECT_GT(now.episodes, 0U);
        EXPECT_TRUE(now.stopped);
        if (++reports == 3) stop.request_stop();
      },
      stop.get_token());
  ASSERT_TRUE(report);
  EXPECT_TRUE(report->stopped);
  EXPECT_EQ(reports, 3U);
  EXPECT_GE(report->saves, 2U);
  EXPECT_EQ(experience->unsaved_states(), 0U);
  auto file = ExperienceFile::open(folder.file("q.db"), ExperienceFile::Use::kExtend);
  EXPECT_EQ(*file->count_episodes(), report->episodes);
}

TEST(Trainer, LearnsOnEitherSide) {
  for (const First first : {First::kOpponent, First::kAlternate}) {
    Experience experience;
    RandomAgent opponent{agents::RandomOptions{}};
    ASSERT_TRUE(train(experience, opponent, {.episodes = 200, .first = first}, nullptr, {}));
    EXPECT_EQ(experience.episodes(), 200U);
    int even = 0;
    int odd = 0;
    for (const game::Column column : game::kAllColumns) {
      const game::Position once = game::Position().after(column);
      odd += experience.table().find(once.key()) != nullptr ? 1 : 0;
    }
    even = experience.table().find(game::Position().key()) != nullptr ? 1 : 0;
    EXPECT_GT(odd, 0);
    EXPECT_EQ(even, first == First::kAlternate ? 1 : 0);
  }
}

TEST(Trainer, ThreadsTrainSideBySideAsIfAlone) {
  const TemporaryFolder folder;
  train_file(folder.file("alone.db"), 800);
  {
    std::vector<std::jthread> threads;
    for (const char* name : {"x.db", "y.db"}) {
      threads.emplace_back([&folder, name] { train_file(folder.file(name), 800); });
    }
  }
  const StateList alone = states_in(folder.file("alone.db"));
  EXPECT_EQ(states_in(folder.file("x.db")), alone);
  EXPECT_EQ(states_in(folder.file("y.db")), alone);
}

TEST(Trainer, SaysInWordsWhatWasTrained) {
  const std::string text = training_text(
      {.learner = {.alpha = 10, .dynamic_alpha = true}, .first = First::kAlternate}, "mcts");
  EXPECT_THAT(text, HasSubstr("opponent=mcts first=alternate"));
  EXPECT_THAT(text, HasSubstr("alpha=10 dynamic-alpha=on gamma=1"));
}

TEST(Experiments, NameTheThesisConfigurations) {
  const auto experiments = boehm_experiments();
  ASSERT_EQ(experiments.size(), 3U);
  EXPECT_EQ(experiments[0].cases.size(), 9U);  // the seven, and two beside those with alpha = 1
  EXPECT_EQ(experiments[0].cases[0].name, "G1DA1000");
  EXPECT_EQ(experiments[0].cases[5].name, "G0.9A1");
  EXPECT_EQ(experiments[0].cases[5].paper_win_rate, 0.9332);
  EXPECT_EQ(experiments[1].cases.size(), 5U);
  EXPECT_EQ(experiments[1].cases[3].name, "G0.9DA10000");
  EXPECT_EQ(experiments[2].cases.size(), 3U);
  for (const auto& experiment : experiments) {
    for (const auto& one : experiment.cases) EXPECT_TRUE(check(one.learner)) << one.name;
  }
}

TEST(Experiments, CurveCountsWinsInEqualParts) {
  EXPECT_THAT(learning_curve("wwlwldww", 4), ::testing::ElementsAre(1.0, 0.5, 0.0, 1.0));
  EXPECT_THAT(learning_curve("wl", 10), ::testing::ElementsAre(1.0, 0.0));
  EXPECT_TRUE(learning_curve("", 10).empty());
}

}  // namespace
}  // namespace rowbot::learn
