#include "robot/vision/reader.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <string>

#include "robot/vision/expect.h"
#include "robot/vision/synthetic.h"

namespace rowbot::vision {
namespace {

using cell::CellContent;
using cell::Sight;

// More cases than the quick suite runs: ROWBOT_CASES=3000 vision_test
int cases(int usual) {
  const char* wanted = std::getenv("ROWBOT_CASES");
  return wanted == nullptr ? usual : std::max(usual, std::atoi(wanted));
}

Tally read_scenes(int count, std::uint64_t first_seed, double difficulty) {
  Tally tally;
  for (int i = 0; i < count; ++i) {
    const RenderedBoard board =
        render_board(random_scene(first_seed + static_cast<std::uint64_t>(i), difficulty));
    const auto reading = read_board(board.image);
    EXPECT_TRUE(reading.has_value());
    add_to_tally({.file = "", .group = "", .board = board.truth}, *reading, tally);
  }
  return tally;
}

TEST(ReadBoard, ReadsRenderedBoardsOfManyColoursAndBackdrops) {
  const Tally tally = read_scenes(cases(60), 1, 0.3);
  EXPECT_GE(tally.exact, tally.photos * 85 / 100);
  EXPECT_GE(tally.cells_right, tally.cells * 95 / 100);
  EXPECT_LE(tally.confident_wrong, tally.photos / 50);
}

TEST(ReadBoard, StaysHonestWhenEverythingIsDifficult) {
  const Tally tally = read_scenes(cases(40), 100'000, 1.0);
  EXPECT_GE(tally.exact, tally.photos * 70 / 100);
  EXPECT_LE(tally.confident_wrong, tally.photos / 25);
}

TEST(ReadBoard, IsSureOfAnOrdinaryBoard) {
  BoardScene scene;
  Rng rng(3);
  scene.cells = random_cells(rng, 25);
  scene.pitch_deg = 12;
  const auto reading = read_board(render_board(scene).image);
  ASSERT_TRUE(reading.has_value());
  EXPECT_EQ(reading->sight, Sight::kGood);
  EXPECT_EQ(board_text(reading->board), board_text(scene.cells));
  EXPECT_EQ(reading->raw, reading->board);
}

TEST(ReadBoard, CallsTheDarkerColourFirst) {
  BoardScene scene;
  Rng rng(4);
  scene.cells = random_cells(rng, 16);
  scene.first = {235, 200, 40};
  scene.second = {190, 30, 35};
  const auto reading = read_board(render_board(scene).image);
  ASSERT_TRUE(reading.has_value());
  for (std::size_t i = 0; i < cell::kBoardCells; ++i) {
    const bool lighter = scene.cells[i] == CellContent::kFirst;
    const bool darker = scene.cells[i] == CellContent::kSecond;
    EXPECT_EQ(reading->board[i] == CellContent::kFirst, darker);
    EXPECT_EQ(reading->board[i] == CellContent::kSecond, lighter);
  }
  ASSERT_TRUE(reading->first_colour.has_value());
  EXPECT_GT(reading->first_colour->red, 2 * reading->first_colour->green);
}

TEST(ReadBoard, ShowsAFloatingDiscAndIsNotSureOfIt) {
  BoardScene scene;
  Rng rng(6);
  scene.cells = random_cells(rng, 14);
  scene.cells[cell::cell_index(2, 0)] = CellContent::kFirst;
  for (int row = 1; row < cell::kBoardRows; ++row) {
    scene.cells[cell::cell_index(2, row)] = CellContent::kEmpty;
  }
  const auto reading = read_board(render_board(scene).image);
  ASSERT_TRUE(reading.has_value());
  EXPECT_EQ(reading->raw[cell::cell_index(2, 0)], CellContent::kFirst);
  EXPECT_EQ(reading->sight, Sight::kPartial);
}

TEST(ReadBoard, MarksCellsBehindAHandAsHidden) {
  int hidden_seen = 0;
  int hidden = 0;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    BoardScene scene;
    Rng rng(seed);
    scene.cells = random_cells(rng, 21);
    scene.hand = true;
    scene.seed = seed;
    const RenderedBoard board = render_board(scene);
    const auto reading = read_board(board.image);
    ASSERT_TRUE(reading.has_value());
    EXPECT_NE(reading->sight, Sight::kGood) << seed;
    for (std::size_t i = 0; i < cell::kBoardCells; ++i) {
      if (board.truth[i] != CellContent::kHidden) continue;
      ++hidden;
      if (reading->board[i] == CellContent::kHidden) ++hidden_seen;
    }
  }
  EXPECT_GE(hidden_seen, hidden * 9 / 10);
}

TEST(ReadBoard, IsNeverGoodWhenPartOfTheBoardIsOutsideTheImage) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    BoardScene scene;
    Rng rng(seed);
    scene.cells = random_cells(rng, 24);
    scene.offset = {seed % 2 == 0 ? 0.35 : -0.35, 0};
    const auto reading = read_board(render_board(scene).image);
    ASSERT_TRUE(reading.has_value());
    EXPECT_NE(reading->sight, Sight::kGood) << seed;
  }
}

TEST(ReadBoard, IsTheSameAfterTheImageIsEnlarged) {
  BoardScene scene;
  Rng rng(9);
  scene.cells = random_cells(rng, 18);
  const cv::Mat image = render_board(scene).image;
  cv::Mat large(image.rows * 3, image.cols * 3, CV_8UC3);
  for (int y = 0; y < large.rows; ++y) {
    for (int x = 0; x < large.cols; ++x) {
      large.at<cv::Vec3b>(y, x) = image.at<cv::Vec3b>(y / 3, x / 3);
    }
  }
  const auto small_reading = read_board(image);
  const auto large_reading = read_board(large);
  ASSERT_TRUE(small_reading.has_value());
  ASSERT_TRUE(large_reading.has_value());
  EXPECT_EQ(board_text(large_reading->board), board_text(small_reading->board));
  EXPECT_NEAR(large_reading->corners[2].x, 3 * small_reading->corners[2].x, 6);
}

TEST(ReadBoard, UsesACalibrationAndKeepsItsNamesOfTheColours) {
  BoardScene scene;
  Rng rng(11);
  scene.cells = random_cells(rng, 22);
  const auto look = look_at_board(render_board(scene).image);
  ASSERT_TRUE(look.has_value());
  ASSERT_TRUE(look->geometry && look->first && look->second);
  // Told the other way round: the lighter colour is first now.
  const Calibration calibration{.image_size = scene.size,
                                .geometry = *look->geometry,
                                .first = *look->second,
                                .second = *look->first};
  scene.cells = cell::BoardCells{};
  scene.cells[cell::cell_index(3, 5)] = CellContent::kFirst;
  scene.seed = 77;
  const auto reading = read_board(render_board(scene).image, {.calibration = calibration});
  ASSERT_TRUE(reading.has_value());
  cell::BoardCells expected{};
  expected[cell::cell_index(3, 5)] = CellContent::kSecond;
  EXPECT_EQ(board_text(reading->board), board_text(expected));
}

TEST(ReadBoard, RefusesFramesThatAreNoImages) {
  EXPECT_FALSE(read_board(cv::Mat()).has_value());
  EXPECT_FALSE(read_board(cv::Mat(20, 20, CV_8UC2)).has_value());
  EXPECT_FALSE(read_board(cv::Mat(20, 20, CV_32SC3)).has_value());
}

}  // namespace
}  // namespace rowbot::vision
