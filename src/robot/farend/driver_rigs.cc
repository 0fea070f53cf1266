#include "robot/farend/driver_rigs.h"

#include <utility>

namespace rowbot::farend {
namespace {

/// `driver_options` are made for a far end; `sent` says how much the driver has sent.
template <class Driver, class FarEnd, class Options>
Result<DriverRig<Driver, FarEnd>> make(std::shared_ptr<WireWorld> world, const Options& options,
                                       const auto& driver_options, const auto& sent) {
  auto far_end = FarEnd::create(*world, options);
  if (!far_end) return far_end.error();
  DriverRig<Driver, FarEnd> rig{.world = std::move(world),
                                .far_end = *std::move(far_end),
                                .pacer = std::make_shared<drivers::SimulatedPacer>(),
                                .driver = nullptr};
  rig.driver = std::make_unique<Driver>(driver_options(*rig.far_end), rig.pacer);
  rig.far_end->expect([driver = rig.driver.get(), sent] { return sent(*driver); });
  rig.pacer->on_time([world = rig.world, far_end = rig.far_end](double elapsed_s) {
    far_end->advance(elapsed_s);
  });
  return rig;
}

}  // namespace

Result<PandaRig> panda_rig(std::shared_ptr<WireWorld> world,
                           const RosbridgeFarEndOptions& options) {
  return make<drivers::PandaArm, RosbridgeFarEnd>(
      std::move(world), options,
      [&options](const RosbridgeFarEnd& far_end) {
        return drivers::PandaOptions{.address = far_end.address(), .topics = options.topics};
      },
      [](const drivers::PandaArm& driver) { return driver.traffic(); });
}

Result<RoboArmRig> roboarm_rig(std::shared_ptr<WireWorld> world,
                               const RoboArmFarEndOptions& options) {
  return make<drivers::RoboArm, RoboArmFarEnd>(
      std::move(world), options,
      [&options](const RoboArmFarEnd& far_end) {
        return drivers::RoboArmOptions{.port = far_end.path(), .config = options.config};
      },
      [](const drivers::RoboArm& driver) { return driver.port().written(); });
}

}  // namespace rowbot::farend
