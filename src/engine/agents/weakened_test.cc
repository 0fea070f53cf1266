#include "engine/agents/weakened.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "engine/agents/mcts/agent.h"
#include "engine/agents/perfect.h"
#include "engine/agents/pick_move.h"
#include "game/random_game.h"
#include "gtest/gtest.h"

namespace rowbot::agents {
namespace {

using game::Position;

std::unique_ptr<Agent> perfect(const Weakness& weakness) {
  return weakened(std::make_unique<PerfectAgent>(PerfectOptions{}), weakness, 1);
}

/// Unfinished, and soon solved.
std::vector<Position> late_positions(std::size_t count) {
  Rng rng(3);
  std::vector<Position> positions;
  while (positions.size() < count) {
    const Position position = game::testing::random_position(rng);
    if (position.discs() >= 20 && !position.outcome().finished()) positions.push_back(position);
  }
  return positions;
}

bool is_best(const Decision& decision) {
  return std::ranges::any_of(decision.moves,
                             [&](const auto& m) { return m.column == decision.column; });
}

TEST(Weakened, MakesAsManyErrorsAsAsked) {
  const auto agent = perfect({.error = 0.3});
  int errors = 0;
  int chances = 0;
  for (const Position& position : late_positions(600)) {
    const auto decision = agent->choose(position, {}, {});
    ASSERT_TRUE(decision);
    if (obvious_moves(position) != 0) {
      EXPECT_TRUE(is_best(*decision)) << "nobody overlooks these";
      continue;
    }
    if (decision->moves.size() == static_cast<std::size_t>(game::count(position.legal_moves()))) {
      continue;  // every move is a best move
    }
    ++chances;
    errors += is_best(*decision) ? 0 : 1;
  }
  ASSERT_GT(chances, 50);
  EXPECT_NEAR(static_cast<double>(errors) / chances, 0.3, 0.15);
}

TEST(Weakened, BlundersWithoutThinking) {
  const auto agent = perfect({.blunders = 0.5});
  int thoughtless = 0;
  for (const Position& position : late_positions(400)) {
    const auto decision = agent->choose(position, {}, {});
    ASSERT_TRUE(decision);
    thoughtless += decision->proven ? 0 : 1;
  }
  EXPECT_NEAR(thoughtless, 200, 60);
}

TEST(Weakened, ClaimsLessOnlyWhenItBlunders) {
  EXPECT_TRUE(perfect({.error = 0.5})->claims().takes_wins);
  EXPECT_FALSE(perfect({.blunders = 0.1})->claims().takes_wins);
  EXPECT_FALSE(perfect({.blunders = 0.1})->claims().blocks_wins);
}

TEST(Weakened, IsTheAgentItselfWithoutAWeakness) {
  auto agent = std::make_unique<PerfectAgent>(PerfectOptions{});
  const Agent* const self = agent.get();
  EXPECT_EQ(weakened(std::move(agent), {}, 1).get(), self);
}

TEST(Weakened, SpendsTheTimeOfTheClockItIsGiven) {
  SimulatedClock clock;  // stands still: only the simulations end the search
  const auto agent = weakened(std::make_unique<mcts::MctsAgent>(mcts::Options{}),
                              {.blunders = 0, .error = 0.5}, 7);
  const auto decision = agent->choose(
      Position(), {.time = std::chrono::nanoseconds(1), .simulations = 640}, {}, clock);
  ASSERT_TRUE(decision);
  EXPECT_EQ(decision->simulations, 640U);
}

}  // namespace
}  // namespace rowbot::agents
