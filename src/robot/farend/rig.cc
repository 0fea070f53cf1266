#include "robot/farend/rig.h"

#include <utility>

#include "robot/farend/driver_rigs.h"
#include "robot/farend/servo_rig.h"

namespace rowbot::farend {
namespace {

Result<Rig> serial_rig(std::shared_ptr<WireWorld> world, const RigOptions& options) {
  auto made = roboarm_rig(std::move(world), {.config = options.roboarm,
                                             .seed = options.seed,
                                             .drift_deg = options.roboarm_drift_deg,
                                             .hand_force_n = options.grip_force_n});
  if (!made) return made.error();
  Rig rig;
  rig.run_whole = [arm = made->driver.get()](const cell::DropPlan& plan) {
    return arm->run_plan(plan);
  };
  rig.pass = [pacer = made->pacer](double seconds) { pacer->advance(seconds); };
  rig.rest = [far_end = made->far_end] { far_end->rest(); };
  rig.driver = std::move(made->driver);
  return rig;
}

Result<Rig> rosbridge_rig(std::shared_ptr<WireWorld> world, const RigOptions& options) {
  auto made = panda_rig(std::move(world), {.seed = options.seed});
  if (!made) return made.error();
  Rig rig;
  rig.pass = [pacer = made->pacer](double seconds) { pacer->advance(seconds); };
  rig.rest = [] {};
  rig.driver = std::move(made->driver);
  return rig;
}

Result<Rig> servo_rig(drivers::WireKind kind, std::shared_ptr<WireWorld> world,
                      const RigOptions& options) {
  auto made = ServoRig::create(std::move(world), {.wire = kind,
                                                  .grip_opening_m = options.grip_opening_m,
                                                  .grip_force_n = options.grip_force_n});
  if (!made) return made.error();
  Rig rig;
  rig.pass = [servos = made->get()](double seconds) { servos->advance(seconds); };
  rig.rest = [] {};  // their pulses bring servos back
  rig.driver = *std::move(made);
  return rig;
}

}  // namespace

Result<Rig> make_rig(RigWire wire, std::shared_ptr<WireWorld> world, const RigOptions& options) {
  switch (wire) {
    case RigWire::kSerial:
      return serial_rig(std::move(world), options);
    case RigWire::kRosbridge:
      return rosbridge_rig(std::move(world), options);
    case RigWire::kServoSysfs:
      return servo_rig(drivers::WireKind::kSysfs, std::move(world), options);
    case RigWire::kServoGpio:
      return servo_rig(drivers::WireKind::kGpio, std::move(world), options);
    case RigWire::kServoI2c:
      return servo_rig(drivers::WireKind::kI2c, std::move(world), options);
  }
  return Error{"there is no such wire"};
}

}  // namespace rowbot::farend
