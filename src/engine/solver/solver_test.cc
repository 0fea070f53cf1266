#include "engine/solver/solver.h"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/rng.h"
#include "base/stop.h"
#include "engine/solver/slow_negamax.h"
#include "game/moves_text.h"
#include "game/random_game.h"
#include "gtest/gtest.h"

namespace rowbot::solver {
namespace {

using game::Position;

#ifdef NDEBUG
constexpr int kFewer = 1;
#else
constexpr int kFewer = 20;  // sanitizers and asserts make everything slower
#endif

Position played(std::string_view digits) {
  const auto position = game::parse_moves(digits);
  EXPECT_TRUE(position.has_value()) << digits;
  return position.value_or(Position());
}

int score_of(Solver& solver, const Position& position) {
  const auto solution = solver.score(position);
  EXPECT_TRUE(solution.has_value());
  return solution->score.value();
}

/// An unfinished position of a random game with so many discs.
Position random_unfinished(Rng& rng, int discs) {
  while (true) {
    Position position;
    for (const game::Column c : game::testing::random_moves(rng, discs)) {
      position = position.after(c);
    }
    if (position.discs() == discs && !position.outcome().finished()) return position;
  }
}

TEST(Solver, EqualsASlowNegamaxOnLatePositions) {
  Rng rng(1);
  Solver solver({.table_mb = 1});
  for (int i = 0; i < 100'000 / kFewer; ++i) {
    const Position position = random_unfinished(rng, 34 + static_cast<int>(rng.below(8)));
    ASSERT_EQ(score_of(solver, position), testing::slow_score(position)) << position.key();
  }
}

TEST(Solver, EqualsASlowNegamaxTenMovesBeforeTheEnd) {
  Rng rng(2);
  Solver solver({.table_mb = 1});
  for (int i = 0; i < 1'000 / kFewer; ++i) {
    const Position position = random_unfinished(rng, 31 + static_cast<int>(rng.below(3)));
    ASSERT_EQ(score_of(solver, position), testing::slow_score(position)) << position.key();
  }
}

TEST(Solver, ScoresAMirroredPositionTheSame) {
  Rng rng(3);
  Solver solver({.table_mb = 4});
  for (int i = 0; i < 400 / kFewer; ++i) {
    const Position position = random_unfinished(rng, 16 + static_cast<int>(rng.below(20)));
    const int score = score_of(solver, position);
    solver.forget();
    ASSERT_EQ(score_of(solver, position.mirrored()), score) << position.key();
  }
}

TEST(Solver, ScoresTheSameWithAnyThreadsAndTable) {
  Rng rng(4);
  Solver one({.table_mb = 16});
  Solver tiny({.table_mb = 1});
  Solver many({.table_mb = 16, .threads = 3});
  for (int i = 0; i < 60 / kFewer; ++i) {
    const Position position = random_unfinished(rng, 12 + static_cast<int>(rng.below(6)));
    const int score = score_of(one, position);
    ASSERT_EQ(score_of(tiny, position), score) << position.key();
    ASSERT_EQ(score_of(many, position), score) << position.key();
  }
}

TEST(Solver, TellsOnlyTheSignWhenAskedWeakly) {
  Rng rng(5);
  Solver solver({.table_mb = 4});
  for (int i = 0; i < 200 / kFewer; ++i) {
    const Position position = random_unfinished(rng, 18 + static_cast<int>(rng.below(20)));
    const int strong = score_of(solver, position);
    solver.forget();
    const auto weak = solver.score(position, {.weak = true});
    ASSERT_TRUE(weak.has_value());
    ASSERT_EQ(weak->score.value(), (strong > 0) - (strong < 0)) << position.key();
    // Its best moves are all that keep the outcome, and its line ends as it says.
    const auto columns = solver.column_scores(position, {.weak = true});
    const auto best = solver.best_moves(position, {.weak = true});
    ASSERT_TRUE(columns.has_value() && best.has_value());
    std::vector<game::Column> expected;
    for (const game::Column c : game::kAllColumns) {
      if (columns->scores.at(static_cast<std::size_t>(c.index())) == weak->score) {
        expected.push_back(c);
      }
    }
    ASSERT_EQ(best->columns, expected) << position.key();
  }
}

TEST(Solver, GivesColumnScoresThatFitThePosition) {
  Rng rng(6);
  Solver solver({.table_mb = 4});
  for (int i = 0; i < 100 / kFewer; ++i) {
    const Position position = random_unfinished(rng, 18 + static_cast<int>(rng.below(20)));
    const auto columns = solver.column_scores(position);
    const auto best = solver.best_moves(position);
    ASSERT_TRUE(columns.has_value() && best.has_value());
    std::vector<game::Column> expected;
    for (const game::Column c : game::kAllColumns) {
      const auto& score = columns->scores.at(static_cast<std::size_t>(c.index()));
      ASSERT_EQ(score.has_value(), position.can_play(c));
      if (score) {
        ASSERT_LE(*score, best->score);
      }
      if (score == best->score) expected.push_back(c);
    }
    ASSERT_EQ(best->columns, expected) << position.key();
  }
}

TEST(Solver, PlaysItsLineToTheEndItPromises) {
  Rng rng(7);
  Solver solver({.table_mb = 4});
  for (int i = 0; i < 60 / kFewer; ++i) {
    Position position = random_unfinished(rng, 20 + static_cast<int>(rng.below(20)));
    const auto solution = solver.score(position);
    ASSERT_TRUE(solution.has_value());
    const auto line = solver.principal_variation(position, solution->score);
    ASSERT_EQ(static_cast<int>(line.size()), plies_to_end(solution->score, position.discs()));
  }
}

TEST(Solver, GivesUpWithinItsNodesAndGoesOnLater) {
  Solver solver({.table_mb = 16});
  const Position position = played("335662333565");
  EXPECT_FALSE(solver.score(position, {.nodes = 1'000}).has_value());
  const auto solution = solver.score(position);
  ASSERT_TRUE(solution.has_value());
  EXPECT_GT(solution->nodes, 1'000U);
}

TEST(Solver, GivesUpWhenStopped) {
  for (const int threads : {1, 2}) {
    Solver solver({.table_mb = 16, .threads = threads});
    StopSource source;
    const std::jthread stopper([&source] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      source.request_stop();
    });
    EXPECT_FALSE(solver.score(Position(), {.stop = source.get_token()}).has_value());
    EXPECT_EQ(score_of(solver, played("335662333565")), -2) << "and can be asked again";
  }
}

TEST(Solver, GivesUpAtItsDeadline) {
  SimulatedClock clock;
  const Deadline later(clock, clock.now() + std::chrono::seconds(1));
  for (const int threads : {1, 2}) {
    Solver solver({.table_mb = 16, .threads = threads});
    EXPECT_EQ(solver.score(played("335662333565"), {.deadline = later})->score.value(), -2);
    const Deadline over(clock, clock.now());
    EXPECT_FALSE(solver.score(Position(), {.deadline = over}).has_value());
  }
}

/// The classic public sets of positions with their scores; absent in a released package.
class ClassicSet : public ::testing::TestWithParam<std::pair<const char*, int>> {};

TEST_P(ClassicSet, IsScoredRight) {
  const auto& [name, every] = GetParam();
  std::ifstream file(std::string(ROWBOT_SOURCE_DIR) + "/../shared/data/solver/" + name + ".txt");
  if (!file) GTEST_SKIP() << "the classic position sets are not beside the source tree";
  Solver solver({.table_mb = 16});
  std::string line;
  for (int i = 0; std::getline(file, line); ++i) {
    if (i % (every * kFewer) != 0) continue;
    std::istringstream fields(line);
    std::string moves;
    int expected = 0;
    ASSERT_TRUE(fields >> moves >> expected) << line;
    ASSERT_EQ(score_of(solver, played(moves)), expected) << moves;
  }
}

INSTANTIATE_TEST_SUITE_P(Easy, ClassicSet,
                         ::testing::Values(std::pair{"Test_L3_R1", 1}, std::pair{"Test_L2_R1", 1},
                                           std::pair{"Test_L1_R1", 1}));
INSTANTIATE_TEST_SUITE_P(Hard, ClassicSet,
                         ::testing::Values(std::pair{"Test_L2_R2", 2}, std::pair{"Test_L1_R2", 25},
                                           std::pair{"Test_L1_R3", 125}));

}  // namespace
}  // namespace rowbot::solver
