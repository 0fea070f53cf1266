#include "engine/agents/playout/playout.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "engine/agents/playout/scalar.h"
#include "game/moves_text.h"
#include "game/random_game.h"
#include "game/referee_2d.h"
#include "gtest/gtest.h"

namespace rowbot::agents::playout {
namespace {

using game::Position;
using game::testing::Referee2d;

constexpr std::array kPolicies{Policy::kUniform, Policy::kWin, Policy::kWinBlock, Policy::kCareful};

Position unfinished_position(Rng& rng) {
  while (true) {
    const Position position = game::testing::random_position(rng);
    if (!position.outcome().finished()) return position;
  }
}

/// Whether a disc of `player` in this column would close a line of four: looks along each line.
bool closes_line(const Referee2d& referee, int column, int player) {
  int row = 0;
  while (row < 6 && referee.cell(column, row) != 0) ++row;
  if (row == 6) return false;
  constexpr std::array<std::pair<int, int>, 4> kSteps{{{1, 0}, {0, 1}, {1, 1}, {1, -1}}};
  for (const auto& [right, up] : kSteps) {
    int length = 1;
    for (const int way : {1, -1}) {
      int c = column + way * right;
      int r = row + way * up;
      while (c >= 0 && c < 7 && r >= 0 && r < 6 && referee.cell(c, r) == player) {
        ++length;
        c += way * right;
        r += way * up;
      }
    }
    if (length >= 4) return true;
  }
  return false;
}

struct SlowEnding {
  Referee2d::State state;
  int plies;
};

/// One playout by the slow referee, in the words of the policy's definition.
SlowEnding slow_playout(Referee2d referee, int moves, Policy policy, Rng& rng) {
  int plies = 0;
  for (; referee.state() == Referee2d::State::kGoing; ++plies) {
    const int mover = (moves + plies) % 2 == 0 ? 1 : 2;
    int column = -1;
    std::vector<int> safe;
    for (int c = 0; c < 7 && policy == Policy::kCareful; ++c) {
      if (referee.cell(c, 5) != 0) continue;
      Referee2d after = referee;
      after.play(c);
      if (!closes_line(after, c, 3 - mover)) safe.push_back(c);
    }
    if (!safe.empty()) column = safe[rng.below(static_cast<std::uint32_t>(safe.size()))];
    for (int c = 6; c >= 0 && policy >= Policy::kWinBlock; --c) {
      if (closes_line(referee, c, 3 - mover)) column = c;
    }
    for (int c = 6; c >= 0 && policy != Policy::kUniform; --c) {
      if (closes_line(referee, c, mover)) column = c;
    }
    while (column < 0 || referee.cell(column, 5) != 0) column = static_cast<int>(rng.below(7));
    referee.play(column);
  }
  return {referee.state(), plies};
}

TEST(Playout, EveryKernelGivesTheResultsOfTheScalarOneBitByBit) {
  Rng rng(11);
  for (int round = 0; round < 200; ++round) {
    const Position position = unfinished_position(rng);
    const std::uint64_t seed = rng();
    for (const Policy policy : kPolicies) {
      Rng scalar_rng(seed);
      const Tally expected = run(kScalarKernel, policy, position, 16 * 5 + 7, scalar_rng);
      for (const Kernel* kernel : available_kernels()) {
        Rng kernel_rng(seed);
        EXPECT_EQ(run(*kernel, policy, position, 16 * 5 + 7, kernel_rng), expected) << kernel->name;
      }
    }
  }
}

TEST(Playout, EveryKernelFinishesAQueueOfDifferentGamesAsTheScalarOne) {
  Rng rng(12);
  for (std::size_t count = 0; count < 60; ++count) {
    std::vector<Job> jobs(count);
    for (Job& job : jobs) {
      const Position position = unfinished_position(rng);
      job = {.mover = position.mover(), .filled = position.filled(), .seed = rng()};
    }
    for (const Policy policy : kPolicies) {
      std::vector<std::uint8_t> expected(count, 99);
      kScalarKernel.finish(policy, jobs.data(), count, expected.data());
      for (const Kernel* kernel : available_kernels()) {
        std::vector<std::uint8_t> points(count, 99);
        kernel->finish(policy, jobs.data(), count, points.data());
        EXPECT_EQ(points, expected) << kernel->name;
      }
    }
  }
}

/// Pearson's statistic for two samples that should come from one distribution.
double two_sample_chi_square(const std::vector<double>& a, const std::vector<double>& b) {
  double total_a = 0;
  double total_b = 0;
  for (const double n : a) total_a += n;
  for (const double n : b) total_b += n;
  double chi_square = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] + b[i] == 0) continue;
    const double d = std::sqrt(total_b / total_a) * a[i] - std::sqrt(total_a / total_b) * b[i];
    chi_square += d * d / (a[i] + b[i]);
  }
  return chi_square;
}

constexpr std::size_t kLengths = 15;

/// Counts by result of the side that starts, and plies in threes.
using Counts = std::vector<double>;

std::size_t cell_of(std::uint8_t points, int plies) {
  return points * kLengths + static_cast<std::size_t>(plies) / 3;
}

class PlayoutDistribution : public ::testing::TestWithParam<Policy> {};

// That the other kernels equal the scalar one is tested above, so its distribution is theirs.
TEST_P(PlayoutDistribution, IsThatOfTheSlowReferee) {
  constexpr int kSlowPlayouts = 6'000;
  constexpr int kFastPlayouts = 200'000;
  for (const char* moves : {"", "4444", "44153162", "121212767676"}) {
    const auto played = game::parse_played(moves);
    ASSERT_TRUE(played.has_value());
    const int moved = static_cast<int>(played->moves.size());
    Referee2d referee;
    for (const game::Column c : played->moves) referee.play(c.index());
    Rng rng(77);
    Counts slow(3 * kLengths);
    for (int i = 0; i < kSlowPlayouts; ++i) {
      const SlowEnding ending = slow_playout(referee, moved, GetParam(), rng);
      std::uint8_t points = kDrawnPoints;
      if (ending.state != Referee2d::State::kDrawn) {
        const bool first_won = ending.state == Referee2d::State::kFirstWon;
        points = first_won == (moved % 2 == 0) ? kWonPoints : kLostPoints;
      }
      slow[cell_of(points, ending.plies)] += 1;
    }
    for (const bool as_jobs : {false, true}) {
      Counts fast(3 * kLengths);
      StreamDraws stream(rng() | 1);
      for (int i = 0; i < kFastPlayouts; ++i) {
        JobDraws job(rng());
        const Ending ending = as_jobs ? play_out(GetParam(), played->position, job)
                                      : play_out(GetParam(), played->position, stream);
        fast[cell_of(ending.points, ending.plies)] += 1;
      }
      // At most 44 degrees of freedom: 78.7 is exceeded once in 1,000 times.
      EXPECT_LT(two_sample_chi_square(slow, fast), 78.7) << "from '" << moves << "'";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(EveryPolicy, PlayoutDistribution, ::testing::ValuesIn(kPolicies));

TEST(Playout, HasTheKnownMeansOfRandomGamesFromTheEmptyBoard) {
  constexpr std::uint64_t kPlayouts = 1'600'000;
  Rng rng(1);
  const Tally tally = run(fastest_kernel(), Policy::kUniform, Position(), kPlayouts, rng);
  const auto share = [&](std::uint64_t n) { return static_cast<double>(n) / kPlayouts; };
  EXPECT_NEAR(share(tally.plies), 21.31, 0.03);
  EXPECT_NEAR(share(tally.mover_wins), 0.5557, 0.002);
  EXPECT_NEAR(share(tally.draws), 0.0026, 0.0002);
}

}  // namespace
}  // namespace rowbot::agents::playout
