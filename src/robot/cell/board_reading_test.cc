#include "robot/cell/board_reading.h"

#include <gtest/gtest.h>

#include "base/rng.h"

namespace rowbot::cell {
namespace {

TEST(BoardText, OfAnyBoardIsReadBackTheSame) {
  Rng rng(7);
  for (int round = 0; round < 200; ++round) {
    BoardCells cells{};
    for (CellContent& c : cells) c = static_cast<CellContent>(rng.below(4));
    const auto back = parse_board_text(board_text(cells));
    ASSERT_TRUE(back.has_value()) << back.error().message;
    EXPECT_EQ(*back, cells);
  }
}

TEST(BoardText, StartsWithTheTopLeftCell) {
  BoardCells cells{};
  cells[cell_index(0, 0)] = CellContent::kFirst;
  cells[cell_index(6, 5)] = CellContent::kSecond;
  cells[cell_index(1, 5)] = CellContent::kHidden;
  EXPECT_EQ(board_text(cells), "A....../......./......./......./......./.?....B");
}

TEST(BoardText, SaysWhatIsWrongWithABadOne) {
  EXPECT_NE(parse_board_text("").error().message.find("got 0"), std::string::npos);
  EXPECT_NE(parse_board_text("......./......./......./......./......./......x")
                .error()
                .message.find("character 47"),
            std::string::npos);
  EXPECT_NE(parse_board_text("......../....../......./......./......./.......")
                .error()
                .message.find("between rows"),
            std::string::npos);
}

TEST(ColourText, IsTheUsualHexNotation) {
  EXPECT_EQ(colour_text({.red = 255, .green = 1, .blue = 16}), "#ff0110");
}

}  // namespace
}  // namespace rowbot::cell
