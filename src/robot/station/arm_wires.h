// Arms on wires, made from texts: serial:/dev/ttyUSB0, rosbridge:ws://host:9090,
// servo:hardware.toml; with "sim" in place of the address the far end is simulated, and its bytes
// move the physics twin (servos also: sim-gpio, sim-i2c).
// Thread safety: pure functions but for the files and devices they open.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "robot/cell/hand.h"
#include "robot/drivers/serial/roboarm_config.h"
#include "robot/farend/rig.h"

namespace rowbot::station {

/// The robot that a wire belongs to.
[[nodiscard]] Result<std::string> robot_of_driver(const std::string& driver);
/// The simulated wire that a text names; none for a real one.
[[nodiscard]] std::optional<farend::RigWire> simulated_wire(const std::string& driver);
/// Whether there is such a driver, for this robot.
[[nodiscard]] Result<void> check_driver(const std::string& driver, const std::string& robot);
/// What is known about an arm on a serial line; the defaults without a file.
[[nodiscard]] Result<drivers::RoboArmConfig> driver_config(const std::string& driver,
                                                           const std::string& file);

struct RealArm {
  std::unique_ptr<cell::ArmDriver> driver;
  /// A whole drop at once, for a wire that takes it; else empty.
  cell::ArmHand::PlanRunner run_whole;
};
/// An arm at the end of a real wire. Nothing is sent before it is configured.
[[nodiscard]] Result<RealArm> open_real_arm(const std::string& driver,
                                            const drivers::RoboArmConfig& config);

}  // namespace rowbot::station
