#include "robot/station/station_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/temporary_folder.h"

namespace rowbot::station {
namespace {

using ::testing::HasSubstr;

StationConfig configured(const StationOptions& options) {
  const auto config = configure(options);
  EXPECT_TRUE(config) << config.error().message;
  return config.value_or(StationConfig{});
}

TEST(StationConfig, WithoutAWordEverythingIsTheTwins) {
  const StationConfig config = configured({});
  EXPECT_EQ(config.layout.robot, "eezybot");
  EXPECT_EQ(config.driver, "sim");
  EXPECT_EQ(config.camera, "sim");
  EXPECT_TRUE(config.simulated());
  EXPECT_FALSE(config.speed) << "as fast as it goes";
}

TEST(StationConfig, AWireKnowsItsRobot) {
  for (const auto& [driver, robot] : {std::pair{"serial:sim", "roboarm"},
                                      {"rosbridge:sim", "panda"},
                                      {"servo:sim", "eezybot"},
                                      {"servo:sim-i2c", "eezybot"}}) {
    const StationConfig config = configured({.driver = driver});
    EXPECT_EQ(config.layout.robot, robot);
    EXPECT_TRUE(config.simulated()) << driver;
  }
  const StationConfig real = configured({.driver = "serial:/dev/ttyUSB0"});
  EXPECT_EQ(real.camera, "/dev/video0");
  EXPECT_TRUE(real.panel);
  EXPECT_TRUE(real.senses.keys);
  EXPECT_FALSE(real.simulated_arm());
}

TEST(StationConfig, PartsAreChosenOneByOne) {
  const TemporaryFolder folder;
  const std::string file = folder.file("table.toml");
  write_bytes(file,
              "version = 1\ndriver = \"sim\"\ncamera = \"/dev/video7\"\neyes = \"eyes.json\"\n"
              "senses = \"camera,switches\"\nagent = \"forward\"\n");
  const StationConfig mixed = configured({.config = file});
  EXPECT_TRUE(mixed.simulated_arm());
  EXPECT_FALSE(mixed.simulated());
  EXPECT_EQ(mixed.camera, "/dev/video7");
  EXPECT_EQ(mixed.eyes, folder.file("eyes.json")) << "beside the file";
  EXPECT_FALSE(mixed.panel) << "no [panel]: the switches are the twin's";
  EXPECT_EQ(mixed.agent, "forward");
  EXPECT_EQ(mixed.speed, 1) << "a real camera has a real clock";

  const StationConfig rehearsed = configured({.driver = "sim", .config = file});
  EXPECT_TRUE(rehearsed.simulated()) << "the whole table in the twin";
  const StationConfig filmed = configured({.camera = "film.avi"});
  EXPECT_EQ(filmed.camera, "film.avi");
  EXPECT_TRUE(filmed.simulated_arm());
  EXPECT_EQ(configured({.senses = "keys"}).camera, "sim") << "it still watches the aim";
  EXPECT_EQ(configured({.driver = "none", .senses = "keys"}).camera, "none");
}

TEST(StationConfig, SaysWhatIsWrongAndWhatToDo) {
  const TemporaryFolder folder;
  const std::string file = folder.file("table.toml");
  write_bytes(file, "version = 1\nsenses = \"keys\"\n");
  struct Case {
    StationOptions options;
    std::vector<std::string> words;
  };
  const std::vector<Case> cases{
      {{.driver = "serial"}, {"'serial'", "no address", "serial:/dev/ttyUSB0"}},
      {{.driver = "pigeon:x"}, {"'pigeon:x'", "serial:ADDRESS"}},
      {{.driver = "serial:sim", .robot = "panda"}, {"driver", "roboarm", "panda"}},
      {{.config = folder.file("none.toml")}, {"none.toml"}},
      {{.config = file}, {"no address", "docs/wiring.md"}},
      {{.robot = "golem"}, {"golem", "eezybot"}},
      {{.layout = folder.file("none.toml")}, {"none.toml"}},
      {{.senses = "camera,smell"}, {"senses", "'smell'", "switches"}},
  };
  for (const Case& one : cases) {
    const auto config = configure(one.options);
    ASSERT_FALSE(config) << one.words.front();
    for (const std::string& word : one.words) {
      EXPECT_THAT(config.error().message, HasSubstr(word));
    }
  }
}

}  // namespace
}  // namespace rowbot::station
