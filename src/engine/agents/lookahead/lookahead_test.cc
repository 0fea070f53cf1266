#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <string_view>
#include <vector>

#include "engine/agents/lookahead/alpha_beta.h"
#include "engine/agents/lookahead/expectimax.h"
#include "engine/agents/lookahead/minimax.h"
#include "engine/agents/lookahead/rhodes_evaluation.h"
#include "engine/agents/lookahead/slow_papers.h"
#include "engine/agents/lookahead/window_evaluation.h"
#include "engine/agents/slow_negamax.h"
#include "game/moves_text.h"
#include "game/position_text.h"
#include "game/random_game.h"
#include "gtest/gtest.h"

namespace rowbot::agents::lookahead {
namespace {

using game::Column;
using game::Position;
using testing::OpponentNode;
using testing::slow_choice;
using testing::SlowBoard;

Position unfinished_position(Rng& rng) {
  while (true) {
    const Position position = game::testing::random_position(rng);
    if (!position.outcome().finished()) return position;
  }
}

Position board(std::string_view drawing) {
  const auto parsed = game::parse_board(drawing);
  EXPECT_TRUE(parsed.has_value());
  return parsed.value_or(Position());
}

Decision decide(Agent& agent, const Position& position) {
  auto decision = agent.choose(position, agent.budget(), {});
  EXPECT_TRUE(decision.has_value());
  return *decision;
}

double clamp_win(double value) {
  if (value >= kWinThreshold) return kWin;
  if (value <= -kWinThreshold) return -kWin;
  return value;
}

TEST(WindowEvaluation, EqualsTheListingOnRandomBoards) {
  Rng rng(1);
  for (int i = 0; i < 3000; ++i) {
    const Position position = game::testing::random_position(rng);
    const SlowBoard slow(position);
    ASSERT_EQ(window_score(position.mover(), position.opponent()), slow_evaluate(slow, 1, 2));
    ASSERT_EQ(window_score(position.opponent(), position.mover()), slow_evaluate(slow, 2, 1));
  }
}

TEST(Minimax, HasTheValueOfTheListing) {
  Rng rng(2);
  for (int i = 0; i < 60; ++i) {
    const Position position = unfinished_position(rng);
    for (int depth = 1; depth <= 3; ++depth) {
      double best = -std::numeric_limits<double>::infinity();
      for (const Column c : game::kAllColumns) {
        if (!position.can_play(c)) continue;
        best = std::max(best, clamp_win(window_move_value(position, c, depth)));
      }
      ASSERT_EQ(best, slow_choice(position, depth, OpponentNode::kMinimum).utility);
    }
  }
}

TEST(Minimax, ChoosesTheMoveOfTheListingUnlessAWinOrLossIsInSight) {
  Rng rng(3);
  int compared = 0;
  for (int i = 0; i < 150; ++i) {
    const Position position = unfinished_position(rng);
    const auto slow = slow_choice(position, 3, OpponentNode::kMinimum);
    if (std::abs(slow.utility) > 50'000 || position.discs() > 38) continue;
    MinimaxAgent agent({.depth = 3});
    EXPECT_EQ(decide(agent, position).column.index(), slow.move);
    ++compared;
  }
  EXPECT_GT(compared, 40);
}

TEST(Minimax, TakesAWinWhenThereAreSeveral) {
  // The Panda project passed over a win when there were two.
  Rng rng(4);
  int several = 0;
  for (int i = 0; i < 4000; ++i) {
    const Position position = unfinished_position(rng);
    if (game::count(position.winning_moves()) < 2) continue;
    ++several;
    MinimaxAgent minimax({.depth = 4});
    EXPECT_TRUE(position.after(decide(minimax, position).column).outcome().finished());
    RhodesAgent rhodes({.depth = 4});
    EXPECT_TRUE(position.after(decide(rhodes, position).column).outcome().finished());
  }
  EXPECT_GT(several, 30);
}

TEST(Minimax, WinsAsFastAndLosesAsLateAsCanBe) {
  Rng rng(5);
  int lost = 0;
  int won = 0;
  while (lost < 15 || won < 15) {
    const Position position = unfinished_position(rng);
    if (position.discs() < 31) continue;
    MinimaxAgent agent({.depth = 42});
    const Decision decision = decide(agent, position);
    const int exact = agents::testing::slow_value(position);
    ASSERT_TRUE(decision.proven.has_value());
    const Proven expected =
        exact > 0   ? Proven{.value = Proven::Value::kWin, .plies = 100 - exact}
        : exact < 0 ? Proven{.value = Proven::Value::kLoss, .plies = 100 + exact}
                    : Proven{.value = Proven::Value::kDraw, .plies = 42 - position.discs()};
    EXPECT_EQ(*decision.proven, expected);
    won += exact > 0 ? 1 : 0;
    lost += exact < 0 ? 1 : 0;
  }
}

TEST(Minimax, KeepsTheDeepestFinishedLevelWhenTimeIsUp) {
  MinimaxAgent agent({.depth = 42, .budget = {.time = std::chrono::milliseconds(20)}});
  const Decision decision = decide(agent, Position());
  EXPECT_GE(decision.depth, 2);
  EXPECT_LT(decision.depth, 42);
  EXPECT_EQ(decision.moves.size(), 7U);
}

TEST(Expectimax, HasTheTextbookValueOnRandomBoards) {
  Rng rng(6);
  for (int i = 0; i < 50; ++i) {
    const Position position = unfinished_position(rng);
    for (int depth = 1; depth <= 3; ++depth) {
      double best = -std::numeric_limits<double>::infinity();
      for (const Column c : game::kAllColumns) {
        if (!position.can_play(c)) continue;
        best = std::max(best, expectimax_move_value(position, c, depth));
      }
      ASSERT_DOUBLE_EQ(best, slow_choice(position, depth, OpponentNode::kMean).utility);
    }
  }
}

TEST(Expectimax, OfDublinChoosesAndValuesAsItsListing) {
  Rng rng(7);
  for (int i = 0; i < 60; ++i) {
    const Position position = unfinished_position(rng);
    for (int depth = 1; depth <= 4; ++depth) {
      const auto slow = slow_choice(position, depth, OpponentNode::kQuotientBound);
      const DublinChoice fast = dublin_expectimax(position, depth);
      ASSERT_EQ(fast.utility, slow.utility);
      ASSERT_EQ(fast.column.index(), slow.move);
    }
  }
}

TEST(Expectimax, OfDublinIsNeitherTheTextbooksNorMinimax) {
  Rng rng(8);
  int unlike_textbook = 0;
  int unlike_minimax = 0;
  for (int i = 0; i < 100; ++i) {
    const Position position = unfinished_position(rng);
    const double dublin = dublin_expectimax(position, 3).utility;
    unlike_textbook += dublin != slow_choice(position, 3, OpponentNode::kMean).utility ? 1 : 0;
    unlike_minimax += dublin != slow_choice(position, 3, OpponentNode::kMinimum).utility ? 1 : 0;
  }
  EXPECT_GT(unlike_textbook, 10);
  EXPECT_GT(unlike_minimax, 10);
}

TEST(Rhodes, SeesTwoHolesOneAboveTheOther) {
  // Three in a row on the second and on the third level, both open at column 4, nothing below.
  const Position position = board("......./......./......./xxx.o../xxx.o../ooo.xo.");
  EXPECT_TRUE(has_stacked_holes(position.discs_of(game::Side::kFirst), position.filled()));
  EXPECT_FALSE(has_stacked_holes(position.discs_of(game::Side::kSecond), position.filled()));
}

TEST(Rhodes, EvaluatesInTheWordsOfThePaper) {
  Rng rng(9);
  int sums = 0;
  for (int i = 0; i < 3000; ++i) {
    const Position position = unfinished_position(rng);
    const int score = rhodes_score(position);
    ASSERT_EQ(score, rhodes_score(position.mirrored()));
    ASSERT_LE(std::abs(score), kRhodesWinning);
    if (position.winning_moves() != 0) {
      ASSERT_EQ(score, kRhodesWinning);
    }
    if (std::abs(score) == kRhodesWinning) continue;
    ++sums;
    int sum = 0;
    const SlowBoard slow(position);
    for (int c = 0; c < 7; ++c) {
      for (int r = 0; r < 6; ++r) {
        sum += slow.at(c, r) == 1   ? rhodes_weight(c, r)
               : slow.at(c, r) == 2 ? -rhodes_weight(c, r)
                                    : 0;
      }
    }
    ASSERT_EQ(score, sum);
  }
  EXPECT_GT(sums, 1000);
}

TEST(Rhodes, WeighsTheLowerMiddleMost) {
  for (int c = 0; c < 7; ++c) {
    for (int r = 0; r < 6; ++r) {
      EXPECT_LE(rhodes_weight(c, r), rhodes_weight(3, r));
      EXPECT_LE(rhodes_weight(c, r), rhodes_weight(c, 0));
    }
  }
}

TEST(Rhodes, GivesItsChildrensAnswers) {
  // The best of the seven answers is the move the whole program plays.
  Rng rng(10);
  for (int i = 0; i < 20; ++i) {
    const Position position = unfinished_position(rng);
    if (position.discs() > 34 || position.winning_moves() != 0) continue;
    int best = -kWin;
    for (const Column c : game::kAllColumns) {
      if (position.can_play(c)) best = std::max(best, rhodes_move_value(position, c, 4));
    }
    if (best >= kWinThreshold) continue;
    RhodesAgent agent({.depth = 4});
    EXPECT_EQ(rhodes_move_value(position, decide(agent, position).column, 4), best);
  }
}

}  // namespace
}  // namespace rowbot::agents::lookahead
