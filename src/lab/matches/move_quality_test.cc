#include "lab/matches/move_quality.h"

#include "game/moves_text.h"
#include "gtest/gtest.h"

namespace rowbot::lab {
namespace {

using roster::operator""_agent;

PlayedGame game_of(std::string_view moves) {
  return {.number = 0, .record = {.moves = game::parse_played(moves)->moves}};
}

TEST(MoveQuality, FindsTheMoveThatGaveTheGameAway) {
  // Late in a game, so that the solver needs no time: 12 opening plies, then three moves. The
  // second player stands to win (score -2 for the first); only column 6 holds out so long.
  solver::Solver solver;
  const MatchSpec spec{.a = "random"_agent, .b = "random"_agent, .opening_plies = 12};
  const auto best = judge_game(solver, spec, game_of("3356623335656"));
  ASSERT_TRUE(best);
  ASSERT_EQ(best->size(), 1U);
  EXPECT_EQ(best->front().best, -2);
  EXPECT_EQ(best->front().played, -2);
  const auto other = judge_game(solver, spec, game_of("3356623335651"));
  ASSERT_TRUE(other);
  EXPECT_LT(other->front().played, -2);
  EXPECT_TRUE(other->front().keeps_value());  // lost is lost
}

TEST(MoveQuality, AddsUpBothPlayersApart) {
  MoveQuality a;
  MoveQuality b;
  const std::vector<JudgedMove> moves{{.ply = 0, .by = Role::kA, .best = 1, .played = 1},
                                      {.ply = 1, .by = Role::kB, .best = -1, .played = -3},
                                      {.ply = 2, .by = Role::kA, .best = 3, .played = 0},
                                      {.ply = 3, .by = Role::kB, .best = 0, .played = 0},
                                      {.ply = 4, .by = Role::kA, .best = 0, .played = -4}};
  add_game(a, moves, Role::kA);
  add_game(b, moves, Role::kB);
  EXPECT_EQ(a.moves, 3U);
  EXPECT_EQ(a.kept, 1U);
  EXPECT_NEAR(a.mean_score_lost(), 7.0 / 3, 1e-12);
  EXPECT_EQ(a.median_first_mistake(), 3);
  EXPECT_EQ(a.faultless_games(), 0U);
  EXPECT_EQ(b.share_kept(), 1);
  EXPECT_EQ(b.score_lost, 2U);
  EXPECT_EQ(b.faultless_games(), 1U);
  EXPECT_FALSE(b.median_first_mistake());
}

TEST(MoveQuality, StopsWhenAskedTo) {
  solver::Solver solver;
  StopSource stop;
  stop.request_stop();
  EXPECT_FALSE(judge_game(solver, {.a = "random"_agent, .b = "random"_agent}, game_of("4444"),
                          stop.get_token()));
}

}  // namespace
}  // namespace rowbot::lab
