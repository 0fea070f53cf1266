// How an arm's hobby servos are mounted: which pin, which way round, how far they may turn.
//
//   servo angle = travel / 2 + direction (joint angle - centre) + trim
//
// Thread safety: plain values and pure functions.
#pragma once

#include <string>
#include <vector>

#include "base/fields.h"
#include "base/result.h"
#include "robot/arm/arm_model.h"
#include "robot/drivers/servo/pwm.h"

namespace rowbot::drivers {

/// The three ways to a servo's pin.
enum class WireKind { kSysfs, kGpio, kI2c };
inline constexpr EnumNames<WireKind, 3> kWireNames{
    {{WireKind::kSysfs, "sysfs"}, {WireKind::kGpio, "gpio"}, {WireKind::kI2c, "i2c"}}};
[[nodiscard]] const char* wire_name(WireKind kind);

struct JointServo {
  std::string name;
  WireKind wire = WireKind::kSysfs;
  int channel = 0;  // of the PWM chip or board; for GPIO the line
  PulseRange pulses;
  int direction = 1;  // or -1
  double centre_deg = 0;
  double trim_deg = 0;
  double min_deg = 0;  // servo angles: what the linkage allows
  double max_deg = 180;

  friend bool operator==(const JointServo&, const JointServo&) = default;
};

struct GripperServo {
  WireKind wire = WireKind::kSysfs;
  int channel = 3;
  PulseRange pulses;
  double closed_deg = 60;  // servo angles
  double open_deg = 120;

  friend bool operator==(const GripperServo&, const GripperServo&) = default;
};

struct ServoCalibration {
  std::string robot = "eezybot";
  double frequency_hz = 50;
  double idle_off_s = 30;  // pulses cease after this time at rest; 0: never
  std::string sysfs_chip = "/sys/class/pwm/pwmchip0";
  std::string gpio_chip = "/dev/gpiochip0";
  double gpio_jitter_us = 100;  // a software pulse that is off by more is a fault; 10 us: a degree
  std::string i2c_device = "/dev/i2c-1";
  int i2c_address = 0x40;
  double i2c_oscillator_hz = 25e6;
  std::vector<JointServo> joints;
  GripperServo gripper;

  friend bool operator==(const ServoCalibration&, const ServoCalibration&) = default;
};

/// EEZYbotARM MK1 with four MG90S, all on one kind of wire.
[[nodiscard]] ServoCalibration default_calibration(WireKind wire);
[[nodiscard]] Result<void> check_calibration(const ServoCalibration& calibration);

/// The pulse for a joint angle; refused when the servo may not turn that far.
[[nodiscard]] Result<double> joint_pulse_us(const JointServo& servo, double q_rad);
/// The joint angle that a pulse turns the servo to.
[[nodiscard]] double joint_angle_rad(const JointServo& servo, double pulse_us);
[[nodiscard]] double grip_pulse_us(const GripperServo& servo, double width_share);
/// 0 closed, 1 open.
[[nodiscard]] double grip_share(const GripperServo& servo, double pulse_us);

}  // namespace rowbot::drivers
