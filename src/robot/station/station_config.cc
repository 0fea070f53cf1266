#include "robot/station/station_config.h"

#include <filesystem>

#include "base/text.h"
#include "fmt/format.h"
#include "robot/cell/layout_file.h"
#include "robot/drivers/hardware_file.h"
#include "robot/station/arm_wires.h"

namespace rowbot::station {
namespace {

/// The driver's text with its address.
Result<std::string> driver_text(const StationOptions& options, const drivers::Hardware& hardware) {
  std::string driver = options.driver.empty() ? hardware.driver.value_or("") : options.driver;
  if (driver.empty() && hardware.servos) driver = "servo";
  if (driver.empty() && options.config.empty()) driver = "sim";
  if (driver == "sim" || driver == "none" || driver.find(':') != std::string::npos) return driver;
  if (driver == "servo" && !options.config.empty()) return "servo:" + options.config;
  if (driver == "serial" && hardware.serial) return "serial:" + *hardware.serial;
  if (driver == "rosbridge" && hardware.rosbridge) return "rosbridge:" + *hardware.rosbridge;
  return Error{fmt::format(
      "the driver {} has no address; name it as in serial:/dev/ttyUSB0, or write it into the "
      "configuration (docs/wiring.md)",
      in_quotes(driver))};
}

Result<cell::CellLayout> layout_of(const StationOptions& options, const drivers::Hardware& hardware,
                                   const std::string& driver) {
  if (!options.layout.empty()) return cell::load_layout(options.layout);
  if (hardware.layout) return cell::load_layout(beside(options.config, *hardware.layout));
  std::string robot = options.robot.empty() ? "eezybot" : options.robot;
  if (options.robot.empty() && driver != "sim" && driver != "none") {
    auto at_home = robot_of_driver(driver);
    if (!at_home) return at_home.error();
    robot = *std::move(at_home);
  }
  const auto model = arm::model_by_name(robot);
  if (!model) return model.error();
  return cell::default_layout(**model);
}

/// Which camera and which switches there are.
void choose_parts(const StationOptions& options, const drivers::Hardware& hardware,
                  StationConfig& config) {
  const bool whole_twin = config.simulated_arm() && !options.driver.empty();
  const auto device = whole_twin ? std::nullopt : hardware.camera;
  if (!options.camera.empty()) {
    config.camera = options.camera;
  } else if (device) {
    config.camera = config.senses.camera ? *device : "none";
  } else if (!config.simulated_arm()) {
    config.camera = config.senses.camera ? "/dev/video0" : "none";
  }
  if (hardware.eyes && config.camera != "sim") config.eyes = beside(options.config, *hardware.eyes);
  if (!config.simulated_arm() || (hardware.panel && !whole_twin)) {
    config.panel = hardware.panel.value_or(drivers::PanelWiring{});
  }
  // Real cameras and real fingers keep the time of the clock on the wall.
  if (config.simulated_arm() && !config.simulated()) config.speed = 1;
}

}  // namespace

std::string beside(const std::string& file, const std::string& name) {
  namespace fs = std::filesystem;
  return fs::path(name).is_absolute() ? name : (fs::path(file).parent_path() / name).string();
}

Result<Senses> parse_senses(std::string_view text) {
  Senses senses{.camera = false};
  for (const std::string_view sense : split(text, ',')) {
    if (sense == "camera") {
      senses.camera = true;
    } else if (sense == "switches") {
      senses.switches = true;
    } else if (sense == "keys") {
      senses.keys = true;
    } else {
      return Error{fmt::format("senses: there is no sense {}; there are camera, switches and keys",
                               in_quotes(sense))};
    }
  }
  return senses;
}

bool StationConfig::simulated_arm() const {
  return driver == "sim" || simulated_wire(driver).has_value();
}

bool StationConfig::simulated() const {
  return simulated_arm() && camera == "sim" && !(senses.switches && panel);
}

Result<StationConfig> configure(const StationOptions& options) {
  drivers::Hardware hardware;
  if (!options.config.empty()) {
    auto loaded = drivers::load_hardware(options.config);
    if (!loaded) return loaded.error();
    hardware = *std::move(loaded);
  }
  StationConfig config;
  auto driver = driver_text(options, hardware);
  if (!driver) return driver.error();
  config.driver = *std::move(driver);
  auto layout = layout_of(options, hardware, config.driver);
  if (!layout) return layout.error();
  config.layout = *std::move(layout);
  if (auto fits = check_driver(config.driver, config.layout.robot); !fits) return fits.error();
  const char* usual = config.simulated_arm() ? "camera" : "camera,keys";
  const auto senses =
      parse_senses(!options.senses.empty() ? options.senses : hardware.senses.value_or(usual));
  if (!senses) return senses.error();
  config.senses = *senses;
  config.agent = !options.agent.empty() ? options.agent : hardware.agent.value_or("");
  choose_parts(options, hardware, config);
  return config;
}

}  // namespace rowbot::station
