// The arithmetic of pulse width modulation for hobby servos, after Carlo's paper, equations 2.3 to
// 2.5 and section 6.4: period, range and clock divider of a PWM unit, and how long a pulse turns a
// servo to an angle.
// Thread safety: pure functions.
#pragma once

#include <string_view>

#include "base/result.h"

namespace rowbot::drivers {

/// What a PWM unit is driven with. The defaults are the Raspberry Pi's, as in Carlo 2020.
struct PwmClock {
  double oscillator_hz = 19.2e6;
  double step_s = 100e-6;  // the shortest pulse
};

struct PwmSetting {
  double period_s = 0;
  int range = 0;          // steps in a period
  int clock_divider = 0;  // oscillator ticks in a step
};

/// T = 1 / f (2.3)
[[nodiscard]] double pwm_period_s(double frequency_hz);
/// T / t_min (2.4), to the nearest whole number.
[[nodiscard]] int pwm_range(double period_s, double step_s);
/// f_osc / (f_servo range) (2.5), rounded up, so that the period is never shorter than asked: 520
/// steps give the 739 of Carlo 2020.
[[nodiscard]] int pwm_clock_divider(double oscillator_hz, double frequency_hz, int range);
/// `range` 0: the one that the clock's step gives.
[[nodiscard]] Result<PwmSetting> pwm_setting(const PwmClock& clock, double frequency_hz, int range);
/// The number of steps nearest to a pulse.
[[nodiscard]] int pwm_value(const PwmSetting& setting, double pulse_s);

/// A servo turns from 0 to its travel as the pulse grows from the shortest to the longest.
struct PulseRange {
  double min_us = 500;
  double max_us = 2300;
  double travel_deg = 180;

  friend bool operator==(const PulseRange&, const PulseRange&) = default;
};
[[nodiscard]] double pulse_us(const PulseRange& range, double angle_deg);
[[nodiscard]] double angle_deg(const PulseRange& range, double pulse_us);

struct ServoKind {
  std::string_view name;
  double frequency_hz = 50;
  PulseRange pulses;
  double speed_deg_s = 0;  // unloaded
};
/// MG90S, with the pulses of Carlo 2020's table: 5 to 23 steps of 100 us.
[[nodiscard]] Result<const ServoKind*> servo_kind_by_name(std::string_view name);

/// PCA9685: the oscillator's ticks in one of 4096 steps, less one; 3 to 255 (data sheet, 7.3.5).
[[nodiscard]] Result<int> pca9685_prescale(double oscillator_hz, double frequency_hz);
[[nodiscard]] double pca9685_period_s(double oscillator_hz, int prescale);

}  // namespace rowbot::drivers
