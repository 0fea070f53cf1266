// The real photographs that lie beside the repository on the developers' machines.
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

#include "robot/vision/expect.h"
#include "robot/vision/image_file.h"
#include "robot/vision/reader.h"

namespace rowbot::vision {
namespace {

TEST(Photographs, AreReadAsPeopleLabelledThem) {
  const std::filesystem::path folder =
      std::filesystem::path(ROWBOT_SOURCE_DIR) / "../shared/data/photos";
  std::ifstream in(folder / "labels.tsv");
  if (!in) GTEST_SKIP() << "no labelled photographs at " << folder;
  std::ostringstream text;
  text << in.rdbuf();
  const auto labels = parse_labels(text.str());
  ASSERT_TRUE(labels.has_value()) << labels.error().message;
  Tally tally;
  for (const PhotoLabel& label : *labels) {
    const auto image = load_image(folder / label.file);
    ASSERT_TRUE(image.has_value()) << image.error().message;
    const auto reading = read_board(*image);
    ASSERT_TRUE(reading.has_value()) << reading.error().message;
    add_to_tally(label, *reading, tally);
  }
  EXPECT_GE(tally.exact, tally.photos * 92 / 100);
  EXPECT_GE(tally.cells_right, tally.cells * 99 / 100);
  EXPECT_EQ(tally.confident_wrong, 0);
  EXPECT_EQ(tally.confident_wrong_cells, 0);
  EXPECT_EQ(tally.refused, 0);
}

}  // namespace
}  // namespace rowbot::vision
