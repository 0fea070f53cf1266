// The servo driver on a simulated wire whose pulses move a world: what the bytes say becomes
// angles, and a servo has reached the angle of a pulse when the next one comes. Thread safety: as
// ArmDriver; the world moves on the thread that waits.
#pragma once

#include <memory>

#include "robot/farend/servo_far_end.h"
#include "robot/farend/wire_world.h"

namespace rowbot::farend {

struct ServoRigOptions {
  drivers::WireKind wire = drivers::WireKind::kSysfs;
  double grip_opening_m = 0.03;  // of the world's hand at the start
  double grip_force_n = 1;       // a servo's own; the wire cannot tell it
};

class ServoRig final : public cell::ArmDriver {
 public:
  static Result<std::unique_ptr<ServoRig>> create(std::shared_ptr<WireWorld> world,
                                                  const ServoRigOptions& options);

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
  [[nodiscard]] bool feels_grip() const override { return driver_.feels_grip(); }
  void halt() noexcept override { driver_.halt(); }
  /// The pose is the driver's; the speeds are the world's.
  [[nodiscard]] cell::ArmReading read() const override;

  void advance(double seconds) { far_end_->pacer().advance(seconds); }

 private:
  ServoRig(std::shared_ptr<WireWorld> world, std::unique_ptr<ServoFarEnd> far_end,
           const ServoRigOptions& options);
  void pass(double elapsed_s);

  std::shared_ptr<WireWorld> world_;
  std::unique_ptr<ServoFarEnd> far_end_;
  cell::ArmDriver& driver_;
  arm::JointVector horn_rad_;
  double width_m_;
  double force_n_;
};

}  // namespace rowbot::farend
