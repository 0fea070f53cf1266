#include "robot/station/world_file.h"

#include <gtest/gtest.h>

namespace rowbot::station {
namespace {

TEST(WorldFile, ReadsBackWhatItWrites) {
  sim::BoardTruth truth;
  truth[0][0] = sim::Side::kRobot;
  truth[0][1] = sim::Side::kHuman;
  truth[6][0] = sim::Side::kHuman;
  const std::string text = world_text(truth);
  EXPECT_EQ(text, "rh..../....../....../....../....../....../h...../");
  EXPECT_EQ(world_text(*parse_world(text)), text);
  EXPECT_EQ(world_text(*parse_world(text + "\n")), text);
}

TEST(WorldFile, RefusesWhatIsNoBoard) {
  const std::string empty = world_text({});
  EXPECT_FALSE(parse_world(""));
  EXPECT_FALSE(parse_world("rh"));
  EXPECT_FALSE(parse_world(empty + "/"));
  EXPECT_FALSE(parse_world(empty + "\n\n"));
  for (const std::string_view beginning : {"x", "/"}) {
    std::string text = empty;
    text.replace(0, beginning.size(), beginning);
    EXPECT_FALSE(parse_world(text)) << text;
  }
}

}  // namespace
}  // namespace rowbot::station
