// Any arm's driver on its simulated wire, with a world at the far end.
// Thread safety: as ArmDriver; the world moves on the thread that waits.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "robot/cell/arm_driver.h"
#include "robot/cell/drop_plan.h"
#include "robot/drivers/serial/roboarm_config.h"
#include "robot/farend/wire_world.h"

namespace rowbot::farend {

enum class RigWire : std::uint8_t { kSerial, kRosbridge, kServoSysfs, kServoGpio, kServoI2c };

struct RigOptions {
  std::uint64_t seed = 1;
  double grip_opening_m = 0.03;  // of the world's hand at the start
  double grip_force_n = 1;       // where the wire cannot tell it
  drivers::RoboArmConfig roboarm;
  double roboarm_drift_deg = 0;  // at most, of one order; the RoboArm's motors only
};

struct Rig {
  std::unique_ptr<cell::ArmDriver> driver;
  /// A whole drop at once, for a wire that takes it; else empty.
  std::function<Result<void>(const cell::DropPlan&)> run_whole;
  /// Lets time pass at both ends; nothing happens before the driver is configured.
  std::function<void(double seconds)> pass;
  /// A person has moved the world's arm by hand; the motors at the far end know.
  std::function<void()> rest;
};

/// The rig keeps the world.
[[nodiscard]] Result<Rig> make_rig(RigWire wire, std::shared_ptr<WireWorld> world,
                                   const RigOptions& options);

}  // namespace rowbot::farend
