#include "game/grid.h"

#include "base/rng.h"
#include "game/random_game.h"
#include "gtest/gtest.h"

namespace rowbot::game {
namespace {

TEST(Grid, CountsRowsFromTheBottomAndStoresTheTopRowFirst) {
  Grid<int> grid{};
  grid.on(2, 0) = 1;
  grid.on(0, kRows - 1) = 2;
  EXPECT_EQ(grid[kCells - kColumns + 2], 1);
  EXPECT_EQ(grid.front(), 2);
  EXPECT_EQ((grid[Grid<int>::index_from_top(2, kRows - 1)]), 1);
}

TEST(Grid, GivesBackTheSquaresThatWereSet) {
  Rng rng(1);
  for (int i = 0; i < 500; ++i) {
    const Position position = testing::random_position(rng);
    Grid<char> grid{};
    grid.set(position.discs_of(Side::kFirst), 'x');
    grid.set(position.discs_of(Side::kSecond), 'o');
    EXPECT_EQ(grid.squares_with('x'), position.discs_of(Side::kFirst));
    EXPECT_EQ(grid.squares_with('o'), position.discs_of(Side::kSecond));
    EXPECT_EQ(grid.squares_with('\0'), kBoard & ~position.filled());
  }
}

}  // namespace
}  // namespace rowbot::game
