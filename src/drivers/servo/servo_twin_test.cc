// The servo driver with the physics twin at the far end: the bytes on the wire become pulses, the
// pulses angles, and the angles move the simulated arm.
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cell/arm_driver_conformance.h"
#include "cell/drop_plan.h"
#include "cell/layout.h"
#include "drivers/servo/rehearsal.h"
#include "sim/world.h"

namespace rowbot::drivers {
namespace {

/// Pulses on one side, the world on the other. A servo has reached the angle of a pulse when the
/// next comes, as its own controller smooths the steps.
class ServoTwin {
 public:
  explicit ServoTwin(WireKind kind)
      : rehearsal_(*ServoRehearsal::create(kind)),
        world_(*sim::World::create(arm::eezybot(), cell::default_layout(arm::eezybot()), 1)),
        horn_rad_(arm::neutral(arm::eezybot())),
        width_m_(world_->layout().grip_opening_m) {
    rehearsal_->pacer().on_time([this](double elapsed_s) { pass(elapsed_s); });
    pass(0.3);  // everything comes to rest under its own weight
  }

  [[nodiscard]] cell::ArmDriver& driver() { return rehearsal_->driver(); }
  [[nodiscard]] SimulatedPacer& pacer() { return rehearsal_->pacer(); }
  [[nodiscard]] const sim::World& world() const { return *world_; }

 private:
  void pass(double elapsed_s) {
    rehearsal_->pass(elapsed_s);
    const arm::JointVector from_rad = horn_rad_;
    horn_rad_ = rehearsal_->told_rad().value_or(horn_rad_);
    const double from_m = width_m_;
    width_m_ = rehearsal_->told_width_m().value_or(width_m_);
    if (width_m_ < from_m) world_->wake_rail();
    const int steps = std::max(1, static_cast<int>(std::lround(elapsed_s / world_->step_s())));
    const arm::JointVector v_rad_s = (horn_rad_ - from_rad) / elapsed_s;
    for (int k = 1; k <= steps; ++k) {
      const double share = static_cast<double>(k) / steps;
      world_->command(from_rad + share * (horn_rad_ - from_rad), v_rad_s);
      world_->command_gripper(from_m + share * (width_m_ - from_m), world_->layout().grip_force_n);
      world_->step();
    }
  }

  std::unique_ptr<ServoRehearsal> rehearsal_;
  std::unique_ptr<sim::World> world_;
  arm::JointVector horn_rad_;
  double width_m_;
};

class EveryWireIntoTheTwin : public testing::TestWithParam<WireKind> {};

INSTANTIATE_TEST_SUITE_P(Wires, EveryWireIntoTheTwin,
                         testing::Values(WireKind::kSysfs, WireKind::kGpio, WireKind::kI2c),
                         [](const auto& param) { return wire_name(param.param); });

TEST_P(EveryWireIntoTheTwin, ADropGoesThroughTheWireAndLandsInItsColumn) {
  ServoTwin twin(GetParam());
  ASSERT_TRUE(twin.driver().configure().has_value());
  ASSERT_TRUE(twin.driver().activate().has_value());
  for (const int column : {1, 5}) {
    const auto plan =
        cell::plan_drop(twin.world().layout(), game::Column(column), twin.driver().read().q_rad);
    ASSERT_TRUE(plan.has_value()) << plan.error().message;
    const auto done = cell::run_plan(twin.driver(), *plan);
    ASSERT_TRUE(done.has_value()) << done.error().message;
    twin.pacer().advance(2);
    EXPECT_EQ(twin.world().board()[static_cast<std::size_t>(column)][0], sim::Side::kRobot);
  }
  EXPECT_EQ(twin.world().pieces_in_board(), 2);
  EXPECT_EQ(twin.world().counters().limit_violations, 0U);
  EXPECT_EQ(twin.world().counters().unwanted_contacts, 0U)
      << twin.world().counters().first_unwanted;
}

/// The driver that the conformance suite sees; it brings its twin along.
class ConformingArm final : public cell::ArmDriver {
 public:
  explicit ConformingArm(WireKind kind) : twin_(kind) {}
  [[nodiscard]] const arm::ArmModel& model() const override { return driver_.model(); }
  [[nodiscard]] double watchdog_s() const override { return driver_.watchdog_s(); }
  Result<void> configure() override { return driver_.configure(); }
  Result<void> activate() override { return driver_.activate(); }
  Result<void> deactivate() override { return driver_.deactivate(); }
  Result<void> clear_fault() override { return driver_.clear_fault(); }
  Result<void> start(const arm::Trajectory& motion) override { return driver_.start(motion); }
  Result<void> wait() override { return driver_.wait(); }
  void heartbeat() override { driver_.heartbeat(); }
  Result<double> grip(const cell::GripCommand& command) override { return driver_.grip(command); }
  void halt() noexcept override { driver_.halt(); }
  /// Speeds are the twin's: what the arm does, not what it was told.
  [[nodiscard]] cell::ArmReading read() const override {
    cell::ArmReading reading = driver_.read();
    reading.v_rad_s = twin_.world().velocities_rad_s();
    return reading;
  }
  void advance(double seconds) { twin_.pacer().advance(seconds); }

 private:
  ServoTwin twin_;
  cell::ArmDriver& driver_ = twin_.driver();
};

cell::DriverCase conformance_case(WireKind kind) {
  return {.name = wire_name(kind),
          .make = [kind] { return std::make_unique<ConformingArm>(kind); },
          .pass_time = [](cell::ArmDriver& driver,
                          double s) { dynamic_cast<ConformingArm&>(driver).advance(s); }};
}

}  // namespace
}  // namespace rowbot::drivers

namespace rowbot::cell {

INSTANTIATE_TEST_SUITE_P(Servos, ArmDriverConformance,
                         testing::Values(drivers::conformance_case(drivers::WireKind::kSysfs),
                                         drivers::conformance_case(drivers::WireKind::kGpio),
                                         drivers::conformance_case(drivers::WireKind::kI2c)),
                         [](const auto& param) { return param.param.name; });

}  // namespace rowbot::cell
