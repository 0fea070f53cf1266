#include "engine/agents/random_agent.h"

#include <array>
#include <cstddef>
#include <string_view>

#include "game/moves_text.h"
#include "game/position_text.h"
#include "gtest/gtest.h"

namespace rowbot::agents {
namespace {

using game::Column;
using game::Position;

Position played(std::string_view digits) {
  const auto position = game::parse_moves(digits);
  EXPECT_TRUE(position.has_value());
  return position.value_or(Position());
}

Column choice(Agent& agent, const Position& position) {
  const auto decision = agent.choose(position, agent.budget(), {});
  EXPECT_TRUE(decision.has_value());
  return decision->column;
}

TEST(RandomAgent, ChoosesEachLegalMoveEquallyOften) {
  constexpr int kDraws = 60'000;
  RandomAgent agent({.seed = 5});
  const Position position = played("444444");  // six columns left
  std::array<int, 7> counts{};
  for (int i = 0; i < kDraws; ++i) {
    ++counts.at(static_cast<std::size_t>(choice(agent, position).index()));
  }
  EXPECT_EQ(counts[3], 0);
  double chi_square = 0;
  for (std::size_t c = 0; c < 7; ++c) {
    const double expected = c == 3 ? 0 : kDraws / 6.0;
    if (c != 3) chi_square += (counts.at(c) - expected) * (counts.at(c) - expected) / expected;
  }
  EXPECT_LT(chi_square, 20.5);  // 5 degrees of freedom, passed 999 times in 1,000
}

TEST(ForwardAgent, WinsRatherThanBlocks) {
  ForwardAgent agent{RandomOptions{}};
  for (int i = 0; i < 50; ++i) EXPECT_EQ(choice(agent, played("171717")), Column(0));
}

TEST(ForwardAgent, BlocksTheOnlyThreat) {
  ForwardAgent agent{RandomOptions{}};
  for (int i = 0; i < 50; ++i) EXPECT_EQ(choice(agent, played("17171")), Column(0));
}

TEST(ForwardAgent, DoesNotPlayBelowAWinOfTheOpponent) {
  // The second player waits for the square above the empty bottom of column 4.
  const auto parsed = game::parse_board("......./......./......./......./ooo..../xxo.xx.");
  ASSERT_TRUE(parsed.has_value());
  const Position& position = *parsed;
  const game::Bits given = position.opponent_threats() >> 1;
  ASSERT_EQ(position.winning_moves() | (position.opponent_threats() & position.legal_moves()), 0U);
  ASSERT_NE(given & position.legal_moves(), 0U);
  ForwardAgent agent{RandomOptions{}};
  for (int i = 0; i < 200; ++i) {
    const Column c = choice(agent, position);
    EXPECT_EQ(given & position.legal_moves() & game::column_mask(c.index()), 0U);
  }
}

TEST(ForwardAgent, PlaysOnWhenEveryMoveLoses) {
  // Two open ends: nothing helps, but there is still a legal move.
  const Position position = played("34445");
  ForwardAgent agent{RandomOptions{}};
  EXPECT_TRUE(position.can_play(choice(agent, position)));
}

}  // namespace
}  // namespace rowbot::agents
