#include "robot/cell/layout_file.h"

#include <cstdio>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rowbot::cell {
namespace {

using testing::HasSubstr;

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const auto at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), by);
}

TEST(LayoutFile, WritesAndReadsBackTheSameLayout) {
  for (const arm::ArmModel* model : arm::all_models()) {
    CellLayout layout = default_layout(*model);
    layout.taught = {{.name = "pick", .q_rad = arm::neutral(*model)}};
    const auto back = parse_layout(layout_text(layout));
    ASSERT_TRUE(back.has_value()) << back.error().message;
    EXPECT_EQ(layout_text(*back), layout_text(layout));
    EXPECT_TRUE(back->board.first_slot_m.isApprox(layout.board.first_slot_m, 1e-12));
  }
}

TEST(LayoutFile, SaysWhatIsWrongAndWhere) {
  const std::string good = layout_text(default_layout(arm::panda()));
  const auto complaint = [](const std::string& text) {
    const auto layout = parse_layout(text);
    return layout.has_value() ? "" : layout.error().message;
  };
  EXPECT_EQ(complaint(good), "");
  EXPECT_THAT(complaint(replaced(good, "version = 1", "version = 7")), HasSubstr("version 7"));
  EXPECT_THAT(complaint(replaced(good, "version = 1", "")), HasSubstr("version is missing"));
  EXPECT_THAT(complaint(replaced(good, "\"panda\"", "\"pando\"")), HasSubstr("pando"));
  EXPECT_THAT(complaint(replaced(good, "shape = \"disc\"", "shape = \"cube\"")), HasSubstr("cube"));
  EXPECT_THAT(complaint(replaced(good, "pitch_m = 0.036", "pitch_m = \"wide\"")),
              HasSubstr("board.pitch_m must be a number"));
  EXPECT_THAT(complaint(replaced(good, "pitch_m = 0.036", "pitch_m = nan")),
              HasSubstr("board.pitch_m"));
  EXPECT_THAT(complaint(replaced(good, "capacity", "kapacity")), HasSubstr("magazine.capacity"));
  EXPECT_THAT(complaint(good + "\ncolour = 3\n"), HasSubstr("colour"));
  EXPECT_THAT(complaint(replaced(good, "[board]", "[board")), HasSubstr("line"));
  EXPECT_THAT(complaint(replaced(good, "pitch_m = 0.036", "pitch_m = 0.060")),
              HasSubstr("mm apart"));
}

TEST(LayoutFile, SavesAndLoads) {
  const std::string file = testing::TempDir() + "/rowbot_layout_test.toml";
  ASSERT_TRUE(save_layout(default_layout(arm::eezybot()), file).has_value());
  const auto layout = load_layout(file);
  ASSERT_TRUE(layout.has_value()) << layout.error().message;
  EXPECT_EQ(layout->robot, "eezybot");
  std::remove(file.c_str());
  const auto missing = load_layout(file);
  ASSERT_FALSE(missing.has_value());
  EXPECT_THAT(missing.error().message, HasSubstr("cannot read"));
}

TEST(LayoutFile, DoesNotSaveWhatItWouldNotRead) {
  CellLayout broken = default_layout(arm::eezybot());
  broken.board.pitch_m = -1;
  EXPECT_FALSE(save_layout(broken, testing::TempDir() + "/rowbot_broken.toml").has_value());
}

}  // namespace
}  // namespace rowbot::cell
