#include "robot/cell/arm_driver_base.h"

#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "robot/arm/arm_model.h"

namespace rowbot::cell {
namespace {

/// Does what it is told at once; `during` happens while a transition is under way.
class InstantArm final : public ArmDriverBase {
 public:
  InstantArm() : ArmDriverBase(arm::eezybot(), 0.2) {}
  Result<void> wait() override { return check_no_fault(); }
  void halt() noexcept override { enter_fault("halted"); }

  std::function<void()> during;
  int faults = 0;

 private:
  Result<void> pass() {
    if (during) during();
    return {};
  }
  Result<void> on_configure() override { return pass(); }
  Result<void> on_activate() override { return pass(); }
  Result<void> on_deactivate() override { return pass(); }
  Result<void> on_clear_fault() override { return pass(); }
  Result<void> on_start(const arm::Trajectory& /*motion*/) override { return begin_motion(); }
  Result<double> on_grip(const GripCommand& command) override { return command.width_m; }
  void on_fault(bool /*was_moving*/) override { ++faults; }
};

TEST(ArmDriverBase, AHaltDuringATransitionWins) {
  InstantArm arm;
  ASSERT_TRUE(arm.configure().has_value());
  arm.during = [&arm] { arm.halt(); };
  const auto activated = arm.activate();
  ASSERT_FALSE(activated.has_value());
  EXPECT_EQ(activated.error().message, "halted");
  EXPECT_EQ(arm.read().state, ArmState::kFault);
  EXPECT_EQ(arm.faults, 1);
}

TEST(ArmDriverBase, AHaltBeforeConfigurationOrInFaultChangesNothing) {
  InstantArm arm;
  arm.halt();
  EXPECT_EQ(arm.read().state, ArmState::kUnconfigured);
  ASSERT_TRUE(arm.configure().has_value());
  arm.halt();
  arm.halt();
  EXPECT_EQ(arm.faults, 1);
  EXPECT_THAT(arm.activate().error().message, testing::HasSubstr("clear the fault first"));
}

}  // namespace
}  // namespace rowbot::cell
