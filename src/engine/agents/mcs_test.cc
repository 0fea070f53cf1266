#include "engine/agents/mcs.h"

#include <algorithm>
#include <chrono>

#include "game/moves_text.h"
#include "gtest/gtest.h"

namespace rowbot::agents {
namespace {

using game::Column;
using game::Position;

Decision decide(const McsOptions& options, const Position& position) {
  McsAgent agent(options);
  auto decision = agent.choose(position, options.budget, {});
  EXPECT_TRUE(decision.has_value());
  return *decision;
}

TEST(Mcs, SplitsTheSimulationsEvenly) {
  const auto position = game::parse_moves("111111");
  ASSERT_TRUE(position.has_value());
  const Decision decision = decide({.budget = {.simulations = 1000}}, *position);
  EXPECT_EQ(decision.simulations, 1000U);
  ASSERT_EQ(decision.moves.size(), 6U);
  for (const MoveEvidence& move : decision.moves) {
    EXPECT_GE(*move.visits, 166U);
    EXPECT_LE(*move.visits, 167U);
  }
}

TEST(Mcs, SplitsTheTimeEvenly) {
  // Another process may take the core away in the middle of a move's share: seldom within the few
  // milliseconds that the system lets a process run on, and about as often in each of long shares.
  double most_even = 0;
  for (int attempt = 0; attempt < 70 && most_even < 0.5; ++attempt) {
    const std::chrono::milliseconds time(attempt < 50 ? 14 : 420);
    const Decision decision = decide({.budget = {.time = time}}, Position());
    EXPECT_GE(decision.elapsed, time);
    const auto [least, most] = std::minmax_element(
        decision.moves.begin(), decision.moves.end(),
        [](const MoveEvidence& a, const MoveEvidence& b) { return *a.visits < *b.visits; });
    most_even = std::max(most_even,
                         static_cast<double>(*least->visits) / static_cast<double>(*most->visits));
  }
  EXPECT_GE(most_even, 0.5);
}

TEST(Mcs, ScoresWinsMinusLosses) {
  const Decision decision = decide({.budget = {.simulations = 70'000}}, Position());
  // From the empty board the first player wins .5557 of random games and loses .4417.
  double sum = 0;
  for (const MoveEvidence& move : decision.moves) sum += *move.value;
  EXPECT_NEAR(sum / 7, 0.5557 - 0.4417, 0.01);
}

TEST(Mcs, LikesTheCentreOfTheEmptyBoard) {
  EXPECT_EQ(decide({.budget = {.simulations = 70'000}}, Position()).column, Column(3));
}

TEST(Mcs, WaitsForTimeAndSimulationsWhenAskedTo) {
  const Budget both{.time = std::chrono::milliseconds(20),
                    .simulations = 50'000,
                    .rule = Budget::Rule::kAllReached};
  const Decision decision = decide({.budget = both}, Position());
  EXPECT_GE(decision.elapsed, std::chrono::milliseconds(20));
  EXPECT_GE(decision.simulations, 50'000U);
}

}  // namespace
}  // namespace rowbot::agents
