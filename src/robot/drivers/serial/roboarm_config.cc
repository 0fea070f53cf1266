#include "robot/drivers/serial/roboarm_config.h"

#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <initializer_list>
#include <toml++/toml.h>
#include <utility>

#include "base/text.h"
#include "base/text_file.h"

namespace rowbot::drivers {
namespace {

struct NumberKey {
  const char* name;
  double RoboArmConfig::*value;
  double least;
  double most;
};
constexpr std::array kTiming = {
    NumberKey{"each_order_s", &RoboArmConfig::each_order_s, 0, 5},
    NumberKey{"hand_s", &RoboArmConfig::hand_s, 0.01, 30},
    NumberKey{"margin_share", &RoboArmConfig::margin_share, 0, 10},
    NumberKey{"margin_s", &RoboArmConfig::margin_s, 0, 30},
};
constexpr std::array kMotion = {
    NumberKey{"follow_deg", &RoboArmConfig::follow_deg, 0.5, 10},
    NumberKey{"open_width_m", &RoboArmConfig::open_width_m, 0.001, 0.2},
};
constexpr std::array kDrift = {
    NumberKey{"deg_per_motion", &RoboArmConfig::drift_deg_per_motion, 0, 10},
    NumberKey{"deg_per_stop", &RoboArmConfig::drift_deg_per_stop, 0, 10},
    NumberKey{"recalibrate_at_deg", &RoboArmConfig::recalibrate_at_deg, 0.01, 90},
    NumberKey{"refuse_at_deg", &RoboArmConfig::refuse_at_deg, 0.01, 90},
};
constexpr std::array kBauds = {300, 1200, 2400, 4800, 9600, 19200, 38400, 57600, 115200};

class Reading {
 public:
  explicit Reading(const toml::table& root) : root_(root) {
    for (const auto& [key, node] : root) {
      if (key != "serial" && key != "commands" && key != "timing" && key != "motion" &&
          key != "drift") {
        complain(std::string(key.str()),
                 "unknown; the sections are serial, commands, timing, "
                 "motion and drift");
      } else if (!node.is_table()) {
        complain(std::string(key.str()), "not a section");
      }
    }
  }

  template <std::size_t N>
  void numbers(const char* section, const std::array<NumberKey, N>& keys, RoboArmConfig& config,
               std::initializer_list<const char*> others = {}) {
    const toml::table* table = root_[section].as_table();
    if (table == nullptr) return;
    for (const auto& [key, node] : *table) {
      bool known = false;
      for (const char* other : others) known = known || key == other;
      for (const NumberKey& wanted : keys) {
        if (key != wanted.name) continue;
        known = true;
        const auto value = node.template value<double>();
        if (!value || !(*value >= wanted.least && *value <= wanted.most)) {
          complain(path(section, key.str()),
                   fmt::format("not a number from {} to {}", wanted.least, wanted.most));
        } else {
          config.*wanted.value = *value;
        }
      }
      if (!known) complain(path(section, key.str()), "not a known key");
    }
  }
  void whole(const char* section, const char* key, int least, int most, int& to) {
    const auto node = root_[section][key];
    if (!node) return;
    const auto value = node.value_exact<std::int64_t>();
    if (!value || *value < least || *value > most) {
      complain(path(section, key), fmt::format("not a whole number from {} to {}", least, most));
    } else {
      to = static_cast<int>(*value);
    }
  }
  void speeds(std::array<double, kRoboArmJoints>& to) {
    const auto node = root_["timing"]["speed_deg_s"];
    if (!node) return;
    const toml::array* list = node.as_array();
    bool good = list != nullptr && list->size() == to.size();
    for (std::size_t i = 0; good && i < to.size(); ++i) {
      const auto value = list->get(i)->value<double>();
      good = value && *value >= 0.1 && *value <= 1000;
      if (good) to[i] = *value;
    }
    if (!good) {
      complain("timing.speed_deg_s",
               "not four speeds from 0.1 to 1000: base, shoulder, elbow, wrist");
    }
  }
  void commands(CommandTable& table) {
    const toml::table* section = root_["commands"].as_table();
    if (section == nullptr) return;
    for (const auto& [key, node] : *section) {
      std::size_t verb = 0;
      while (verb < kRoboArmVerbs && key != verb_name(static_cast<RoboArmVerb>(verb))) ++verb;
      if (verb == kRoboArmVerbs) {
        complain(path("commands", key.str()), "not a command");
        continue;
      }
      const auto letter = node.value_exact<std::string>();
      const auto number = node.value_exact<std::int64_t>();
      if (letter && letter->size() == 1) {
        table.bytes[verb] = static_cast<std::uint8_t>((*letter)[0]);
      } else if (number && *number >= 0 && *number <= 255) {
        table.bytes[verb] = static_cast<std::uint8_t>(*number);
      } else {
        complain(path("commands", key.str()), "neither one letter in quotes nor 0 to 255");
      }
    }
  }
  void complain(const std::string& key, const std::string& what) {
    if (complaint_.empty()) complaint_ = fmt::format("{} is {}", in_quotes(key), what);
  }
  [[nodiscard]] const std::string& complaint() const { return complaint_; }

 private:
  static std::string path(const char* section, std::string_view key) {
    return fmt::format("{}.{}", section, key);
  }

  const toml::table& root_;
  std::string complaint_;
};

template <std::size_t N>
std::string numbers_text(const RoboArmConfig& config, const std::array<NumberKey, N>& keys) {
  std::string text;
  for (const NumberKey& key : keys) {
    text += fmt::format("{} = {}\n", key.name, config.*key.value);
  }
  return text;
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
  RoboArmConfig config;
  try {
    const toml::table root = toml::parse(text);
    Reading reading(root);
    reading.commands(config.commands);
    reading.numbers("serial", std::array<NumberKey, 0>{}, config, {"baud"});
    reading.numbers("timing", kTiming, config, {"speed_deg_s"});
    reading.numbers("motion", kMotion, config, {"buffer_orders"});
    reading.numbers("drift", kDrift, config);
    reading.whole("serial", "baud", 1, 1000000, config.baud);
    reading.whole("motion", "buffer_orders", 1, 100000, config.buffer_orders);
    reading.speeds(config.speed_deg_s);
    if (!reading.complaint().empty()) return Error{"RoboArm: " + reading.complaint()};
  } catch (const toml::parse_error& error) {
    return Error{
        fmt::format("RoboArm: line {}: {}", error.source().begin.line, error.description())};
  }
  if (auto sound = check_config(config); !sound) return Error{"RoboArm: " + sound.error().message};
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
  text += "\n[timing]\n" + numbers_text(config, kTiming);
  text += fmt::format("speed_deg_s = [{}]\n", fmt::join(config.speed_deg_s, ", "));
  text += "\n[motion]\n" + numbers_text(config, kMotion);
  text += fmt::format("buffer_orders = {}\n", config.buffer_orders);
  return text + "\n[drift]\n" + numbers_text(config, kDrift);
}

}  // namespace rowbot::drivers
