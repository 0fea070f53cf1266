#include "robot/table/table_snapshot.h"

#include <gtest/gtest.h>

namespace rowbot::table {
namespace {

using game::Column;

/// The human is first, and these moves were made.
TableSnapshot after(std::vector<Column> moves, Request request = Request::kPlay) {
  TableSnapshot now;
  now.state = TableState::kWaiting;
  now.request = request;
  now.game = 7;
  now.record = Session({.second = {.agent = "forward"}, .start = std::move(moves)}).snapshot();
  return now;
}

TEST(TableSnapshot, AWishIsJudgedByTheGameAndTheMoment) {
  const Column c(3);
  EXPECT_EQ(judge_wish(TableSnapshot{}, {.column = c}), Verdict::kStale) << "no game yet";
  EXPECT_EQ(judge_wish(after({}), {.column = c, .game = 7, .ply = 0}), Verdict::kFine);
  EXPECT_EQ(judge_wish(after({}), {.column = c, .game = 6, .ply = 0}), Verdict::kStale);
  EXPECT_EQ(judge_wish(after({c, c}), {.column = c, .game = 7, .ply = 0}), Verdict::kStale);
  EXPECT_EQ(judge_wish(after({c}), {.column = c, .game = 7, .ply = 1}), Verdict::kNotYourTurn);
  EXPECT_EQ(judge_wish(after({c, c, c, c, c, c}), {.column = c, .game = 7, .ply = 6}),
            Verdict::kColumnFull);
  EXPECT_EQ(judge_wish(after({}, Request::kNothing), {.column = c, .game = 7, .ply = 0}),
            Verdict::kNotYourTurn)
      << "the arm is not ready yet";
  const Column d(0);
  EXPECT_EQ(judge_wish(after({c, d, c, d, c, d, c}), {.column = d, .game = 7, .ply = 7}),
            Verdict::kGameOver);
}

TEST(TableSnapshot, AGameIsUnderWayFromItsFirstMoveToItsLast) {
  const Column c(3);
  const Column d(0);
  EXPECT_FALSE(under_way(TableSnapshot{}));
  EXPECT_FALSE(under_way(after({})));
  EXPECT_TRUE(under_way(after({c})));
  EXPECT_FALSE(under_way(after({c, d, c, d, c, d, c})));
}

}  // namespace
}  // namespace rowbot::table
