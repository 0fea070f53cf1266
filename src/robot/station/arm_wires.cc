#include "robot/station/arm_wires.h"

#include <array>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "fmt/format.h"
#include "robot/drivers/hardware_file.h"
#include "robot/drivers/pacer.h"
#include "robot/drivers/rosbridge/panda_arm.h"
#include "robot/drivers/serial/roboarm.h"
#include "robot/drivers/servo/servo_arm.h"

namespace rowbot::station {
namespace {

using farend::RigWire;

struct SimulatedEntry {
  std::string_view text;
  RigWire wire;
};
constexpr std::array kSimulated = {
    SimulatedEntry{.text = "serial:sim", .wire = RigWire::kSerial},
    SimulatedEntry{.text = "rosbridge:sim", .wire = RigWire::kRosbridge},
    SimulatedEntry{.text = "servo:sim", .wire = RigWire::kServoSysfs},
    SimulatedEntry{.text = "servo:sim-sysfs", .wire = RigWire::kServoSysfs},
    SimulatedEntry{.text = "servo:sim-gpio", .wire = RigWire::kServoGpio},
    SimulatedEntry{.text = "servo:sim-i2c", .wire = RigWire::kServoI2c},
};

Result<RealArm> serial_arm(const std::string& address, const drivers::RoboArmConfig& config) {
  auto driver =
      std::make_unique<drivers::RoboArm>(drivers::RoboArmOptions{.port = address, .config = config},
                                         std::make_shared<drivers::RealTimePacer>());
  RealArm made;
  made.run_whole = [arm = driver.get()](const cell::DropPlan& plan) { return arm->run_plan(plan); };
  made.driver = std::move(driver);
  return made;
}

Result<RealArm> rosbridge_arm(const std::string& address) {
  auto url = drivers::parse_ws_url(address);
  if (!url) return url.error();
  RealArm made;
  made.driver =
      std::make_unique<drivers::PandaArm>(drivers::PandaOptions{.address = *std::move(url)},
                                          std::make_shared<drivers::RealTimePacer>());
  return made;
}

/// The address is a hardware file.
Result<RealArm> servo_arm(const std::string& address) {
  const auto hardware = drivers::load_hardware(address);
  if (!hardware) return hardware.error();
  if (!hardware->servos) return Error{fmt::format("{} has no section [servos]", address)};
  auto arm = drivers::ServoArm::create(*hardware->servos);
  if (!arm) return arm.error();
  RealArm made;
  made.driver = *std::move(arm);
  return made;
}

enum class Kind { kRosbridge, kSerial, kServo };
struct Wire {
  std::string_view name;
  Kind kind;
  const char* robot;
};
constexpr std::array kWires = {
    Wire{.name = "rosbridge", .kind = Kind::kRosbridge, .robot = "panda"},
    Wire{.name = "serial", .kind = Kind::kSerial, .robot = "roboarm"},
    Wire{.name = "servo", .kind = Kind::kServo, .robot = "eezybot"},
};

Result<const Wire*> wire_of(const std::string& text) {
  const auto colon = text.find(':');
  if (colon != std::string::npos && colon + 1 < text.size()) {
    for (const Wire& wire : kWires) {
      if (text.substr(0, colon) == wire.name) return &wire;
    }
  }
  std::string known;
  for (const Wire& wire : kWires) {
    known += fmt::format("{}{}:ADDRESS", known.empty() ? "" : ", ", wire.name);
  }
  return Error{fmt::format("there is no driver {}; there are {}, with sim as address to try them",
                           in_quotes(text), known)};
}

}  // namespace

Result<std::string> robot_of_driver(const std::string& driver) {
  const auto wire = wire_of(driver);
  if (!wire) return wire.error();
  return std::string((*wire)->robot);
}

std::optional<RigWire> simulated_wire(const std::string& driver) {
  for (const SimulatedEntry& known : kSimulated) {
    if (driver == known.text) return known.wire;
  }
  return std::nullopt;
}

Result<void> check_driver(const std::string& driver, const std::string& robot) {
  if (driver == "sim" || driver == "none") return {};
  const auto wire = wire_of(driver);
  if (!wire) return wire.error();
  if (robot == (*wire)->robot) return {};
  return Error{fmt::format(
      "driver: {} is for the {}, not for the {}; choose the robot, the layout or the driver so "
      "that they fit",
      in_quotes(driver), (*wire)->robot, robot)};
}

Result<drivers::RoboArmConfig> driver_config(const std::string& driver, const std::string& file) {
  if (file.empty()) return drivers::RoboArmConfig{};
  const auto wire = wire_of(driver);
  if (wire && (*wire)->kind == Kind::kSerial) return drivers::load_roboarm_config(file);
  return Error{
      "only the serial line has a configuration file; servos are their address: servo:FILE"};
}

Result<RealArm> open_real_arm(const std::string& driver, const drivers::RoboArmConfig& config) {
  const auto wire = wire_of(driver);
  if (!wire) return wire.error();
  const std::string address = driver.substr(driver.find(':') + 1);
  switch ((*wire)->kind) {
    case Kind::kRosbridge:
      return rosbridge_arm(address);
    case Kind::kSerial:
      return serial_arm(address, config);
    case Kind::kServo:
      return servo_arm(address);
  }
  return Error{"there is no such wire"};
}

}  // namespace rowbot::station
