#include "robot/farend/servo_rig.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace rowbot::farend {

Result<std::unique_ptr<ServoRig>> ServoRig::create(std::shared_ptr<WireWorld> world,
                                                   const ServoRigOptions& options) {
  auto far_end = ServoFarEnd::create(options.wire);
  if (!far_end) return far_end.error();
  return std::unique_ptr<ServoRig>(new ServoRig(std::move(world), *std::move(far_end), options));
}

ServoRig::ServoRig(std::shared_ptr<WireWorld> world, std::unique_ptr<ServoFarEnd> far_end,
                   const ServoRigOptions& options)
    : world_(std::move(world)),
      far_end_(std::move(far_end)),
      driver_(far_end_->driver()),
      horn_rad_(arm::neutral(world_->model())),
      width_m_(options.grip_opening_m),
      force_n_(options.grip_force_n) {
  far_end_->pacer().on_time([this](double elapsed_s) { pass(elapsed_s); });
}

cell::ArmReading ServoRig::read() const {
  cell::ArmReading reading = driver_.read();
  reading.v_rad_s = world_->velocities_rad_s();
  return reading;
}

void ServoRig::pass(double elapsed_s) {
  far_end_->pass(elapsed_s);
  const arm::JointVector from_rad = horn_rad_;
  horn_rad_ = far_end_->told_rad().value_or(horn_rad_);
  const double from_m = width_m_;
  width_m_ = far_end_->told_width_m().value_or(width_m_);
  const int steps = std::max(1, static_cast<int>(std::lround(elapsed_s / world_->step_s())));
  const arm::JointVector v_rad_s = (horn_rad_ - from_rad) / elapsed_s;
  for (int k = 1; k <= steps; ++k) {
    const double share = static_cast<double>(k) / steps;
    world_->command(from_rad + share * (horn_rad_ - from_rad), v_rad_s);
    world_->command_gripper(from_m + share * (width_m_ - from_m), force_n_);
    world_->step();
  }
}

}  // namespace rowbot::farend
