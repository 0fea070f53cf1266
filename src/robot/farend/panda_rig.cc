#include "robot/farend/panda_rig.h"

#include <utility>

namespace rowbot::farend {

Result<PandaRig> panda_rig(std::shared_ptr<WireWorld> world,
                           const RosbridgeFarEndOptions& options) {
  auto made = RosbridgeFarEnd::create(*world, options);
  if (!made) return made.error();
  PandaRig rig{.world = std::move(world),
               .far_end = *std::move(made),
               .pacer = std::make_shared<drivers::SimulatedPacer>(),
               .driver = nullptr};
  rig.driver = std::make_unique<drivers::PandaArm>(
      drivers::PandaOptions{.address = rig.far_end->address(), .topics = options.topics},
      rig.pacer);
  rig.far_end->expect([driver = rig.driver.get()] { return driver->traffic(); });
  rig.pacer->on_time([world = rig.world, far_end = rig.far_end](double elapsed_s) {
    far_end->advance(elapsed_s);
  });
  return rig;
}

}  // namespace rowbot::farend
