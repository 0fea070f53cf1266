#include "wired_arm.h"

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
#include "robot/station/far_end_world.h"

namespace rowbot::app {
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

Result<std::shared_ptr<sim::World>> world_at_rest(const cell::CellLayout& layout) {
  const auto model = arm::model_by_name(layout.robot);
  if (!model) return model.error();
  auto made = sim::World::create(**model, layout);
  if (!made) return made.error();
  std::shared_ptr<sim::World> world = *std::move(made);
  const arm::JointVector& neutral = arm::neutral(**model);
  world->arm.command(neutral, arm::JointVector::Zero(neutral.size()));
  world->arm.command_gripper(layout.grip_opening_m, layout.grip_force_n);
  for (int i = 0; i < 150; ++i) world->step();
  return world;
}

Result<WiredArm> simulated_arm(RigWire wire, const cell::CellLayout& layout, std::uint64_t seed,
                               const drivers::RoboArmConfig& config) {
  auto world = world_at_rest(layout);
  if (!world) return world.error();
  auto rig = farend::make_rig(
      wire, std::make_shared<station::FarEndWorld>(**world, [world = *world] { world->step(); }),
      {.seed = seed,
       .grip_opening_m = layout.grip_opening_m,
       .grip_force_n = layout.grip_force_n,
       .roboarm = config});
  if (!rig) return rig.error();
  return WiredArm{.world = *std::move(world),
                  .driver = std::move(rig->driver),
                  .run_whole = std::move(rig->run_whole)};
}

Result<WiredArm> serial_arm(const std::string& address, const drivers::RoboArmConfig& config) {
  auto driver =
      std::make_unique<drivers::RoboArm>(drivers::RoboArmOptions{.port = address, .config = config},
                                         std::make_shared<drivers::RealTimePacer>());
  WiredArm wired;
  wired.run_whole = [arm = driver.get()](const cell::DropPlan& plan) {
    return arm->run_plan(plan);
  };
  wired.driver = std::move(driver);
  return wired;
}

Result<WiredArm> rosbridge_arm(const std::string& address) {
  auto url = drivers::parse_ws_url(address);
  if (!url) return url.error();
  WiredArm wired;
  wired.driver =
      std::make_unique<drivers::PandaArm>(drivers::PandaOptions{.address = *std::move(url)},
                                          std::make_shared<drivers::RealTimePacer>());
  return wired;
}

/// The address is a hardware file.
Result<WiredArm> servo_arm(const std::string& address) {
  const auto hardware = drivers::load_hardware(address);
  if (!hardware) return hardware.error();
  if (!hardware->servos) return Error{fmt::format("{} has no section [servos]", address)};
  auto arm = drivers::ServoArm::create(*hardware->servos);
  if (!arm) return arm.error();
  WiredArm wired;
  wired.driver = *std::move(arm);
  return wired;
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

Result<std::string> robot_of_driver(const std::string& text) {
  const auto wire = wire_of(text);
  if (!wire) return wire.error();
  return std::string((*wire)->robot);
}

std::optional<RigWire> simulated_wire(const std::string& text) {
  for (const SimulatedEntry& known : kSimulated) {
    if (text == known.text) return known.wire;
  }
  return std::nullopt;
}

Result<WiredArm> make_wired_arm(const std::string& text, const cell::CellLayout& layout,
                                std::uint64_t seed, const std::string& config_file) {
  const auto wire = wire_of(text);
  if (!wire) return wire.error();
  if (layout.robot != (*wire)->robot) {
    return Error{fmt::format("the driver {} is for the {}, not for the {}", (*wire)->name,
                             (*wire)->robot, layout.robot)};
  }
  drivers::RoboArmConfig config;
  if (!config_file.empty()) {
    if ((*wire)->kind != Kind::kSerial) {
      return Error{
          "only the serial line has a configuration file; servos are their address: "
          "servo:FILE"};
    }
    auto loaded = drivers::load_roboarm_config(config_file);
    if (!loaded) return loaded.error();
    config = *loaded;
  }
  if (const auto wire_kind = simulated_wire(text)) {
    return simulated_arm(*wire_kind, layout, seed, config);
  }
  const std::string address = text.substr(text.find(':') + 1);
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

}  // namespace rowbot::app
