#include "service/server/games/advice.h"

#include <optional>
#include <string_view>

#include "game/moves_text.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace rowbot::server {
namespace {

using game::Column;
using game::GameResult;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A whole drawn game; tests begin late in it, where the solver is quick.
constexpr std::string_view kDrawn = "121212212121343434434343565656656565777777";

solver::Solver small_solver() {
  return solver::Solver({.table_mb = 8, .book = &solver::Book::built_in()});
}

TEST(Advice, KnowsThatTheFirstPlayerWinsInTheCentre) {
  auto solver = small_solver();
  const auto analysis = analyse(solver, {}, {});
  ASSERT_TRUE(analysis);
  EXPECT_EQ(analysis->result, GameResult::kFirstWins);
  EXPECT_EQ(analysis->score, 1);
  EXPECT_THAT(analysis->best, ElementsAre(Column(3)));
  EXPECT_EQ(analysis->plies, 41);
  ASSERT_EQ(analysis->line.size(), 41);  // to the end: a single move would say nothing
  EXPECT_EQ(analysis->line.front(), Column(3));
  EXPECT_THAT(analysis->text, HasSubstr("First player wins in 21 moves"));
}

TEST(Advice, FollowsALineToItsEndWhereThatIsQuick) {
  auto solver = small_solver();
  const auto played = game::parse_played(kDrawn.substr(0, 24)).value();
  const auto analysis = analyse(solver, played.position, {});
  ASSERT_TRUE(analysis);
  EXPECT_EQ(static_cast<int>(analysis->line.size()), analysis->plies);
}

TEST(Advice, SaysHowAFinishedGameEnded) {
  auto solver = small_solver();
  const auto analysis = analyse(solver, *game::parse_moves("1212121"), {});
  EXPECT_EQ(analysis->result, GameResult::kFirstWins);
  EXPECT_TRUE(analysis->best.empty());
  EXPECT_EQ(analysis->plies, 0);
}

TEST(Advice, HintsAtAWinAtOnce) {
  auto solver = small_solver();
  const auto win = hint(solver, *game::parse_moves("121212"), {});
  EXPECT_EQ(win->column, Column(0));
  EXPECT_EQ(win->text, "wins in 1 move");
}

TEST(Advice, ReviewKeepsToTheLawsOfScores) {
  auto solver = small_solver();
  const auto moves = game::parse_played(kDrawn).value().moves;
  constexpr std::size_t kStart = 22;
  const auto found = review(solver, moves, kStart, GameResult::kDraw, {});
  ASSERT_TRUE(found);
  ASSERT_EQ(found->moves.size(), moves.size() - kStart);
  EXPECT_EQ(found->moves.front().ply, static_cast<int>(kStart) + 1);
  std::optional<int> last_mistake;
  for (const ReviewedMove& move : found->moves) {
    EXPECT_LE(move.score, move.best_score);
    EXPECT_FALSE(move.text.empty());
    EXPECT_EQ(move.kept, (move.score > 0) == (move.best_score > 0) &&
                             (move.score < 0) == (move.best_score < 0));
    if (!move.kept) last_mistake = move.ply;
  }
  EXPECT_EQ(found->turning_point, last_mistake);
  EXPECT_EQ(found->moves.back().score, 0);
  EXPECT_FALSE(found->summary.empty());
}

TEST(Advice, StopsWhenAsked) {
  solver::Solver solver({.table_mb = 8});  // without a book this would take long
  StopSource stop;
  stop.request_stop();
  EXPECT_FALSE(analyse(solver, *game::parse_moves("44"), stop.get_token()));
}

}  // namespace
}  // namespace rowbot::server
