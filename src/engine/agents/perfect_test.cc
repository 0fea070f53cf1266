#include "engine/agents/perfect.h"

#include <algorithm>
#include <set>

#include "game/random_game.h"
#include "gtest/gtest.h"

namespace rowbot::agents {
namespace {

using game::Column;
using game::Position;

Decision decide(Agent& agent, const Position& position) {
  const auto decision = agent.choose(position, agent.budget(), {});
  EXPECT_TRUE(decision.has_value());
  return *decision;
}

/// A position of a random game that is far enough to be solved in no time.
Position late_position(Rng& rng) {
  while (true) {
    Position position;
    for (const Column c : game::testing::random_moves(rng, 20)) position = position.after(c);
    if (!position.outcome().finished()) return position;
  }
}

TEST(PerfectAgent, PlaysOnlyBestMoves) {
  Rng rng(1);
  PerfectAgent agent({});
  solver::Solver solver({.table_mb = 4});
  for (int i = 0; i < 20; ++i) {
    const Position position = late_position(rng);
    const auto scores = solver.column_scores(position);
    ASSERT_TRUE(scores.has_value());
    const Decision decision = decide(agent, position);
    const auto own = scores->scores.at(static_cast<std::size_t>(decision.column.index()));
    for (const auto& other : scores->scores) {
      if (other) {
        EXPECT_GE(own, other);
      }
    }
    ASSERT_TRUE(decision.proven.has_value());
    EXPECT_EQ(decision.proven->plies, solver::plies_to_end(*own, position.discs()));
  }
}

TEST(PerfectAgent, DefendsAThousandLostPositionsAsLongAsTheyCanBeDefended) {
  Rng rng(14);
  PerfectAgent defender({});
  PerfectAgent attacker({});
  solver::Solver solver({.table_mb = 4});
  int lost = 0;
  while (lost < 1000) {
    Position position = late_position(rng);
    const auto scores = solver.column_scores(position);
    ASSERT_TRUE(scores.has_value());
    const auto best = *std::max_element(scores->scores.begin(), scores->scores.end());
    if (best->value() >= 0) continue;
    ++lost;
    const int longest = solver::plies_to_end(*best, position.discs());
    int plies = 0;
    for (; !position.outcome().finished(); ++plies) {
      PerfectAgent& mover = plies % 2 == 0 ? defender : attacker;
      position = position.after(decide(mover, position).column);
    }
    EXPECT_EQ(plies, longest);
  }
}

TEST(PerfectAgent, VariesAmongEqualsBySeed) {
  Rng rng(5);
  PerfectAgent agent({});
  const Position p = late_position(rng);
  const auto best = solver::Solver({.table_mb = 4}).best_moves(p);
  std::set<Column> seen;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    agent.start_game(seed);
    seen.insert(decide(agent, p).column);
  }
  EXPECT_EQ(seen.size(), best->columns.size());
}

TEST(PerfectAgent, NeverLosesAWonEnding) {
  Rng rng(4);
  PerfectAgent perfect({});
  for (int i = 0; i < 10; ++i) {
    Position position = late_position(rng);
    const Decision first = decide(perfect, position);
    if (first.proven->value != Proven::Value::kWin) continue;
    const game::Side winner = position.to_move();
    while (!position.outcome().finished()) {
      const Column c = position.to_move() == winner ? decide(perfect, position).column
                                                    : game::testing::random_move(position, rng);
      position = position.after(c);
    }
    EXPECT_EQ(position.outcome().result, game::win_of(winner));
  }
}

}  // namespace
}  // namespace rowbot::agents
