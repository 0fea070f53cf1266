#include "robot/cell/arm_driver.h"

namespace rowbot::cell {

const char* arm_state_name(ArmState state) {
  switch (state) {
    case ArmState::kUnconfigured:
      return "unconfigured";
    case ArmState::kReady:
      return "ready";
    case ArmState::kActive:
      return "active";
    case ArmState::kFault:
      return "fault";
  }
  return "?";
}

Result<void> run(ArmDriver& driver, const arm::Trajectory& motion) {
  if (auto started = driver.start(motion); !started) return started;
  return driver.wait();
}

}  // namespace rowbot::cell
