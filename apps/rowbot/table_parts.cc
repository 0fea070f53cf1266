#include "table_parts.h"

#include <filesystem>
#include <string_view>

#include "base/text.h"
#include "commands.h"
#include "fmt/format.h"
#include "robot/cell/layout_file.h"
#include "robot/drivers/hardware_file.h"
#include "wired_arm.h"

namespace rowbot::app {
namespace {

Senses senses_of(std::string_view text) {
  Senses senses;
  for (const std::string_view sense : split(text, ',')) {
    if (sense == "camera") {
      senses.camera = true;
    } else if (sense == "switches") {
      senses.switches = true;
    } else if (sense == "keys") {
      senses.keys = true;
    } else {
      fail_usage(Error{fmt::format("there is no sense {}; there are camera, switches and keys",
                                   in_quotes(sense))});
    }
  }
  return senses;
}

std::string beside(const std::string& file, const std::string& name) {
  namespace fs = std::filesystem;
  return fs::path(name).is_absolute() ? name : (fs::path(file).parent_path() / name).string();
}

/// The driver's text with its address.
std::string driver_text(const TableWish& wish, const drivers::Hardware& hardware) {
  std::string driver = wish.driver.empty() ? hardware.driver.value_or("") : wish.driver;
  if (driver.empty() && hardware.servos) driver = "servo";
  if (driver.empty() && wish.config.empty()) driver = "sim";
  if (driver == "sim" || driver == "none" || driver.find(':') != std::string::npos) return driver;
  if (driver == "servo" && !wish.config.empty()) return "servo:" + wish.config;
  if (driver == "serial" && hardware.serial) return "serial:" + *hardware.serial;
  if (driver == "rosbridge" && hardware.rosbridge) return "rosbridge:" + *hardware.rosbridge;
  fail_usage(Error{fmt::format(
      "the driver {} has no address; name it as in serial:/dev/ttyUSB0, or write it into the "
      "configuration (docs/wiring.md)",
      in_quotes(driver))});
}

cell::CellLayout layout_of(const TableWish& wish, const drivers::Hardware& hardware,
                           const std::string& driver) {
  if (!wish.layout.empty()) return usage_value(cell::load_layout(wish.layout));
  if (hardware.layout) return usage_value(cell::load_layout(beside(wish.config, *hardware.layout)));
  const bool wired = driver != "sim" && driver != "none";
  const std::string robot = !wish.robot.empty() ? wish.robot
                            : wired             ? usage_value(robot_of_driver(driver))
                                                : std::string("eezybot");
  return cell::default_layout(*usage_value(arm::model_by_name(robot)));
}

}  // namespace

TableParts table_parts(const TableWish& wish) {
  drivers::Hardware hardware;
  if (!wish.config.empty()) hardware = usage_value(drivers::load_hardware(wish.config));
  TableParts parts;
  parts.driver = driver_text(wish, hardware);
  parts.wire = simulated_wire(parts.driver);
  parts.layout = layout_of(wish, hardware, parts.driver);
  if (parts.driver != "sim" && parts.driver != "none") {
    const std::string robot = usage_value(robot_of_driver(parts.driver));
    if (parts.layout.robot != robot) {
      fail_usage(Error{fmt::format("the driver {} is for the {}, not for the {}",
                                   in_quotes(parts.driver), robot, parts.layout.robot)});
    }
  }
  parts.senses = senses_of(!wish.senses.empty() ? wish.senses
                           : hardware.senses    ? *hardware.senses
                           : parts.simulated()  ? std::string("camera")
                                                : std::string("camera,keys"));
  parts.agent = !wish.agent.empty() ? wish.agent : hardware.agent.value_or("");
  parts.camera = hardware.camera.value_or("/dev/video0");
  if (hardware.eyes) parts.eyes = beside(wish.config, *hardware.eyes);
  parts.panel = hardware.panel.value_or(drivers::PanelWiring{});
  return parts;
}

}  // namespace rowbot::app
