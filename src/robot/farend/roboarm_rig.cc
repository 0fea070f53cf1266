#include "robot/farend/roboarm_rig.h"

#include <utility>

namespace rowbot::farend {

Result<RoboArmRig> roboarm_rig(std::shared_ptr<WireWorld> world,
                               const RoboArmFarEndOptions& options) {
  auto made = RoboArmFarEnd::create(*world, options);
  if (!made) return made.error();
  RoboArmRig rig{.world = std::move(world),
                 .far_end = *std::move(made),
                 .pacer = std::make_shared<drivers::SimulatedPacer>(),
                 .driver = nullptr};
  rig.driver = std::make_unique<drivers::RoboArm>(
      drivers::RoboArmOptions{.port = rig.far_end->path(), .config = options.config}, rig.pacer);
  rig.far_end->expect([driver = rig.driver.get()] { return driver->port().written(); });
  rig.pacer->on_time([world = rig.world, far_end = rig.far_end](double elapsed_s) {
    far_end->advance(elapsed_s);
  });
  return rig;
}

}  // namespace rowbot::farend
