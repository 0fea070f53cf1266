#include "engine/solver/score.h"

#include "gtest/gtest.h"

namespace rowbot::solver {
namespace {

TEST(Score, CountsFromTheLastDisc) {
  EXPECT_EQ(win_now(41), 1);  // the second player's last disc
  EXPECT_EQ(win_now(40), 1);  // the first player's last disc
  EXPECT_EQ(win_now(39), 2);
  EXPECT_EQ(win_now(7), 18);
  EXPECT_EQ(win_now(6), 18);
}

TEST(Score, TellsThePliesToTheEnd) {
  for (int discs = 0; discs < game::kCells; ++discs) {
    EXPECT_EQ(plies_to_end(Score(win_now(discs)), discs), 1);
    if (discs < 41) {
      EXPECT_EQ(plies_to_end(Score(-win_now(discs + 1)), discs), 2);
    }
    if (discs < 40) {
      EXPECT_EQ(plies_to_end(Score(win_now(discs + 2)), discs), 3);
    }
    EXPECT_EQ(plies_to_end(Score(0), discs), game::kCells - discs);
  }
}

TEST(Score, SaysItInWords) {
  EXPECT_EQ(in_words(Score(1), 0), "first player wins in 21 moves");
  EXPECT_EQ(in_words(Score(win_now(7)), 7), "second player wins in 1 move");
  EXPECT_EQ(in_words(Score(-win_now(8)), 7), "first player wins in 1 move");
  EXPECT_EQ(in_words(Score(0), 12), "draw");
}

}  // namespace
}  // namespace rowbot::solver
