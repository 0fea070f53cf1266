// Arms on wires, made from texts: serial:/dev/ttyUSB0, rosbridge:ws://host:9090,
// servo:hardware.toml, or with "sim" in place of the address a simulated far end whose bytes move
// the physics twin (servos also: sim-gpio, sim-i2c).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "robot/cell/drop_plan.h"
#include "robot/cell/layout.h"
#include "robot/farend/rig.h"
#include "robot/sim/world.h"

namespace rowbot::app {

inline constexpr const char* kDriverHelp =
    "The arm's wire instead of the twin: serial:/dev/ttyUSB0, rosbridge:ws://host:9090 or "
    "servo:hardware.toml; with sim as address a simulated far end";

struct WiredArm {
  std::shared_ptr<sim::World> world;  // behind a simulated far end; none on a real wire
  std::unique_ptr<cell::ArmDriver> driver;
  /// A whole drop at once, for a wire that takes it; else empty.
  std::function<Result<void>(const cell::DropPlan&)> run_whole;
};

/// The robot that a wire belongs to.
[[nodiscard]] Result<std::string> robot_of_driver(const std::string& text);
/// The simulated wire that a text names; none for a real one.
[[nodiscard]] std::optional<farend::RigWire> simulated_wire(const std::string& text);
[[nodiscard]] Result<WiredArm> make_wired_arm(const std::string& text,
                                              const cell::CellLayout& layout, std::uint64_t seed,
                                              const std::string& config_file);

}  // namespace rowbot::app
