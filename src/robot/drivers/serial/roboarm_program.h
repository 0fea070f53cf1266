// A planned motion as the RoboArm can run it: whole degrees, one motor after the other, in its
// buffer; and how long that takes, since the arm does not say when it is done.
// Thread safety: pure functions and plain values.
#pragma once

#include <vector>

#include "robot/arm/trajectory.h"
#include "robot/drivers/serial/roboarm_config.h"

namespace rowbot::drivers {

struct RoboArmProgram {
  std::vector<RoboArmOrder> orders;
  arm::JointVector start_deg;
  arm::JointVector end_deg;
  int motions = 0;
};

/// Adds the steps along a motion: at no time is a joint further from the planned path than the
/// configuration's follow_deg and the rounding. Ends on the whole degrees, counted from
/// `program.end_deg`, that bring the hand nearest to the motion's end, within the joints' ranges.
void add_motion(const arm::ArmModel& model, const RoboArmConfig& config,
                const arm::Trajectory& motion, RoboArmProgram& program);
void add_hand(bool open, RoboArmProgram& program);
/// An error when the arm's buffer does not hold it.
[[nodiscard]] Result<void> check_program(const RoboArmConfig& config,
                                         const RoboArmProgram& program);

/// By the timing model, without margin.
[[nodiscard]] double order_s(const RoboArmConfig& config, const RoboArmOrder& order);
[[nodiscard]] double running_s(const RoboArmConfig& config, const RoboArmProgram& program);
/// How long bytes take on the line, with start and stop bits.
[[nodiscard]] double sending_s(const RoboArmConfig& config, std::size_t bytes);

/// Where the joints are, by the timing model, after so many seconds of running.
[[nodiscard]] arm::JointVector pose_after_deg(const RoboArmConfig& config,
                                              const RoboArmProgram& program, double seconds);

}  // namespace rowbot::drivers
