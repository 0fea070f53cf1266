#include "robot/vision/cell_network.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "robot/vision/reader.h"
#include "robot/vision/synthetic.h"
#include "robot/vision/varied_board.h"

namespace rowbot::vision {
namespace {

// Seeds that training does not use.
constexpr std::uint64_t kUnseen = 0x5eed0000;

TEST(VariedBoard, IsTheSameForTheSameSeed) {
  const VariedBoard a = render_varied_board(kUnseen);
  const VariedBoard b = render_varied_board(kUnseen);
  EXPECT_EQ(a.truth, b.truth);
  EXPECT_EQ(cv::norm(a.image, b.image), 0);
}

TEST(VariedBoard, ShowsManyKindsOfCells) {
  std::array<int, 5> seen{};
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    for (const CellTruth t : render_varied_board(kUnseen + seed).truth) {
      ++seen[static_cast<std::size_t>(t)];
    }
  }
  EXPECT_GT(*std::min_element(seen.begin(), seen.end()), 0);
}

TEST(CellNetwork, TellsDiscsFromViewsOnBoardsOfAnyColour) {
  int cells = 0;
  int right = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const VariedBoard board = render_varied_board(kUnseen + seed);
    const CellLogits logits =
        run_cell_network(cut_patches(board.image, disturbed(board.geometry, seed)));
    for (std::size_t i = 0; i < kCells; ++i) {
      if (board.truth[i] == CellTruth::kNoCell || board.truth[i] == CellTruth::kUnclear) continue;
      const auto& l = logits[i];
      const bool disc = std::max(l[kClassFirst], l[kClassSecond]) > l[kClassEmpty];
      ++cells;
      right += disc == (board.truth[i] != CellTruth::kEmpty) ? 1 : 0;
    }
  }
  // A network that answers the same everywhere gets about half.
  EXPECT_GT(right, cells * 9 / 10) << "of " << cells;
}

TEST(ReadBoard, TurnsAPictureThatStandsOnItsHead) {
  BoardScene scene;
  Rng rng(3);
  scene.cells = random_cells(rng, 15);
  const auto standing = scene.cells;
  std::reverse(scene.cells.begin(), scene.cells.end());
  const auto reading = read_board(render_board(scene).image);
  ASSERT_TRUE(reading);
  EXPECT_TRUE(reading->upside_down);
  EXPECT_EQ(board_text(reading->board), board_text(standing));
  EXPECT_GT(reading->corners[0].y, reading->corners[2].y);
}

TEST(ReadBoard, LeavesAFloatingDiscWhereItIs) {
  BoardScene scene;
  Rng rng(4);
  scene.cells = random_cells(rng, 12);
  scene.cells[3] = cell::CellContent::kFirst;  // the top of the middle column
  ASSERT_EQ(scene.cells[3 + kColumns], cell::CellContent::kEmpty);
  const auto reading = read_board(render_board(scene).image);
  ASSERT_TRUE(reading);
  EXPECT_FALSE(reading->upside_down);
  EXPECT_NE(reading->board[3], cell::CellContent::kEmpty);
  EXPECT_EQ(reading->sight, cell::Sight::kPartial);
}

}  // namespace
}  // namespace rowbot::vision
