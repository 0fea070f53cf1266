#include "robot/drivers/serial/roboarm_config.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/fields.h"
#include "base/text_file.h"
#include "base/toml_writer.h"

namespace rowbot::drivers {
namespace {

constexpr std::array kBauds = {300, 1200, 2400, 4800, 9600, 19200, 38400, 57600, 115200};

/// Every field but the commands, to read and to write.
template <class Archive>
void describe(Archive& top, RoboArmConfig& config) {
  auto timing = top.section("timing");
  timing("each_order_s", config.each_order_s, {.least = 0, .most = 5});
  timing("hand_s", config.hand_s, {.least = 0.01, .most = 30});
  timing("margin_share", config.margin_share, {.least = 0, .most = 10});
  timing("margin_s", config.margin_s, {.least = 0, .most = 30});
  timing("speed_deg_s", config.speed_deg_s, {.least = 0.1, .most = 1000});
  auto motion = top.section("motion");
  motion("follow_deg", config.follow_deg, {.least = 0.5, .most = 10});
  motion("open_width_m", config.open_width_m, {.least = 0.001, .most = 0.2});
  motion("buffer_orders", config.buffer_orders, {.least = 1, .most = 100000});
  auto drift = top.section("drift");
  drift("deg_per_motion", config.drift_deg_per_motion, {.least = 0, .most = 10});
  drift("deg_per_stop", config.drift_deg_per_stop, {.least = 0, .most = 10});
  drift("recalibrate_at_deg", config.recalibrate_at_deg, {.least = 0.01, .most = 90});
  drift("refuse_at_deg", config.refuse_at_deg, {.least = 0.01, .most = 90});
}

/// A byte is written as its number or as its letter.
void read_commands(Fields commands, CommandTable& table) {
  for (std::size_t i = 0; i < kRoboArmVerbs; ++i) {
    const char* key = verb_name(static_cast<RoboArmVerb>(i));
    if (commands.has_text(key)) {
      const auto letter = commands.get<std::string>(key, {.least = 1, .most = 1});
      if (!letter.empty()) table.bytes[i] = static_cast<std::uint8_t>(letter[0]);
    } else {
      int byte = table.bytes[i];
      commands(key, byte, {.least = 0, .most = 255});
      table.bytes[i] = static_cast<std::uint8_t>(byte);
    }
  }
}

}  // namespace

Result<void> check_config(const RoboArmConfig& config) {
  if (auto table = check_table(config.commands); !table) return table;
  bool known_baud = false;
  for (const int baud : kBauds) known_baud = known_baud || baud == config.baud;
  if (!known_baud) {
    return Error{
        fmt::format("serial.baud is {}; there are {}", config.baud, fmt::join(kBauds, ", "))};
  }
  if (config.refuse_at_deg < config.recalibrate_at_deg) {
    return Error{"drift.refuse_at_deg is below drift.recalibrate_at_deg: nobody would be asked"};
  }
  return {};
}

Result<RoboArmConfig> parse_roboarm_config(std::string_view text) {
  auto reader = FieldReader::from_toml(text, MissingField::kKeepsDefault);
  if (!reader) return Error{"RoboArm: " + reader.error().message};
  RoboArmConfig config;
  Fields top = reader->top();
  Fields serial = top.section("serial");
  serial("baud", config.baud, {.least = 1, .most = 1000000});
  read_commands(top.section("commands"), config.commands);
  describe(top, config);
  auto sound = reader->finish(UnknownField::kIsError);
  if (sound) sound = check_config(config);
  if (!sound) return Error{"RoboArm: " + sound.error().message};
  return config;
}

Result<RoboArmConfig> load_roboarm_config(const std::string& path) {
  const auto text = read_text_file(path, kSettingsBytes);
  if (!text) return text.error();
  auto config = parse_roboarm_config(*text);
  if (!config) return Error{fmt::format("{}: {}", path, config.error().message)};
  return config;
}

std::string roboarm_config_text(const RoboArmConfig& config) {
  std::string text = fmt::format("[serial]\nbaud = {}\n\n[commands]\n", config.baud);
  for (std::size_t i = 0; i < kRoboArmVerbs; ++i) {
    text +=
        fmt::format("{} = {}\n", verb_name(static_cast<RoboArmVerb>(i)), config.commands.bytes[i]);
  }
  TomlWriter writer(text);
  RoboArmConfig copy = config;
  describe(writer, copy);
  return text;
}

}  // namespace rowbot::drivers
