#include "robot/drivers/hardware_file.h"

#include <fmt/format.h>
#include <set>

#include "base/fields.h"
#include "base/text_file.h"
#include "base/toml_writer.h"

namespace rowbot::drivers {
namespace {

constexpr Limits kNotEmpty{.least = 1};
constexpr Limits kWholeNumber{.least = -1e6, .most = 1e6};

template <class Archive>
void describe(Archive& section, PulseRange& pulses) {
  section("min_us", pulses.min_us);
  section("max_us", pulses.max_us);
  section("travel_deg", pulses.travel_deg);
}

/// Every field of the servos, to read and to write. A joint without a wire is on `wire`.
template <class Archive>
void describe(Archive& section, ServoCalibration& servos, WireKind wire) {
  section("robot", servos.robot, kNotEmpty);
  section("frequency_hz", servos.frequency_hz);
  section("idle_off_s", servos.idle_off_s);
  section("sysfs_chip", servos.sysfs_chip, kNotEmpty);
  section("gpio_chip", servos.gpio_chip, kNotEmpty);
  section("gpio_jitter_us", servos.gpio_jitter_us);
  section("i2c_device", servos.i2c_device, kNotEmpty);
  section("i2c_address", servos.i2c_address);
  section("i2c_oscillator_hz", servos.i2c_oscillator_hz);
  section.list("joint", servos.joints, JointServo{.name = "", .wire = wire},
               [](auto& joint, JointServo& servo) {
                 joint("name", servo.name, kNotEmpty);
                 joint.name("wire", servo.wire, kWireNames);
                 joint("channel", servo.channel, kWholeNumber);
                 describe(joint, servo.pulses);
                 joint("direction", servo.direction);
                 joint("centre_deg", servo.centre_deg);
                 joint("trim_deg", servo.trim_deg);
                 joint("min_deg", servo.min_deg);
                 joint("max_deg", servo.max_deg);
               });
  auto gripper = section.section("gripper");
  gripper.name("wire", servos.gripper.wire, kWireNames);
  gripper("channel", servos.gripper.channel, kWholeNumber);
  describe(gripper, servos.gripper.pulses);
  gripper("closed_deg", servos.gripper.closed_deg);
  gripper("open_deg", servos.gripper.open_deg);
}

template <class Archive>
void describe(Archive& section, PanelWiring& panel) {
  constexpr Limits kLine{.least = 0, .most = 1023};
  section("chip", panel.chip, kNotEmpty);
  section("columns", panel.columns, kLine);
  section("rocker", panel.rocker, kLine);
  section("restart", panel.restart, kLine);
  section("stuck_s", panel.stuck_s);
}

template <class Archive>
void describe_top(Archive& top, Hardware& hardware) {
  top("layout", hardware.layout, kNotEmpty);
  top("camera", hardware.camera, kNotEmpty);
  top("eyes", hardware.eyes, kNotEmpty);
  top("serial", hardware.serial, kNotEmpty);
  top("rosbridge", hardware.rosbridge, kNotEmpty);
  top("driver", hardware.driver, kNotEmpty);
  top("senses", hardware.senses, kNotEmpty);
  top("agent", hardware.agent, kNotEmpty);
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
  return {};
}

}  // namespace

std::string hardware_text(const Hardware& hardware) {
  std::string text =
      fmt::format("# What is wired to what. docs/wiring.md explains every key.\nversion = {}\n",
                  kHardwareVersion);
  TomlWriter top(text);
  Hardware copy = hardware;
  describe_top(top, copy);
  if (copy.servos) {
    TomlWriter section = top.section("servos");
    describe(section, *copy.servos, {});
  }
  if (copy.panel) {
    TomlWriter section = top.section("panel");
    describe(section, *copy.panel);
  }
  return text;
}

Result<Hardware> parse_hardware(std::string_view text) {
  auto reader = FieldReader::from_toml(text, MissingField::kKeepsDefault);
  if (!reader) return reader.error();
  Fields top = reader->top();
  int version = 0;
  top("version", version);
  if (!reader->error() && version != kHardwareVersion) {
    return Error{
        fmt::format("this hardware file has version {}, and this program reads version "
                    "{}; write 'version = {}' at its top",
                    version, kHardwareVersion, kHardwareVersion)};
  }
  Hardware hardware;
  describe_top(top, hardware);
  if (top.has("servos")) {
    Fields section = top.section("servos");
    WireKind wire = WireKind::kSysfs;
    section.name("wire", wire, kWireNames);
    hardware.servos = default_calibration(wire);
    describe(section, *hardware.servos, wire);
    int number = 0;
    for (JointServo& servo : hardware.servos->joints) {
      ++number;
      if (servo.name.empty()) servo.name = fmt::format("joint {}", number);
    }
  }
  if (top.has("panel")) {
    Fields section = top.section("panel");
    describe(section, hardware.panel.emplace());
  }
  if (auto sound = reader->finish(UnknownField::kIsError); !sound) return sound.error();
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
