// An arm of hobby servos without the arm: the real driver, a simulated wire, and servos that follow
// the pulses as fast as they can. Kinematic: no weight, no contact. In each period the joints are
// held against the arm's limits.
// Thread safety: none.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "robot/drivers/servo/servo_arm.h"
#include "robot/farend/far_end.h"
#include "robot/farend/simulated_servo_wire.h"

namespace rowbot::farend {

class ServoFarEnd final : public FarEnd {
 public:
  static Result<std::unique_ptr<ServoFarEnd>> create(drivers::WireKind kind);
  ~ServoFarEnd() override;
  ServoFarEnd(const ServoFarEnd&) = delete;
  ServoFarEnd& operator=(const ServoFarEnd&) = delete;
  ServoFarEnd(ServoFarEnd&&) = delete;
  ServoFarEnd& operator=(ServoFarEnd&&) = delete;

  [[nodiscard]] cell::ArmDriver& driver() override { return *arm_; }
  [[nodiscard]] drivers::SimulatedPacer& pacer() override { return *pacer_; }
  [[nodiscard]] std::span<const std::string_view> faults() const override {
    return wire_->faults();
  }
  void inject(std::size_t fault, Rng& rng) override;
  [[nodiscard]] bool struck() const override { return wire_->struck(); }
  void heal() override { wire_->heal(); }
  [[nodiscard]] arm::JointVector pose_rad() const override { return pose_rad_; }
  [[nodiscard]] double accuracy_rad() const override;
  [[nodiscard]] const FarEndCounters& counters() const override { return counters_; }

  /// Where the pulses hold the joints and the fingers; empty when there are none, or none that a
  /// servo understands.
  [[nodiscard]] std::optional<arm::JointVector> told_rad() const;
  [[nodiscard]] std::optional<double> told_width_m() const;
  /// The servos' share of a tick; the pacer calls it unless told otherwise.
  void pass(double elapsed_s);

 private:
  ServoFarEnd(drivers::ServoCalibration calibration, drivers::WireKind kind);
  void hear(std::size_t servo, int channel);
  void watch(const arm::JointVector& before_rad, double elapsed_s);

  drivers::ServoCalibration calibration_;
  const arm::ArmModel& model_;
  std::filesystem::path folder_;
  std::unique_ptr<SimulatedServoWire> wire_;
  std::shared_ptr<drivers::SimulatedPacer> pacer_;
  std::unique_ptr<drivers::ServoArm> arm_;
  std::vector<std::optional<double>> held_us_;  // joints, then gripper: pulses less the dead band
  arm::JointVector pose_rad_;
  FarEndCounters counters_;
  bool was_beyond_ = false;
};

}  // namespace rowbot::farend
