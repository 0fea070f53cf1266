#include "wired_arm.h"

#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "drivers/farend/panda_rig.h"
#include "drivers/farend/roboarm_rig.h"
#include "drivers/farend/servo_rig.h"
#include "drivers/hardware_file.h"
#include "fmt/format.h"

namespace rowbot::app {
namespace {

/// The physics twin at the end of a wire.
class TwinWorld final : public drivers::WireWorld {
 public:
  explicit TwinWorld(std::shared_ptr<sim::World> world) : world_(std::move(world)) {}
  [[nodiscard]] const arm::ArmModel& model() const override { return world_->arm(); }
  [[nodiscard]] double step_s() const override { return world_->step_s(); }
  void command(const arm::JointVector& q_rad, const arm::JointVector& v_rad_s) override {
    world_->command(q_rad, v_rad_s);
  }
  void command_gripper(double width_m, double force_n) override {
    if (width_m < world_->gripper_width_m()) world_->wake_rail();
    world_->command_gripper(width_m, force_n);
  }
  void step() override { world_->step(); }
  [[nodiscard]] arm::JointVector joints_rad() const override { return world_->joints_rad(); }
  [[nodiscard]] arm::JointVector velocities_rad_s() const override {
    return world_->velocities_rad_s();
  }
  [[nodiscard]] double gripper_width_m() const override { return world_->gripper_width_m(); }

 private:
  std::shared_ptr<sim::World> world_;
};

Result<std::shared_ptr<sim::World>> world_at_rest(const cell::CellLayout& layout,
                                                  std::uint64_t seed) {
  const auto model = arm::model_by_name(layout.robot);
  if (!model) return model.error();
  auto made = sim::World::create(**model, layout, seed);
  if (!made) return made.error();
  std::shared_ptr<sim::World> world = *std::move(made);
  const arm::JointVector& neutral = arm::neutral(**model);
  world->command(neutral, arm::JointVector::Zero(neutral.size()));
  world->command_gripper(layout.grip_opening_m, layout.grip_force_n);
  for (int i = 0; i < 150; ++i) world->step();
  return world;
}

Result<WiredArm> serial_arm(const std::string& address, const cell::CellLayout& layout,
                            std::uint64_t seed, const std::string& config_file) {
  drivers::RoboArmConfig config;
  if (!config_file.empty()) {
    auto loaded = drivers::load_roboarm_config(config_file);
    if (!loaded) return loaded.error();
    config = *loaded;
  }
  WiredArm wired;
  std::unique_ptr<drivers::RoboArm> driver;
  if (address == "sim") {
    auto world = world_at_rest(layout, seed);
    if (!world) return world.error();
    wired.world = *std::move(world);
    auto rig =
        drivers::roboarm_rig(std::make_shared<TwinWorld>(wired.world),
                             {.config = config, .seed = seed, .hand_force_n = layout.grip_force_n});
    if (!rig) return rig.error();
    driver = std::move(rig->driver);
  } else {
    driver = std::make_unique<drivers::RoboArm>(
        drivers::RoboArmOptions{.port = address, .config = config},
        std::make_shared<drivers::RealTimePacer>());
  }
  // The arm's own buffer takes the whole drop.
  wired.run_plan = [arm = driver.get()](const cell::DropPlan& plan) -> Result<void> {
    if (auto started = arm->start_plan(plan); !started) return started;
    return arm->wait();
  };
  wired.advice = [arm = driver.get()] {
    const drivers::RoboArmDrift drift = arm->drift();
    return drift.recalibrate ? drift.words : std::string();
  };
  wired.driver = std::move(driver);
  return wired;
}

Result<WiredArm> rosbridge_arm(const std::string& address, const cell::CellLayout& layout,
                               std::uint64_t seed, const std::string& config_file) {
  if (!config_file.empty()) return Error{"a rosbridge has no configuration file"};
  WiredArm wired;
  if (address == "sim") {
    auto world = world_at_rest(layout, seed);
    if (!world) return world.error();
    wired.world = *std::move(world);
    auto rig = drivers::panda_rig(std::make_shared<TwinWorld>(wired.world), {.seed = seed});
    if (!rig) return rig.error();
    wired.driver = std::move(rig->driver);
  } else {
    auto url = drivers::parse_ws_url(address);
    if (!url) return url.error();
    wired.driver =
        std::make_unique<drivers::PandaArm>(drivers::PandaOptions{.address = *std::move(url)},
                                            std::make_shared<drivers::RealTimePacer>());
  }
  wired.run_plan = [arm = wired.driver.get()](const cell::DropPlan& plan) {
    return cell::run_plan(*arm, plan);
  };
  wired.advice = [] { return std::string(); };
  return wired;
}

/// The three rehearsed wires by their addresses; nothing for a file.
std::optional<drivers::WireKind> rehearsed_wire(const std::string& address) {
  if (address == "sim") return drivers::WireKind::kSysfs;
  constexpr std::string_view kPrefix = "sim-";
  if (!address.starts_with(kPrefix)) return std::nullopt;
  const auto wire = drivers::wire_by_name(address.substr(kPrefix.size()));
  if (!wire) return std::nullopt;
  return *wire;
}

/// The address is a hardware file, or sim, sim-gpio or sim-i2c.
Result<WiredArm> servo_arm(const std::string& address, const cell::CellLayout& layout,
                           std::uint64_t seed, const std::string& config_file) {
  if (!config_file.empty()) return Error{"the servos' configuration is their address: servo:FILE"};
  WiredArm wired;
  if (const auto wire = rehearsed_wire(address)) {
    auto world = world_at_rest(layout, seed);
    if (!world) return world.error();
    wired.world = *std::move(world);
    auto rig = drivers::ServoRig::create(std::make_shared<TwinWorld>(wired.world),
                                         {.wire = *wire,
                                          .grip_opening_m = layout.grip_opening_m,
                                          .grip_force_n = layout.grip_force_n});
    if (!rig) return rig.error();
    wired.driver = *std::move(rig);
  } else {
    const auto hardware = drivers::load_hardware(address);
    if (!hardware) return hardware.error();
    if (!hardware->servos) return Error{fmt::format("{} has no section [servos]", address)};
    auto arm = drivers::ServoArm::create(*hardware->servos);
    if (!arm) return arm.error();
    wired.driver = *std::move(arm);
  }
  wired.run_plan = [arm = wired.driver.get()](const cell::DropPlan& plan) {
    return cell::run_plan(*arm, plan);
  };
  wired.advice = [] { return std::string(); };
  return wired;
}

struct Wire {
  std::string_view name;
  const char* robot;
  Result<WiredArm> (*make)(const std::string& address, const cell::CellLayout& layout,
                           std::uint64_t seed, const std::string& config_file);
};
constexpr std::array kWires = {
    Wire{.name = "rosbridge", .robot = "panda", .make = rosbridge_arm},
    Wire{.name = "serial", .robot = "roboarm", .make = serial_arm},
    Wire{.name = "servo", .robot = "eezybot", .make = servo_arm},
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

Result<WiredArm> make_wired_arm(const std::string& text, const cell::CellLayout& layout,
                                std::uint64_t seed, const std::string& config_file) {
  const auto wire = wire_of(text);
  if (!wire) return wire.error();
  if (layout.robot != (*wire)->robot) {
    return Error{fmt::format("the driver {} is for the {}, not for the {}", (*wire)->name,
                             (*wire)->robot, layout.robot)};
  }
  return (*wire)->make(text.substr(text.find(':') + 1), layout, seed, config_file);
}

}  // namespace rowbot::app
