// A driver and its simulated far end, wired up in simulated time: bytes go through a real pseudo
// terminal or socket, and time passes only while somebody waits for the driver.
// Thread safety: none, except what the driver promises.
#pragma once

#include <memory>

#include "robot/drivers/pacer.h"
#include "robot/drivers/rosbridge/panda_arm.h"
#include "robot/drivers/serial/roboarm.h"
#include "robot/farend/roboarm_far_end.h"
#include "robot/farend/rosbridge_far_end.h"
#include "robot/farend/wire_world.h"

namespace rowbot::farend {

/// The driver may outlive the rest of the struct: its pacer keeps the far end.
template <class Driver, class FarEnd>
struct DriverRig {
  std::shared_ptr<WireWorld> world;
  std::shared_ptr<FarEnd> far_end;
  std::shared_ptr<drivers::SimulatedPacer> pacer;
  std::unique_ptr<Driver> driver;
};
using PandaRig = DriverRig<drivers::PandaArm, RosbridgeFarEnd>;
using RoboArmRig = DriverRig<drivers::RoboArm, RoboArmFarEnd>;

[[nodiscard]] Result<PandaRig> panda_rig(std::shared_ptr<WireWorld> world,
                                         const RosbridgeFarEndOptions& options);
[[nodiscard]] Result<RoboArmRig> roboarm_rig(std::shared_ptr<WireWorld> world,
                                             const RoboArmFarEndOptions& options);

}  // namespace rowbot::farend
