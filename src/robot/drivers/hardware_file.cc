#include "robot/drivers/hardware_file.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <set>
#include <sstream>
#include <toml++/toml.h>

#include "base/text.h"
#include "base/text_file.h"

namespace rowbot::drivers {
namespace {

/// One section. Keys that are not there keep the default; the first complaint is kept.
class Section {
 public:
  Section(const toml::table& table, std::string path, std::optional<Error>& complaint)
      : table_(table), path_(std::move(path)), complaint_(complaint) {}
  Section(const Section&) = delete;
  Section& operator=(const Section&) = delete;
  Section(Section&&) = delete;
  Section& operator=(Section&&) = delete;
  ~Section() {
    for (const auto& [key, value] : table_) {
      if (asked_.contains(std::string(key.str()))) continue;
      complain(value, std::string(key.str()), "a setting of the hardware file; is it misspelt?");
    }
  }

  void operator()(const char* key, double& value) {
    if (const toml::node* node = find(key)) {
      const auto found = node->value<double>();
      if (!found || !std::isfinite(*found)) return complain(*node, key, "a number");
      value = *found;
    }
  }
  void operator()(const char* key, int& value) {
    if (const toml::node* node = find(key)) {
      const auto found = node->value_exact<std::int64_t>();
      if (!found || std::abs(*found) > 1'000'000) return complain(*node, key, "a whole number");
      value = static_cast<int>(*found);
    }
  }
  void operator()(const char* key, std::string& value) {
    if (const toml::node* node = find(key)) {
      const auto found = node->value<std::string>();
      if (!found || found->empty()) return complain(*node, key, "a text in quotes");
      value = *found;
    }
  }
  void operator()(const char* key, std::optional<std::string>& value) {
    if (find(key) != nullptr) (*this)(key, value.emplace());
  }
  void operator()(const char* key, WireKind& value) {
    if (const toml::node* node = find(key)) {
      const auto wire = wire_by_name(node->value_or(std::string()));
      if (!wire) return complain(*node, key, "sysfs, gpio or i2c, in quotes");
      value = *wire;
    }
  }
  template <std::size_t N>
  void operator()(const char* key, std::array<int, N>& value) {
    const toml::node* node = find(key);
    if (node == nullptr) return;
    const toml::array* list = node->as_array();
    if (list == nullptr || list->size() != N) {
      return complain(*node, key, fmt::format("a list of {} line numbers", N));
    }
    for (std::size_t i = 0; i < N; ++i) {
      const auto line = list->get(i)->value_exact<std::int64_t>();
      if (!line || *line < 0 || *line > 1023) {
        return complain(*node, key, fmt::format("a list of {} line numbers from 0 to 1023", N));
      }
      value[i] = static_cast<int>(*line);
    }
  }
  const toml::node* find(const char* key) {
    asked_.insert(key);
    return table_.get(key);
  }
  void complain(const toml::node& node, const std::string& key, const std::string& wanted) {
    if (complaint_) return;
    complaint_ =
        Error{fmt::format("line {}: {}{} is not {}", node.source().begin.line, path_, key, wanted)};
  }

 private:
  const toml::table& table_;
  std::string path_;
  std::optional<Error>& complaint_;
  std::set<std::string> asked_;
};

void read_pulses(Section& section, PulseRange& pulses) {
  section("min_us", pulses.min_us);
  section("max_us", pulses.max_us);
  section("travel_deg", pulses.travel_deg);
}

void read_joint(const toml::table& table, JointServo& servo, std::optional<Error>& complaint) {
  Section section(table, "servos.joint.", complaint);
  section("name", servo.name);
  section("wire", servo.wire);
  section("channel", servo.channel);
  read_pulses(section, servo.pulses);
  section("direction", servo.direction);
  section("centre_deg", servo.centre_deg);
  section("trim_deg", servo.trim_deg);
  section("min_deg", servo.min_deg);
  section("max_deg", servo.max_deg);
}

ServoCalibration read_servos(const toml::table& table, std::optional<Error>& complaint) {
  Section section(table, "servos.", complaint);
  WireKind wire = WireKind::kSysfs;
  section("wire", wire);
  ServoCalibration calibration = default_calibration(wire);
  section("robot", calibration.robot);
  section("frequency_hz", calibration.frequency_hz);
  section("idle_off_s", calibration.idle_off_s);
  section("sysfs_chip", calibration.sysfs_chip);
  section("gpio_chip", calibration.gpio_chip);
  section("gpio_jitter_us", calibration.gpio_jitter_us);
  section("i2c_device", calibration.i2c_device);
  section("i2c_address", calibration.i2c_address);
  section("i2c_oscillator_hz", calibration.i2c_oscillator_hz);
  if (const toml::node* node = section.find("joint")) {
    calibration.joints.clear();
    const toml::array* list = node->as_array();
    if (list == nullptr) section.complain(*node, "joint", "a list of [[servos.joint]] sections");
    for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
      const toml::table* entry = list->get(i)->as_table();
      if (entry == nullptr) {
        section.complain(*node, "joint", "a list of [[servos.joint]] sections");
        break;
      }
      JointServo servo{.name = fmt::format("joint {}", i + 1), .wire = wire};
      read_joint(*entry, servo, complaint);
      calibration.joints.push_back(std::move(servo));
    }
  }
  if (const toml::node* node = section.find("gripper")) {
    if (const toml::table* entry = node->as_table()) {
      Section gripper(*entry, "servos.gripper.", complaint);
      gripper("wire", calibration.gripper.wire);
      gripper("channel", calibration.gripper.channel);
      read_pulses(gripper, calibration.gripper.pulses);
      gripper("closed_deg", calibration.gripper.closed_deg);
      gripper("open_deg", calibration.gripper.open_deg);
    } else {
      section.complain(*node, "gripper", "a section");
    }
  }
  return calibration;
}

Result<void> check_panel(const PanelWiring& panel) {
  std::set<int> lines(panel.columns.begin(), panel.columns.end());
  lines.insert(panel.rocker.begin(), panel.rocker.end());
  lines.insert(panel.restart);
  if (lines.size() != panel.columns.size() + panel.rocker.size() + 1) {
    return Error{"panel: two switches share a line; give each its own"};
  }
  if (!(panel.stuck_s >= 0.5)) {
    return Error{"panel.stuck_s must be at least 0.5 s, or every slow hand is a stuck switch"};
  }
  if (panel.restart < 0 || panel.restart > 1023) return Error{"panel.restart is not a line number"};
  return {};
}

std::string lines_text(std::span<const int> lines) {
  std::string text;
  for (const int line : lines) text += fmt::format("{}{}", text.empty() ? "" : ", ", line);
  return "[" + text + "]";
}

std::string quoted(const std::string& text) {
  std::ostringstream out;
  out << toml::value<std::string>(text);
  return out.str();
}

std::string pulses_text(const PulseRange& pulses) {
  return fmt::format("min_us = {}\nmax_us = {}\ntravel_deg = {}\n", pulses.min_us, pulses.max_us,
                     pulses.travel_deg);
}

std::string servos_text(const ServoCalibration& servos) {
  std::string text = "\n[servos]\n";
  const auto line = [&text]<class T>(const char* key, const T& value) {
    text += fmt::format("{} = {}\n", key, value);
  };
  line("robot", quoted(servos.robot));
  line("frequency_hz", servos.frequency_hz);
  line("idle_off_s", servos.idle_off_s);
  line("sysfs_chip", quoted(servos.sysfs_chip));
  line("gpio_chip", quoted(servos.gpio_chip));
  line("gpio_jitter_us", servos.gpio_jitter_us);
  line("i2c_device", quoted(servos.i2c_device));
  line("i2c_address", servos.i2c_address);
  line("i2c_oscillator_hz", servos.i2c_oscillator_hz);
  for (const JointServo& servo : servos.joints) {
    text += "\n[[servos.joint]]\n";
    line("name", quoted(servo.name));
    line("wire", quoted(wire_name(servo.wire)));
    line("channel", servo.channel);
    text += pulses_text(servo.pulses);
    line("direction", servo.direction);
    line("centre_deg", servo.centre_deg);
    line("trim_deg", servo.trim_deg);
    line("min_deg", servo.min_deg);
    line("max_deg", servo.max_deg);
  }
  text += "\n[servos.gripper]\n";
  line("wire", quoted(wire_name(servos.gripper.wire)));
  line("channel", servos.gripper.channel);
  text += pulses_text(servos.gripper.pulses);
  line("closed_deg", servos.gripper.closed_deg);
  line("open_deg", servos.gripper.open_deg);
  return text;
}

/// The keys before the first section.
constexpr std::array<std::pair<const char*, std::optional<std::string> Hardware::*>, 8> kTopTexts =
    {{
        {"layout", &Hardware::layout},
        {"camera", &Hardware::camera},
        {"eyes", &Hardware::eyes},
        {"serial", &Hardware::serial},
        {"rosbridge", &Hardware::rosbridge},
        {"driver", &Hardware::driver},
        {"senses", &Hardware::senses},
        {"agent", &Hardware::agent},
    }};

}  // namespace

std::string hardware_text(const Hardware& hardware) {
  std::string text = "# What is wired to what. docs/wiring.md explains every key.\n";
  text += fmt::format("version = {}\n", kHardwareVersion);
  for (const auto& [key, member] : kTopTexts) {
    if (const auto& value = hardware.*member) {
      text += fmt::format("{} = {}\n", key, quoted(*value));
    }
  }
  if (hardware.servos) text += servos_text(*hardware.servos);
  if (hardware.panel) {
    const PanelWiring& panel = *hardware.panel;
    text +=
        fmt::format("\n[panel]\nchip = {}\ncolumns = {}\nrocker = {}\nrestart = {}\nstuck_s = {}\n",
                    quoted(panel.chip), lines_text(panel.columns), lines_text(panel.rocker),
                    panel.restart, panel.stuck_s);
  }
  return text;
}

Result<Hardware> parse_hardware(std::string_view text) {
  toml::table root;
  try {
    root = toml::parse(text);
  } catch (const toml::parse_error& error) {
    return Error{fmt::format("line {}: {}", error.source().begin.line, error.description())};
  }
  Hardware hardware;
  std::optional<Error> complaint;
  {
    Section top(root, "", complaint);
    int version = 0;
    top("version", version);
    if (!complaint && version != kHardwareVersion) {
      return Error{
          fmt::format("this hardware file has version {}, and this program reads version "
                      "{}; write 'version = {}' at its top",
                      version, kHardwareVersion, kHardwareVersion)};
    }
    for (const auto& [key, member] : kTopTexts) top(key, hardware.*member);
    if (const toml::node* node = top.find("servos")) {
      if (node->is_table()) {
        hardware.servos = read_servos(*node->as_table(), complaint);
      } else {
        top.complain(*node, "servos", "a section");
      }
    }
    if (const toml::node* node = top.find("panel")) {
      if (node->is_table()) {
        Section section(*node->as_table(), "panel.", complaint);
        PanelWiring& panel = hardware.panel.emplace();
        section("chip", panel.chip);
        section("columns", panel.columns);
        section("rocker", panel.rocker);
        section("restart", panel.restart);
        section("stuck_s", panel.stuck_s);
      } else {
        top.complain(*node, "panel", "a section");
      }
    }
  }
  if (complaint) return *complaint;
  if (hardware.servos) {
    if (auto sound = check_calibration(*hardware.servos); !sound) return sound.error();
  }
  if (hardware.panel) {
    if (auto sound = check_panel(*hardware.panel); !sound) return sound.error();
  }
  return hardware;
}

Result<Hardware> load_hardware(const std::string& file) {
  const auto text = read_text_file(file, kSettingsBytes);
  if (!text) return text.error();
  auto hardware = parse_hardware(*text);
  if (!hardware) return Error{fmt::format("{}: {}", file, hardware.error().message)};
  return hardware;
}

}  // namespace rowbot::drivers
