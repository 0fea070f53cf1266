// rowbot arm pwm: the arithmetic of servo pulses, in words or as JSON.
#include <cmath>
#include <memory>
#include <string>

#include "CLI/CLI.hpp"
#include "arm_drivers.h"
#include "commands.h"
#include "fmt/format.h"
#include "json.h"
#include "robot/drivers/servo/pwm.h"

namespace rowbot::app {
namespace {

struct PwmOptions {
  std::string servo = "MG90S";
  double angle_deg = 90;
  int range = 0;
  drivers::PwmClock clock;
  bool json = false;
};

/// 20 rather than 20.0.
Json plain(double value) {
  const auto whole = std::llround(value);
  if (static_cast<double>(whole) == value) return whole;
  return value;
}

void print_pwm(const PwmOptions& options) {
  const drivers::ServoKind& kind = *usage_value(drivers::servo_kind_by_name(options.servo));
  const double travel = kind.pulses.travel_deg;
  if (!(options.angle_deg >= 0 && options.angle_deg <= travel)) {
    fail_usage(Error{fmt::format("the {} turns 0 to {:g} degrees, not {:g}", kind.name, travel,
                                 options.angle_deg)});
  }
  const drivers::PwmSetting setting =
      usage_value(drivers::pwm_setting(options.clock, kind.frequency_hz, options.range));
  const double period_ms = 1000 * setting.period_s;
  const double pulse_ms = drivers::pulse_us(kind.pulses, options.angle_deg) / 1000;
  const int value = drivers::pwm_value(setting, pulse_ms / 1000);
  if (options.json) {
    const Json answer = {{"period_ms", plain(period_ms)},
                         {"range", setting.range},
                         {"clock_divider", setting.clock_divider},
                         {"pulse_ms", pulse_ms},
                         {"value", value}};
    fmt::print("{}\n", answer.dump());
    return;
  }
  const double step_ms = period_ms / setting.range;
  const double step_deg = travel * step_ms / ((kind.pulses.max_us - kind.pulses.min_us) / 1000);
  fmt::print("The {} wants {:g} pulses a second.\n", kind.name, kind.frequency_hz);
  fmt::print("period         1 / {:g} Hz = {:g} ms\n", kind.frequency_hz, period_ms);
  if (options.range == 0) {
    fmt::print("range          {:g} ms / {:g} us = {} steps\n", period_ms,
               1e6 * options.clock.step_s, setting.range);
  } else {
    fmt::print("range          {} steps of {:.2f} us, as asked\n", setting.range, 1000 * step_ms);
  }
  fmt::print("clock divider  {:g} MHz / ({:g} Hz * {}) = {}\n", options.clock.oscillator_hz / 1e6,
             kind.frequency_hz, setting.range, setting.clock_divider);
  fmt::print("pulse          {:g} of {:g} degrees, from {:g} to {:g} ms: {:g} ms\n",
             options.angle_deg, travel, kind.pulses.min_us / 1000, kind.pulses.max_us / 1000,
             pulse_ms);
  fmt::print("value          {} steps; one step turns {:.1f} degrees\n", value, step_deg);
}

}  // namespace

void add_arm_pwm_command(CLI::App* arm_command) {
  CLI::App* command =
      arm_command->add_subcommand("pwm", "The pulse that turns a hobby servo to an angle");
  auto options = std::make_shared<PwmOptions>();
  command->add_option("--servo", options->servo, "MG90S or SG90")->capture_default_str();
  command->add_option("--angle", options->angle_deg, "Degrees from the servo's one end")
      ->capture_default_str();
  command->add_option("--range", options->range,
                      "Steps in a period; the clock's own when not given");
  command->add_flag("--json", options->json, "Print one JSON object");
  command->callback([options] { print_pwm(*options); });
}

}  // namespace rowbot::app
