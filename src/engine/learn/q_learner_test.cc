#include "engine/learn/q_learner.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "engine/agents/random_agent.h"
#include "engine/learn/experience.h"
#include "game/moves_text.h"
#include "game/random_game.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace rowbot::learn {
namespace {

using game::Column;
using game::GameResult;
using game::Position;
using ::testing::HasSubstr;

Position after(std::string_view moves) {
  const auto position = game::parse_moves(moves);
  EXPECT_TRUE(position) << moves;
  return *position;
}

float value_at(Experience& experience, std::string_view moves, int number) {
  const State state = experience.state_of(after(moves));
  const auto values = experience.look_up(state);
  return *values ? (*values)->value[state.action(Column(number - 1))] : 0.0F;
}

/// Makes `number` the only best action after `moves`.
void prefer(Experience& experience, std::string_view moves, int number, double value) {
  const State state = experience.state_of(after(moves));
  experience.learn(state, state.action(Column(number - 1)), [value](double) { return value; });
}

// The game 4 1 4 1 4 1 4: the learner stacks four in the centre. It is steered there by small
// preferences of 8; alpha is 1/2 and gamma 3/4. By hand:
//   at its 2nd turn:  Q("", 4)     <- 0 + (0.75 * 8 - 0) / 2       = 3
//   at its 3rd turn:  Q("41", 4)   <- 8 + (0.75 * 8 - 8) / 2       = 7
//   at its 4th turn:  Q("4141", 4) <- 8 + (0.75 * 8 - 8) / 2       = 7
//   at the end:       Q("414141", 4) <- 8 + (100 - 8) / 2          = 54
TEST(QLearner, UpdatesOneMoveLateAsComputedByHand) {
  Experience experience;
  for (const char* state : {"41", "4141", "414141"}) prefer(experience, state, 4, 8);
  QLearner learner({.alpha = 0.5, .gamma = 0.75, .epsilon = 0}, experience);
  learner.start_game(1);

  EXPECT_EQ(learner.select_action(Position()), Column(3));
  EXPECT_EQ(value_at(experience, "", 4), 0) << "nothing is known yet about what follows";
  EXPECT_EQ(learner.select_action(after("41")), Column(3));
  EXPECT_EQ(value_at(experience, "", 4), 3);
  EXPECT_EQ(value_at(experience, "41", 4), 8) << "one move late";
  EXPECT_EQ(learner.select_action(after("4141")), Column(3));
  EXPECT_EQ(value_at(experience, "41", 4), 7);
  EXPECT_EQ(learner.select_action(after("414141")), Column(3));
  EXPECT_EQ(value_at(experience, "4141", 4), 7);
  EXPECT_EQ(value_at(experience, "414141", 4), 8);
  EXPECT_EQ(experience.episodes(), 0U);
  learner.end_game(GameResult::kFirstWins);
  EXPECT_EQ(value_at(experience, "414141", 4), 54);
  EXPECT_EQ(experience.outcomes(), "w");

  // The same game again: the reward has come one state nearer to the beginning.
  //   Q("", 4) <- 3 + (0.75 * 7 - 3) / 2 = 4.125, Q("41", 4) <- 7 + (0.75 * 7 - 7) / 2 = 6.125
  //   Q("4141", 4) <- 7 + (0.75 * 54 - 7) / 2 = 23.75, Q("414141", 4) <- 54 + (100 - 54) / 2 = 77
  learner.start_game(2);
  for (const char* state : {"", "41", "4141", "414141"}) {
    EXPECT_EQ(learner.select_action(after(state)), Column(3));
  }
  learner.end_game(GameResult::kFirstWins);
  EXPECT_EQ(value_at(experience, "", 4), 4.125F);
  EXPECT_EQ(value_at(experience, "41", 4), 6.125F);
  EXPECT_EQ(value_at(experience, "4141", 4), 23.75F);
  EXPECT_EQ(value_at(experience, "414141", 4), 77);
}

TEST(QLearner, LearnsLossesAndDrawsFromItsOwnSide) {
  Experience experience;
  QLearner learner({.alpha = 0.25, .epsilon = 0}, experience);
  learner.start_game(1);
  const Column answer = learner.select_action(after("4"));  // it moves second
  learner.end_game(GameResult::kFirstWins);
  EXPECT_EQ(value_at(experience, "4", answer.number()), -25);
  EXPECT_EQ(reward_of(GameResult::kSecondWins, game::Side::kSecond, {}), 100);
  EXPECT_EQ(reward_of(GameResult::kDraw, game::Side::kSecond, {}), 0);
  EXPECT_EQ(experience.outcomes(), "l");
}

TEST(QLearner, ByTheLetterAddsTheOldValueToTheLastReward) {
  Experience experience;
  prefer(experience, "4", 1, 40);
  QLearner learner({.alpha = 0.5, .gamma = 1, .epsilon = 0, .ending = Ending::kLetter}, experience);
  learner.start_game(1);
  EXPECT_EQ(learner.select_action(after("4")), Column(0));
  learner.end_game(GameResult::kSecondWins);
  EXPECT_EQ(value_at(experience, "4", 1), 40 + 0.5F * (100 + 40 - 40));
}

TEST(QLearner, LetsADynamicRateFallWithTheEpisodes) {
  Experience experience;
  const QLearner learner({.alpha = 10, .dynamic_alpha = true}, experience);
  EXPECT_DOUBLE_EQ(learner.alpha(), 1);
  for (int i = 0; i < 30; ++i) experience.end_episode(Experience::kWon);
  EXPECT_DOUBLE_EQ(learner.alpha(), 10.0 / 40);
}

TEST(QLearner, BreaksTiesAtRandomAndEvenly) {
  Rng rng(5);
  ActionValues values;
  values.value = {1, 7, 7, -3, 7, 0, 7};
  std::map<int, int> chosen;
  const Position position = after("77777");  // one disc fits in column 7
  for (int i = 0; i < 8000; ++i) {
    const BestAction best = best_action(position, state_of(position, false), values, rng);
    EXPECT_EQ(best.value, 7);
    ++chosen[best.column.number()];
  }
  ASSERT_EQ(chosen.size(), 4U);
  for (const int number : {2, 3, 5, 7}) EXPECT_NEAR(chosen[number], 2000, 250) << number;
}

TEST(QLearner, NeverPrefersAFullColumn) {
  Rng rng(5);
  ActionValues values;
  values.value = {-1, -1, -1, -1, -1, -1, 50};
  const Position full = after("777777");
  for (int i = 0; i < 50; ++i) {
    EXPECT_NE(best_action(full, state_of(full, false), values, rng).column, Column(6));
  }
}

TEST(QLearner, ExploresAsOftenAsEpsilonSays) {
  Experience experience;
  prefer(experience, "4", 4, 10);
  QLearner learner({.alpha = 0, .epsilon = 0.35}, experience);
  int others = 0;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    learner.start_game(seed);
    others += learner.select_action(after("4")) == Column(3) ? 0 : 1;
  }
  EXPECT_NEAR(others, 4000 * 0.35 * 6 / 7, 150) << "one in seven random moves is the best one";
}

TEST(QLearner, OpensInTheCentreOnlyWhenAskedTo) {
  Experience experience;
  QLearner centre({.epsilon = 1}, experience);
  QLearner any({.epsilon = 0, .centre_opening = false}, experience);
  std::map<int, int> openings;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    centre.start_game(seed);
    any.start_game(seed);
    EXPECT_EQ(centre.select_action(Position()), Column(3));
    ++openings[any.select_action(Position()).number()];
  }
  EXPECT_EQ(openings.size(), 7U);
}

TEST(QLearner, SharesTheValuesOfMirrorImagesWhenAskedTo) {
  Experience experience(true);
  prefer(experience, "441", 2, 30);
  EXPECT_EQ(value_at(experience, "447", 6), 30);
  EXPECT_EQ(experience.table().size(), 1U);
}

TEST(QLearner, RefusesNumbersItCannotUse) {
  const auto refusal = [](const QOptions& options) {
    const auto checked = check(options);
    return checked ? "accepted" : checked.error().message;
  };
  EXPECT_EQ(refusal({}), "accepted");
  EXPECT_EQ(refusal({.alpha = 1000, .dynamic_alpha = true}), "accepted");
  EXPECT_THAT(refusal({.alpha = 1000}), HasSubstr("ask for dynamic alpha"));
  EXPECT_THAT(refusal({.alpha = 0, .dynamic_alpha = true}), HasSubstr("above 0"));
  EXPECT_THAT(refusal({.gamma = 1.5}), HasSubstr("gamma is 1.5"));
  EXPECT_THAT(refusal({.epsilon = -1}), HasSubstr("epsilon"));
  EXPECT_THAT(refusal({.rewards = {.win = 1e300}}), HasSubstr("reward"));
}

// ------------------------------------------------------------------------------ value iteration

/// The opponent's replies with their probabilities.
using Replies = std::vector<std::pair<Column, double>> (*)(const Position&);

std::vector<std::pair<Column, double>> leftmost(const Position& position) {
  for (const Column column : game::kAllColumns) {
    if (position.can_play(column)) return {{column, 1.0}};
  }
  return {};
}

std::vector<std::pair<Column, double>> any_reply(const Position& position) {
  std::vector<std::pair<Column, double>> replies;
  const double share = 1.0 / game::count(position.legal_moves());
  for (const Column column : game::kAllColumns) {
    if (position.can_play(column)) replies.emplace_back(column, share);
  }
  return replies;
}

/// The states of the learner's turns below `root`, with Q*(s, a) by value iteration over the whole
/// table until nothing changes.
class ValueIteration {
 public:
  ValueIteration(const Position& root, double gamma, Replies replies)
      : gamma_(gamma), replies_(replies), side_(root.to_move()) {
    collect(root);
    for (double change = 1; change > 1e-12;) {
      change = 0;
      for (auto& [key, entry] : table_) {
        for (const Column column : game::kAllColumns) {
          if (!entry.position.can_play(column)) continue;
          double& q = entry.q[static_cast<std::size_t>(column.index())];
          const double next = expectation(entry.position.after(column));
          change = std::max(change, std::abs(next - q));
          q = next;
        }
      }
    }
  }

  struct Entry {
    Position position;
    std::array<double, game::kColumns> q{};
  };
  [[nodiscard]] const std::map<StateKey, Entry>& table() const { return table_; }

 private:
  void collect(const Position& position) {
    if (position.legal_moves() == 0 || !table_.emplace(position.key(), Entry{position}).second)
      return;
    for (const Column column : game::kAllColumns) {
      if (!position.can_play(column)) continue;
      const Position replied = position.after(column);
      for (const auto& reply : replies_(replied)) {
        if (replied.can_play(reply.first)) collect(replied.after(reply.first));
      }
    }
  }

  [[nodiscard]] double worth(const Position& position) const {
    if (position.legal_moves() == 0) return reward_of(position.outcome().result, side_, {});
    const Entry& entry = table_.at(position.key());
    double best = -1e9;
    for (const Column column : game::kAllColumns) {
      if (position.can_play(column)) {
        best = std::max(best, entry.q[static_cast<std::size_t>(column.index())]);
      }
    }
    return gamma_ * best;
  }

  [[nodiscard]] double expectation(const Position& moved) const {
    if (moved.legal_moves() == 0) return worth(moved);
    double sum = 0;
    for (const auto& reply : replies_(moved)) sum += reply.second * worth(moved.after(reply.first));
    return sum;
  }

  double gamma_;
  Replies replies_;
  game::Side side_;
  std::map<StateKey, Entry> table_;
};

/// An endgame of a random game: six squares are empty, the learner is to move, both sides can still
/// win, and the game can go several ways.
Position endgame() {
  for (std::uint64_t seed = 1;; ++seed) {
    Rng rng(seed);
    Position position;
    for (const Column column : game::testing::random_moves(rng, game::kCells - 6)) {
      position = position.after(column);
    }
    if (position.discs() == game::kCells - 6 && position.mover_threats() != 0 &&
        position.opponent_threats() != 0 && position.winning_moves() == 0 &&
        ValueIteration(position, 1, any_reply).table().size() > 8 &&
        ValueIteration(position, 1, leftmost).table().size() > 3) {
      return position;
    }
  }
}

void train_below(const Position& root, QLearner& learner, Replies replies, std::uint64_t episodes) {
  Rng rng(9);
  for (std::uint64_t episode = 0; episode < episodes; ++episode) {
    learner.start_game(episode);
    Position position = root;
    while (position.legal_moves() != 0) {
      if (position.to_move() == root.to_move()) {
        position = position.after(learner.select_action(position));
      } else {
        double luck = rng.uniform();
        const auto choices = replies(position);
        std::size_t i = 0;
        while (i + 1 < choices.size() && luck >= choices[i].second) luck -= choices[i++].second;
        position = position.after(choices[i].first);
      }
    }
    learner.end_game(position.outcome().result);
  }
}

/// The largest difference to the optimum over all actions of all states.
double largest_error(Experience& experience, const ValueIteration& optimum) {
  double error = 0;
  for (const auto& [key, entry] : optimum.table()) {
    const auto values = experience.look_up({.key = key});
    for (const Column column : game::kAllColumns) {
      if (!entry.position.can_play(column)) continue;
      const auto i = static_cast<std::size_t>(column.index());
      const double learned = *values ? static_cast<double>((*values)->value[i]) : 0.0;
      error = std::max(error, std::abs(learned - entry.q[i]));
    }
  }
  return error;
}

TEST(QLearner, FindsTheOptimumOfValueIterationExactlyAgainstAFixedOpponent) {
  const Position root = endgame();
  ASSERT_FALSE(root.outcome().finished());
  const ValueIteration optimum(root, 0.5, leftmost);
  EXPECT_GT(optimum.table().size(), 3U);
  Experience experience;
  QLearner learner({.alpha = 1, .gamma = 0.5, .epsilon = 0.5}, experience);
  train_below(root, learner, leftmost, 5000);
  EXPECT_LT(largest_error(experience, optimum), 1e-4);
}

TEST(QLearner, ComesNearTheOptimumOfValueIterationAgainstARandomOpponent) {
  const Position root = endgame();
  const ValueIteration optimum(root, 0.9, any_reply);
  EXPECT_GT(optimum.table().size(), 8U);
  Experience experience;
  QLearner learner({.alpha = 1000, .dynamic_alpha = true, .gamma = 0.9, .epsilon = 1}, experience);
  train_below(root, learner, any_reply, 1'000'000);
  EXPECT_LT(largest_error(experience, optimum), 8) << "from -100 to 100";
}

}  // namespace
}  // namespace rowbot::learn
