// An arm of hobby servos (EEZYbotARM MK1), on whatever wires its servos hang. Open loop: see
// streamed_arm.h. The force of a grip is the servo's; only the width can be commanded.
#pragma once

#include <functional>
#include <map>
#include <memory>

#include "robot/drivers/servo/calibration.h"
#include "robot/drivers/servo/servo_wire.h"
#include "robot/drivers/streamed_arm.h"

namespace rowbot::drivers {

class ServoArm final : public StreamedArm {
 public:
  using Wires = std::map<WireKind, std::unique_ptr<ServoWire>>;
  /// Makes the wire of a kind for these channels.
  using WireMaker =
      std::function<std::unique_ptr<ServoWire>(WireKind kind, const std::vector<int>& channels)>;

  /// On the machine's own pins, in real time.
  static Result<std::unique_ptr<ServoArm>> create(const ServoCalibration& calibration);
  static Result<std::unique_ptr<ServoArm>> create(const ServoCalibration& calibration,
                                                  const WireMaker& make,
                                                  std::shared_ptr<Pacer> pacer);
  ~ServoArm() override { shut_down(); }
  ServoArm(const ServoArm&) = delete;
  ServoArm& operator=(const ServoArm&) = delete;
  ServoArm(ServoArm&&) = delete;
  ServoArm& operator=(ServoArm&&) = delete;

 protected:
  Result<void> connect() override;
  [[nodiscard]] Result<void> check_pose(const arm::JointVector& q_rad) const override;
  Result<void> send(const arm::JointVector& q_rad) override;
  Result<void> send_grip(double width_m, double force_n) override;
  Result<void> go_limp() override;
  Result<void> poll() override;

 private:
  ServoArm(const arm::ArmModel& model, ServoCalibration calibration, Wires wires,
           std::shared_ptr<Pacer> pacer, const StreamedArmOptions& options);

  [[nodiscard]] Pulse grip_pulse() const;

  ServoCalibration calibration_;
  Wires wires_;
  double grip_width_m_;
};

/// Wires to the machine's own pins.
[[nodiscard]] ServoArm::WireMaker real_wires(const ServoCalibration& calibration);

}  // namespace rowbot::drivers
