// The RoboArm's driver and its simulated far end, wired up in simulated time: bytes go through a
// real pseudo terminal, and time passes only while somebody waits for the driver. Thread safety:
// none, except what the driver promises.
#pragma once

#include <memory>

#include "drivers/farend/roboarm_far_end.h"
#include "drivers/farend/wire_world.h"
#include "drivers/pacer.h"
#include "drivers/serial/roboarm.h"

namespace rowbot::drivers {

/// The driver may outlive the rest of the struct: its pacer keeps the far end.
struct RoboArmRig {
  std::shared_ptr<WireWorld> world;
  std::shared_ptr<RoboArmFarEnd> far_end;
  std::shared_ptr<SimulatedPacer> pacer;
  std::unique_ptr<RoboArm> driver;
};
[[nodiscard]] Result<RoboArmRig> roboarm_rig(std::shared_ptr<WireWorld> world,
                                             const RoboArmFarEndOptions& options);

}  // namespace rowbot::drivers
