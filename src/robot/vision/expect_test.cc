#include "robot/vision/expect.h"

#include <gtest/gtest.h>

namespace rowbot::vision {
namespace {

using cell::CellContent;

constexpr const char* kHead = "# a comment\nfile\tgroup\tstatus\tboard\n";
constexpr const char* kBoard = "......./......./......./......./A....../BA..?..";

cell::BoardReading reading_of(const char* board, cell::Sight sight, float confidence) {
  cell::BoardReading r;
  r.board = *cell::parse_board_text(board);
  r.sight = sight;
  r.confidence.fill(confidence);
  return r;
}

TEST(Labels, AreReadByTheNamesOfTheirColumns) {
  const auto labels = parse_labels(std::string(kHead) + "x.jpg\tlab\tsure\t" + kBoard + "\n");
  ASSERT_TRUE(labels.has_value()) << labels.error().message;
  ASSERT_EQ(labels->size(), 1);
  EXPECT_EQ(labels->front().file, "x.jpg");
  EXPECT_EQ(labels->front().group, "lab");
  EXPECT_EQ(cell::board_text(labels->front().board), kBoard);
}

TEST(Labels, NameTheLineThatIsWrong) {
  EXPECT_FALSE(parse_labels("").has_value());
  EXPECT_NE(parse_labels("file\tgroup\n").error().message.find("board"), std::string::npos);
  const auto bad = parse_labels(std::string(kHead) + "x.jpg\tlab\tsure\t...\n");
  ASSERT_FALSE(bad.has_value());
  EXPECT_NE(bad.error().message.find("line 3"), std::string::npos);
}

TEST(Tally, AcceptsEitherNameOfTheColoursAndSkipsHiddenLabels) {
  PhotoLabel label;
  label.board = *cell::parse_board_text(kBoard);
  Tally tally;
  EXPECT_TRUE(add_to_tally(
      label, reading_of("......./......./......./......./B....../AB..A..", cell::Sight::kGood, 1),
      tally));
  EXPECT_EQ(tally, (Tally{.photos = 1, .exact = 1, .cells = 41, .cells_right = 41}));
}

TEST(Tally, CountsSureMistakes) {
  PhotoLabel label;
  label.board = *cell::parse_board_text(kBoard);
  Tally tally;
  EXPECT_TRUE(add_to_tally(label, reading_of(kBoard, cell::Sight::kGood, 1), tally));
  EXPECT_FALSE(add_to_tally(
      label,
      reading_of("......./......./......./......./A....../BAB....", cell::Sight::kGood, 0.995F),
      tally));
  EXPECT_EQ(tally.confident_wrong, 1);
  EXPECT_EQ(tally.confident_wrong_cells, 1);
}

TEST(Tally, WantsPartialBoardsRefused) {
  PhotoLabel label;
  label.refuse = true;
  Tally tally;
  EXPECT_TRUE(add_to_tally(label, reading_of(kBoard, cell::Sight::kPartial, 1), tally));
  EXPECT_FALSE(add_to_tally(label, reading_of(kBoard, cell::Sight::kGood, 1), tally));
  EXPECT_EQ(tally.must_refuse, 2);
  EXPECT_EQ(tally.must_refuse_right, 1);
  EXPECT_EQ(tally.confident_wrong, 1);
  EXPECT_EQ(tally.photos, 0);
}

}  // namespace
}  // namespace rowbot::vision
