#include "robot/drivers/servo/pwm.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <fmt/format.h>

#include "base/text.h"

namespace rowbot::drivers {
namespace {

constexpr std::array<ServoKind, 2> kServoKinds = {{
    {.name = "MG90S",
     .frequency_hz = 50,
     .pulses = {.min_us = 500, .max_us = 2300, .travel_deg = 180},
     .speed_deg_s = 600},
    {.name = "SG90",
     .frequency_hz = 50,
     .pulses = {.min_us = 500, .max_us = 2400, .travel_deg = 180},
     .speed_deg_s = 600},
}};
constexpr int kPcaSteps = 4096;

bool same_letters(std::string_view a, std::string_view b) {
  return std::ranges::equal(
      a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

}  // namespace

double pwm_period_s(double frequency_hz) { return 1 / frequency_hz; }

int pwm_range(double period_s, double step_s) {
  return static_cast<int>(std::lround(period_s / step_s));
}

int pwm_clock_divider(double oscillator_hz, double frequency_hz, int range) {
  constexpr double kRounding = 1e-9;  // 1920.0000000001 is 1920
  return static_cast<int>(std::ceil(oscillator_hz / (frequency_hz * range) - kRounding));
}

Result<PwmSetting> pwm_setting(const PwmClock& clock, double frequency_hz, int range) {
  if (!(frequency_hz >= 10 && frequency_hz <= 1000)) {
    return Error{fmt::format("servos take 10 to 1000 pulses a second, not {}", frequency_hz)};
  }
  PwmSetting setting;
  setting.period_s = pwm_period_s(frequency_hz);
  setting.range = range != 0 ? range : pwm_range(setting.period_s, clock.step_s);
  if (setting.range < 2 || setting.range > clock.oscillator_hz / frequency_hz) {
    return Error{fmt::format("a period of {:g} ms can have 2 to {:.0f} steps, not {}",
                             1000 * setting.period_s, clock.oscillator_hz / frequency_hz,
                             setting.range)};
  }
  setting.clock_divider = pwm_clock_divider(clock.oscillator_hz, frequency_hz, setting.range);
  return setting;
}

int pwm_value(const PwmSetting& setting, double pulse_s) {
  return static_cast<int>(std::lround(pulse_s / setting.period_s * setting.range));
}

double pulse_us(const PulseRange& range, double angle_deg) {
  return range.min_us + angle_deg / range.travel_deg * (range.max_us - range.min_us);
}

double angle_deg(const PulseRange& range, double pulse_us) {
  return (pulse_us - range.min_us) / (range.max_us - range.min_us) * range.travel_deg;
}

Result<const ServoKind*> servo_kind_by_name(std::string_view name) {
  std::string known;
  for (const ServoKind& kind : kServoKinds) {
    if (same_letters(kind.name, name)) return &kind;
    known += fmt::format("{}{}", known.empty() ? "" : " and ", kind.name);
  }
  return Error{fmt::format("the servo {} is not known; {} are", in_quotes(name), known)};
}

Result<int> pca9685_prescale(double oscillator_hz, double frequency_hz) {
  const double prescale = std::round(oscillator_hz / (kPcaSteps * frequency_hz)) - 1;
  if (!(prescale >= 3 && prescale <= 255)) {
    return Error{
        fmt::format("a PCA9685 at {:.1f} MHz makes {:.0f} to {:.0f} pulses a second, not {}",
                    oscillator_hz / 1e6, oscillator_hz / (kPcaSteps * 256),
                    oscillator_hz / (kPcaSteps * 4), frequency_hz)};
  }
  return static_cast<int>(prescale);
}

double pca9685_period_s(double oscillator_hz, int prescale) {
  return (prescale + 1) * kPcaSteps / oscillator_hz;
}

}  // namespace rowbot::drivers
