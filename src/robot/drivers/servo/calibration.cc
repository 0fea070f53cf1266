#include "robot/drivers/servo/calibration.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <set>
#include <utility>

#include "base/text.h"
#include "robot/arm/angles.h"

namespace rowbot::drivers {
namespace {

Result<void> check_pulses(const std::string& name, const PulseRange& pulses) {
  if (!(pulses.min_us >= 300 && pulses.max_us <= 3000 && pulses.min_us + 100 <= pulses.max_us)) {
    return Error{
        fmt::format("servo {}: pulses of {:g} to {:g} us are not those of a hobby servo; "
                    "give at least 300 and at most 3000, the shorter first",
                    in_quotes(name), pulses.min_us, pulses.max_us)};
  }
  if (!(pulses.travel_deg >= 30 && pulses.travel_deg <= 360)) {
    return Error{fmt::format("servo {}: travel_deg is {:g}; servos turn 30 to 360 degrees",
                             in_quotes(name), pulses.travel_deg)};
  }
  return {};
}

Result<void> check_channel(const std::string& name, WireKind wire, int channel) {
  const int most = wire == WireKind::kI2c ? 15 : 1023;
  if (channel >= 0 && channel <= most) return {};
  return Error{fmt::format("servo {}: there is no channel {} on {}; 0 to {}", in_quotes(name),
                           channel, wire_name(wire), most)};
}

Result<void> check_joint(const JointServo& servo) {
  if (auto ok = check_pulses(servo.name, servo.pulses); !ok) return ok;
  if (auto ok = check_channel(servo.name, servo.wire, servo.channel); !ok) return ok;
  if (servo.direction != 1 && servo.direction != -1) {
    return Error{
        fmt::format("servo {}: direction is {}; it is 1, or -1 for a servo mounted the "
                    "other way round",
                    in_quotes(servo.name), servo.direction)};
  }
  if (!(std::abs(servo.trim_deg) <= 45) || !(std::abs(servo.centre_deg) <= 360)) {
    return Error{
        fmt::format("servo {}: a trim of more than 45 degrees means that the horn sits on "
                    "the wrong tooth; take it off and put it on again",
                    in_quotes(servo.name))};
  }
  if (!(servo.min_deg >= 0 && servo.max_deg <= servo.pulses.travel_deg &&
        servo.min_deg < servo.max_deg)) {
    return Error{
        fmt::format("servo {}: limits of {:g} to {:g} degrees are not within its travel of "
                    "0 to {:g}",
                    in_quotes(servo.name), servo.min_deg, servo.max_deg, servo.pulses.travel_deg)};
  }
  return {};
}

}  // namespace

const char* wire_name(WireKind kind) {
  return std::ranges::find(kWireNames, kind, &std::pair<WireKind, const char*>::first)->second;
}

ServoCalibration default_calibration(WireKind wire) {
  // GPIO lines as on the board of Carlo 2020: two that could also be hardware PWM, two that could
  // not.
  constexpr std::array<int, 4> kLines = {18, 19, 20, 21};
  const auto channel = [&](int i) {
    return wire == WireKind::kGpio ? kLines.at(static_cast<std::size_t>(i)) : i;
  };
  ServoCalibration calibration;
  calibration.joints = {
      {.name = "base", .wire = wire, .channel = channel(0), .centre_deg = 0},
      {.name = "main arm", .wire = wire, .channel = channel(1), .centre_deg = 80},
      {.name = "forearm", .wire = wire, .channel = channel(2), .direction = -1, .centre_deg = -17},
  };
  calibration.gripper = {.wire = wire, .channel = channel(3)};
  return calibration;
}

Result<void> check_calibration(const ServoCalibration& calibration) {
  const auto model = arm::model_by_name(calibration.robot);
  if (!model) return model.error();
  if (static_cast<int>(calibration.joints.size()) != arm::joint_count(**model)) {
    return Error{fmt::format("{} has {} joints, but {} servos are given", calibration.robot,
                             arm::joint_count(**model), calibration.joints.size())};
  }
  if (!(calibration.frequency_hz >= 40 && calibration.frequency_hz <= 333)) {
    return Error{fmt::format("frequency_hz is {:g}; hobby servos take 40 to 333, mostly 50",
                             calibration.frequency_hz)};
  }
  if (!(calibration.idle_off_s >= 0) || !(calibration.gpio_jitter_us > 0)) {
    return Error{"idle_off_s is a time of 0 s or more, gpio_jitter_us more than 0"};
  }
  if (calibration.i2c_address < 3 || calibration.i2c_address > 0x77) {
    return Error{fmt::format("i2c_address is {}; addresses are 3 to 119, a PCA9685 has 64 to 127",
                             calibration.i2c_address)};
  }
  std::set<std::pair<WireKind, int>> used;
  for (const JointServo& servo : calibration.joints) {
    if (auto ok = check_joint(servo); !ok) return ok;
    used.insert({servo.wire, servo.channel});
  }
  const GripperServo& gripper = calibration.gripper;
  if (auto ok = check_pulses("gripper", gripper.pulses); !ok) return ok;
  if (auto ok = check_channel("gripper", gripper.wire, gripper.channel); !ok) return ok;
  const double travel = gripper.pulses.travel_deg;
  if (!(std::min(gripper.closed_deg, gripper.open_deg) >= 0 &&
        std::max(gripper.closed_deg, gripper.open_deg) <= travel &&
        std::abs(gripper.open_deg - gripper.closed_deg) >= 5)) {
    return Error{
        fmt::format("the gripper's closed_deg and open_deg must lie at least 5 degrees "
                    "apart, within 0 to {:g}",
                    travel)};
  }
  used.insert({gripper.wire, gripper.channel});
  if (used.size() != calibration.joints.size() + 1) {
    return Error{"two servos share a channel; give each its own"};
  }
  double longest_us = gripper.pulses.max_us;
  for (const JointServo& servo : calibration.joints) longest_us += servo.pulses.max_us;
  if (longest_us > 0.95e6 / calibration.frequency_hz) {
    return Error{
        fmt::format("at {:g} Hz the pulses of all servos do not fit one after the other; "
                    "use a lower frequency",
                    calibration.frequency_hz)};
  }
  return {};
}

Result<double> joint_pulse_us(const JointServo& servo, double q_rad) {
  const double angle = servo.pulses.travel_deg / 2 +
                       servo.direction * (arm::degrees(q_rad) - servo.centre_deg) + servo.trim_deg;
  if (!(angle >= servo.min_deg && angle <= servo.max_deg)) {
    return Error{
        fmt::format("the servo of {} would have to turn to {:.1f} degrees; its limits are "
                    "{:g} to {:g}. If the joint can go there, check centre_deg, direction "
                    "and trim_deg in the hardware file",
                    servo.name, angle, servo.min_deg, servo.max_deg)};
  }
  return pulse_us(servo.pulses, angle);
}

double joint_angle_rad(const JointServo& servo, double pulse_us) {
  const double turned =
      angle_deg(servo.pulses, pulse_us) - servo.trim_deg - servo.pulses.travel_deg / 2;
  return arm::radians(servo.centre_deg + servo.direction * turned);
}

double grip_pulse_us(const GripperServo& servo, double width_share) {
  return pulse_us(servo.pulses,
                  servo.closed_deg + width_share * (servo.open_deg - servo.closed_deg));
}

double grip_share(const GripperServo& servo, double pulse_us) {
  return (angle_deg(servo.pulses, pulse_us) - servo.closed_deg) /
         (servo.open_deg - servo.closed_deg);
}

}  // namespace rowbot::drivers
