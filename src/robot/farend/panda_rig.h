// The Panda's driver and its simulated far end, wired up in simulated time: texts go through a real
// socket, and time passes only while somebody waits for the driver.
// Thread safety: none, except what the driver promises.
#pragma once

#include <memory>

#include "robot/drivers/pacer.h"
#include "robot/drivers/rosbridge/panda_arm.h"
#include "robot/farend/rosbridge_far_end.h"
#include "robot/farend/wire_world.h"

namespace rowbot::farend {

/// The driver may outlive the rest of the struct: its pacer keeps the far end.
struct PandaRig {
  std::shared_ptr<WireWorld> world;
  std::shared_ptr<RosbridgeFarEnd> far_end;
  std::shared_ptr<drivers::SimulatedPacer> pacer;
  std::unique_ptr<drivers::PandaArm> driver;
};
[[nodiscard]] Result<PandaRig> panda_rig(std::shared_ptr<WireWorld> world,
                                         const RosbridgeFarEndOptions& options);

}  // namespace rowbot::farend
