#include "base/fields.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/toml_writer.h"

namespace rowbot {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

enum class Wire { kSysfs, kGpio };
constexpr EnumNames<Wire, 2> kWires{{{Wire::kSysfs, "sysfs"}, {Wire::kGpio, "gpio"}}};

struct Joint {
  std::string name;
  double trim_deg = 0;
  friend bool operator==(const Joint&, const Joint&) = default;
};

struct Settings {
  int baud = 9600;
  std::string port = "/dev/ttyS0";
  std::optional<std::string> agent;
  bool quiet = false;
  std::uint64_t seed = 1;
  Wire wire = Wire::kSysfs;
  std::array<int, 2> lines{};
  std::vector<double> speeds;
  std::vector<Joint> joints;
  friend bool operator==(const Settings&, const Settings&) = default;
};

/// Every kind of field once, to read and to write.
template <class Archive>
void describe(Archive& top, Settings& settings) {
  top("baud", settings.baud, {.least = 300, .most = 115200});
  top("port", settings.port);
  top("agent", settings.agent);
  top("quiet", settings.quiet);
  auto device = top.section("device");
  device("seed", settings.seed);
  device.name("wire", settings.wire, kWires);
  device("lines", settings.lines, {.least = 0, .most = 1023});
  device("speeds", settings.speeds);
  device.list("joint", settings.joints, Joint{}, [](auto& fields, Joint& joint) {
    fields("name", joint.name);
    fields("trim_deg", joint.trim_deg);
  });
}

std::string problem(Result<FieldReader> reader) {
  if (!reader) return reader.error().message;
  Settings settings;
  Fields top = reader->top();
  describe(top, settings);
  const auto sound = reader->finish(UnknownField::kIsError);
  return sound ? "" : sound.error().message;
}

std::string toml_problem(std::string_view text) {
  return problem(FieldReader::from_toml(text, MissingField::kKeepsDefault));
}
std::string json_problem(std::string_view text) {
  return problem(FieldReader::from_json(text, MissingField::kKeepsDefault));
}

TEST(Fields, OneListOfFieldsWritesAndReadsBack) {
  Settings settings{.baud = 1200,
                    .port = "a \"quoted\" \\ port",
                    .agent = "mcts",
                    .quiet = true,
                    .seed = 1ULL << 60,
                    .wire = Wire::kGpio,
                    .lines = {3, 1023},
                    .speeds = {0.1, 2, -1e-9},
                    .joints = {{.name = "base", .trim_deg = 1.5}, {.name = "elbow"}}};
  std::string text;
  TomlWriter writer(text);
  describe(writer, settings);
  auto reader = FieldReader::from_toml(text);
  ASSERT_TRUE(reader.has_value()) << reader.error().message << text;
  Settings again;
  Fields top = reader->top();
  describe(top, again);
  const auto sound = reader->finish(UnknownField::kIsError);
  EXPECT_TRUE(sound.has_value()) << sound.error().message << text;
  EXPECT_EQ(again, settings) << text;
}

TEST(Fields, BothTextsGiveTheSameErrorsButForTheLine) {
  EXPECT_EQ(json_problem(R"({"baud": 7, "device": {}})"),
            "baud must be a whole number from 300 to 115200, not 7");
  EXPECT_EQ(toml_problem("\nbaud = 7\n[device]\n"),
            "line 2: baud must be a whole number from 300 to 115200, not 7");
  EXPECT_EQ(json_problem(R"({"device": {"joint": [{}, {"trim_deg": "no"}]}})"),
            "device.joint[1].trim_deg must be a number, not 'no'");
  EXPECT_EQ(toml_problem("[device]\n[[device.joint]]\n[[device.joint]]\ntrim_deg = \"no\""),
            "line 4: device.joint[1].trim_deg must be a number, not 'no'");
}

TEST(Fields, SayWhatMustStandThere) {
  EXPECT_EQ(toml_problem("device = 3"), "line 1: device must be a section, not 3");
  EXPECT_EQ(toml_problem(""), "");
  EXPECT_EQ(problem(FieldReader::from_toml("baud = 300")), "port is missing");
  EXPECT_EQ(toml_problem("[device]\nwire = \"spi\""),
            "line 2: device.wire must be 'sysfs' or 'gpio', not 'spi'");
  EXPECT_EQ(toml_problem("[device]\nlines = [1, 2, 3]"),
            "line 2: device.lines must be a list of 2, not a list of 3");
  EXPECT_EQ(toml_problem("[device]\nlines = [1, -2]"),
            "line 2: device.lines[1] must be a whole number from 0 to 1023, not -2");
  EXPECT_EQ(toml_problem("[device]\nspeeds = [nan]"),
            "line 2: device.speeds[0] must be a number, not nan");
  EXPECT_EQ(toml_problem("[device]\nseed = -1"),
            "line 2: device.seed must be a whole number from 0, not -1");
  EXPECT_EQ(toml_problem("quiet = 1979-05-27\n[device]"),
            "line 1: quiet must be true or false, not a date");
  EXPECT_EQ(json_problem(R"({"port": 4, "device": {}})"), "port must be a text in quotes, not 4");
  EXPECT_EQ(json_problem(R"({"baud": 1e10, "device": {}})"),
            "baud must be a whole number from 300 to 115200, not 10000000000");
}

TEST(Fields, GuessWhichKeyWasMeant) {
  EXPECT_EQ(toml_problem("bawd = 9600\n[device]"),
            "line 1: bawd is not a known key; is 'baud' meant?");
  EXPECT_EQ(toml_problem("[device]\n[[device.joint]]\ncolour = 1"),
            "line 3: device.joint[0].colour is not a known key; remove it");
}

TEST(Fields, NameTheLineOfATextThatIsNeither) {
  EXPECT_THAT(toml_problem("a = 1\nb ="), HasSubstr("line 2: "));
  EXPECT_EQ(json_problem("{\n\"a\": }"), "line 2: this is not JSON");
  EXPECT_THAT(json_problem("[1]"), HasSubstr("not a JSON object"));
}

TEST(Fields, TheFirstErrorIsKeptAndTheRestStaysAsItWas) {
  auto reader = FieldReader::from_json(R"({"a": "x", "b": null, "c": [[1, 2], [3]]})");
  ASSERT_TRUE(reader.has_value());
  Fields top = reader->top();
  EXPECT_FALSE(top.has("b"));
  EXPECT_THAT(top.get<std::vector<std::vector<int>>>("c"),
              ElementsAre(ElementsAre(1, 2), ElementsAre(3)));
  EXPECT_FALSE(reader->error().has_value());
  int a = 5;
  top("a", a);
  EXPECT_EQ(a, 5);
  EXPECT_EQ(top.section("b").get<std::string>("name"), "");
  const auto sound = reader->finish(UnknownField::kIsAllowed);
  ASSERT_FALSE(sound.has_value());
  EXPECT_EQ(sound.error().message, "a must be a whole number, not 'x'");
}

}  // namespace
}  // namespace rowbot
