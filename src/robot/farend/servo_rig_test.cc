// The servo driver with the physics twin at the far end: the bytes on the wire become pulses, the
// pulses angles, and the angles move the simulated arm.
#include "robot/farend/servo_rig.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "robot/cell/arm_driver_conformance.h"
#include "robot/cell/drop_plan.h"
#include "robot/cell/layout.h"
#include "robot/sim/world.h"

namespace rowbot::farend {
namespace {

/// The physics twin as the world behind the wire.
class Physics final : public WireWorld {
 public:
  Physics() : world_(*sim::World::create(arm::eezybot(), cell::default_layout(arm::eezybot()))) {
    for (int i = 0; i < 150; ++i) world_->step();  // comes to rest under its own weight
  }
  [[nodiscard]] const arm::ArmModel& model() const override { return world_->state.scene().arm; }
  [[nodiscard]] double step_s() const override { return world_->state.step_s(); }
  void command(const arm::JointVector& q_rad, const arm::JointVector& v_rad_s) override {
    world_->arm.command(q_rad, v_rad_s);
  }
  void command_gripper(double width_m, double force_n) override {
    if (width_m < world_->arm.gripper_width_m()) world_->magazine.wake();
    world_->arm.command_gripper(width_m, force_n);
  }
  void step() override { world_->step(); }
  [[nodiscard]] arm::JointVector joints_rad() const override { return world_->arm.joints_rad(); }
  [[nodiscard]] arm::JointVector velocities_rad_s() const override {
    return world_->arm.velocities_rad_s();
  }
  [[nodiscard]] double gripper_width_m() const override { return world_->arm.gripper_width_m(); }
  [[nodiscard]] const sim::World& world() const { return *world_; }

 private:
  std::unique_ptr<sim::World> world_;
};

std::unique_ptr<ServoRig> rig_in(const std::shared_ptr<Physics>& physics, drivers::WireKind wire) {
  const cell::CellLayout& layout = physics->world().state.layout();
  return *ServoRig::create(
      physics,
      {.wire = wire, .grip_opening_m = layout.grip_opening_m, .grip_force_n = layout.grip_force_n});
}

class EveryWireIntoTheTwin : public testing::TestWithParam<drivers::WireKind> {};

INSTANTIATE_TEST_SUITE_P(Wires, EveryWireIntoTheTwin,
                         testing::Values(drivers::WireKind::kSysfs, drivers::WireKind::kGpio,
                                         drivers::WireKind::kI2c),
                         [](const auto& param) { return wire_name(param.param); });

TEST_P(EveryWireIntoTheTwin, ADropGoesThroughTheWireAndLandsInItsColumn) {
  const auto physics = std::make_shared<Physics>();
  const auto driver = rig_in(physics, GetParam());
  const sim::World& world = physics->world();
  ASSERT_TRUE(driver->configure().has_value());
  ASSERT_TRUE(driver->activate().has_value());
  for (const int column : {1, 5}) {
    const auto plan =
        cell::plan_drop(world.state.layout(), game::Column(column), driver->read().q_rad);
    ASSERT_TRUE(plan.has_value()) << plan.error().message;
    const auto done = cell::run_plan(*driver, *plan);
    ASSERT_TRUE(done.has_value()) << done.error().message;
    driver->advance(2);
    EXPECT_EQ(world.board.truth()[static_cast<std::size_t>(column)][0], sim::Side::kRobot);
  }
  EXPECT_EQ(world.board.count(), 2);
  EXPECT_EQ(world.safety.counts().limit_violations, 0U);
  EXPECT_EQ(world.safety.counts().unwanted_contacts, 0U) << world.safety.counts().first_unwanted;
}

cell::DriverCase conformance_case(drivers::WireKind kind) {
  return {.name = drivers::wire_name(kind),
          .make = [kind] { return rig_in(std::make_shared<Physics>(), kind); },
          .pass_time = [](cell::ArmDriver& driver,
                          double s) { dynamic_cast<ServoRig&>(driver).advance(s); }};
}

}  // namespace
}  // namespace rowbot::farend

namespace rowbot::cell {

INSTANTIATE_TEST_SUITE_P(Servos, ArmDriverConformance,
                         testing::Values(farend::conformance_case(drivers::WireKind::kSysfs),
                                         farend::conformance_case(drivers::WireKind::kGpio),
                                         farend::conformance_case(drivers::WireKind::kI2c)),
                         [](const auto& param) { return param.param.name; });

}  // namespace rowbot::cell
