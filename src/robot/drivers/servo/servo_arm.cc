#include "robot/drivers/servo/servo_arm.h"

#include <utility>

#include "robot/drivers/servo/gpio_wire.h"
#include "robot/drivers/servo/pca9685.h"
#include "robot/drivers/servo/sysfs_wire.h"

namespace rowbot::drivers {

ServoArm::ServoArm(const arm::ArmModel& model, ServoCalibration calibration, Wires wires,
                   std::shared_ptr<Pacer> pacer, const StreamedArmOptions& options)
    : StreamedArm(model, std::move(pacer), model.gripper.max_width_m, options),
      calibration_(std::move(calibration)),
      wires_(std::move(wires)),
      grip_width_m_(model.gripper.max_width_m) {}

Result<std::unique_ptr<ServoArm>> ServoArm::create(const ServoCalibration& calibration) {
  return create(calibration, real_wires(calibration), std::make_shared<RealTimePacer>());
}

Result<std::unique_ptr<ServoArm>> ServoArm::create(const ServoCalibration& calibration,
                                                   const WireMaker& make,
                                                   std::shared_ptr<Pacer> pacer) {
  if (auto sound = check_calibration(calibration); !sound) return sound.error();
  std::map<WireKind, std::vector<int>> channels;
  for (const JointServo& servo : calibration.joints) channels[servo.wire].push_back(servo.channel);
  channels[calibration.gripper.wire].push_back(calibration.gripper.channel);
  Wires wires;
  for (const auto& [kind, list] : channels) wires[kind] = make(kind, list);
  const StreamedArmOptions options{.period_s = pwm_period_s(calibration.frequency_hz),
                                   .idle_off_s = calibration.idle_off_s};
  return std::unique_ptr<ServoArm>(new ServoArm(**arm::model_by_name(calibration.robot),
                                                calibration, std::move(wires), std::move(pacer),
                                                options));
}

Result<void> ServoArm::connect() {
  for (const auto& [kind, wire] : wires_) {
    if (auto opened = wire->open(); !opened) return opened;
  }
  return {};
}

Result<void> ServoArm::check_pose(const arm::JointVector& q_rad) const {
  for (std::size_t i = 0; i < calibration_.joints.size(); ++i) {
    const auto pulse = joint_pulse_us(calibration_.joints[i], q_rad[static_cast<Eigen::Index>(i)]);
    if (!pulse) return pulse.error();
  }
  return {};
}

Result<void> ServoArm::send(const arm::JointVector& q_rad) {
  std::map<WireKind, std::vector<Pulse>> pulses;
  for (std::size_t i = 0; i < calibration_.joints.size(); ++i) {
    const JointServo& servo = calibration_.joints[i];
    const auto width = joint_pulse_us(servo, q_rad[static_cast<Eigen::Index>(i)]);
    if (!width) return width.error();
    pulses[servo.wire].push_back({.channel = servo.channel, .width_us = *width});
  }
  pulses[calibration_.gripper.wire].push_back(grip_pulse());  // awake with the others
  for (const auto& [kind, list] : pulses) {
    if (auto sent = wires_.at(kind)->set(list); !sent) return sent;
  }
  return {};
}

Pulse ServoArm::grip_pulse() const {
  const GripperServo& servo = calibration_.gripper;
  return {.channel = servo.channel,
          .width_us = grip_pulse_us(servo, grip_width_m_ / model().gripper.max_width_m)};
}

Result<void> ServoArm::send_grip(double width_m, double /*force_n*/) {
  grip_width_m_ = width_m;
  const Pulse pulse = grip_pulse();
  return wires_.at(calibration_.gripper.wire)->set(std::span(&pulse, 1));
}

Result<void> ServoArm::go_limp() {
  Result<void> worst;
  for (const auto& [kind, wire] : wires_) {
    if (auto off = wire->off(); !off) worst = off;
  }
  return worst;
}

Result<void> ServoArm::poll() {
  for (const auto& [kind, wire] : wires_) {
    if (auto fine = wire->poll(); !fine) return fine;
  }
  return {};
}

ServoArm::WireMaker real_wires(const ServoCalibration& calibration) {
  return
      [calibration](WireKind kind, const std::vector<int>& channels) -> std::unique_ptr<ServoWire> {
        switch (kind) {
          case WireKind::kSysfs:
            return std::make_unique<SysfsWire>(
                std::make_shared<DiskFiles>(),
                SysfsWireOptions{.chip = calibration.sysfs_chip,
                                 .channels = channels,
                                 .frequency_hz = calibration.frequency_hz});
          case WireKind::kGpio:
            return std::make_unique<GpioWire>(
                [chip = calibration.gpio_chip, channels] { return open_outputs(chip, channels); },
                std::make_shared<PulseClock>(),
                GpioWireOptions{.lines = channels,
                                .frequency_hz = calibration.frequency_hz,
                                .jitter_us = calibration.gpio_jitter_us});
          case WireKind::kI2c:
            return std::make_unique<Pca9685Wire>(
                [bus = calibration.i2c_device, address = calibration.i2c_address] {
                  return open_i2c(bus, address);
                },
                Pca9685Options{.oscillator_hz = calibration.i2c_oscillator_hz,
                               .frequency_hz = calibration.frequency_hz});
        }
        return nullptr;
      };
}

}  // namespace rowbot::drivers
