// The physics at the far end of a simulated wire: what its bytes say moves the simulated arm.
// Thread safety: none.
#pragma once

#include <functional>
#include <utility>

#include "robot/farend/wire_world.h"
#include "robot/sim/world.h"

namespace rowbot::station {

class FarEndWorld final : public farend::WireWorld {
 public:
  /// `step` lets one step of the world's time pass; world and step outlive it.
  FarEndWorld(sim::World& world, std::function<void()> step)
      : world_(world), step_(std::move(step)) {}

  [[nodiscard]] const arm::ArmModel& model() const override { return world_.state.scene().arm; }
  [[nodiscard]] double step_s() const override { return world_.state.step_s(); }
  void command(const arm::JointVector& q_rad, const arm::JointVector& v_rad_s) override {
    world_.arm.command(q_rad, v_rad_s);
  }
  void command_gripper(double width_m, double force_n) override {
    if (width_m < world_.arm.gripper_width_m()) world_.magazine.wake();
    world_.arm.command_gripper(width_m, force_n);
  }
  void step() override { step_(); }
  [[nodiscard]] arm::JointVector joints_rad() const override { return world_.arm.joints_rad(); }
  [[nodiscard]] arm::JointVector velocities_rad_s() const override {
    return world_.arm.velocities_rad_s();
  }
  [[nodiscard]] double gripper_width_m() const override { return world_.arm.gripper_width_m(); }

 private:
  sim::World& world_;
  std::function<void()> step_;
};

}  // namespace rowbot::station
