// A wrong bound is the worst fault a solver can have: each one is held against a plain search on
// many positions, also where the search would not ask it.
#include "engine/solver/bounds.h"

#include <algorithm>
#include <string>

#include "base/rng.h"
#include "engine/solver/score.h"
#include "game/random_game.h"
#include "gtest/gtest.h"

namespace rowbot::solver {
namespace {

using game::Position;

#ifdef NDEBUG
constexpr int kPositions = 60'000;
#else
constexpr int kPositions = 2'000;  // sanitizers and asserts make everything slower
#endif

Node node_of(const Position& position) {
  return {.mover = position.mover(),
          .filled = position.filled(),
          .mover_threats = completing(position.mover()),
          .opponent_threats = completing(position.opponent()),
          .discs = position.discs()};
}

/// The score between alpha and beta, by plain alpha-beta: no bounds, no table.
// NOLINTNEXTLINE(misc-no-recursion): a plain game tree
int plain_score(const Position& position, int alpha, int beta) {
  if (position.winning_moves() != 0) return win_now(position.discs());
  if (position.discs() == game::kCells - 1) return 0;
  int best = -win_now(position.discs() + 1);
  for (const game::Column column :
       {game::Column(3), game::Column(2), game::Column(4), game::Column(1), game::Column(5),
        game::Column(0), game::Column(6)}) {
    if (best >= beta) break;
    if (!position.can_play(column)) continue;
    best = std::max(best, -plain_score(position.after(column), -beta, -std::max(alpha, best)));
  }
  return best;
}

/// A position of a random game in which nobody can win at once, as the bounds require.
Position quiet_position(Rng& rng, int fewest_discs) {
  while (true) {
    const int discs =
        fewest_discs + static_cast<int>(rng.below(static_cast<std::uint32_t>(41 - fewest_discs)));
    Position position;
    for (const game::Column c : game::testing::random_moves(rng, discs)) {
      position = position.after(c);
    }
    if (position.discs() != discs || position.outcome().finished()) continue;
    const Bits both = position.mover_threats() | position.opponent_threats();
    if ((both & position.legal_moves()) == 0) return position;
  }
}

struct Found {
  int claim_even = 0;
  int several_threats = 0;
  int odd_threat = 0;
  int cannot_win = 0;
  int late = 0;
};

void check(const Position& position, Found& found) {
  const Node node = node_of(position);
  const int score = plain_score(position, -21, 21);
  const auto key = std::to_string(position.key());
  for (int alpha = kLeastStaticBound - 1; alpha <= 8; ++alpha) {
    const int bound = static_upper_bound(node, alpha);
    if (bound <= alpha) {
      ASSERT_LE(score, bound) << key;
    }
  }
  if (node.discs % 2 == 0) {
    const int bound = bound_by_claim_even(node, 0);
    ASSERT_LE(score, bound) << key;
    if (bound != kUnbounded) ++found.claim_even;
    if (bound < kLeastOfOneThreat) ++found.several_threats;
    return;
  }
  const int bound = bound_by_odd_threat(node);
  ASSERT_LE(score, bound) << key;
  if (bound != kUnbounded) ++found.odd_threat;
  if (second_cannot_win(node)) {
    ++found.cannot_win;
    ASSERT_LE(score, 0) << key;
  }
  for (int alpha = 0; alpha <= 8; ++alpha) {
    if (!second_wins_late(node, alpha)) continue;
    ASSERT_LE(score, alpha) << key;
    if (alpha < win_now(node.discs + 4)) ++found.late;
  }
}

TEST(Bounds, AreNeverBelowTheScore) {
  Rng rng(11);
  Found found;
  for (int i = 0; i < kPositions && !HasFatalFailure(); ++i) check(quiet_position(rng, 31), found);
  for (int i = 0; i < kPositions / 40 && !HasFatalFailure(); ++i) {
    check(quiet_position(rng, 27), found);
  }
  // Each of them has been put to the test.
  EXPECT_GT(found.claim_even, kPositions / 100);
  EXPECT_GT(found.several_threats, kPositions / 10'000);
  EXPECT_GT(found.odd_threat, kPositions / 100);
  EXPECT_GT(found.cannot_win, kPositions / 100);
  EXPECT_GT(found.late, kPositions / 100);
}

}  // namespace
}  // namespace rowbot::solver
