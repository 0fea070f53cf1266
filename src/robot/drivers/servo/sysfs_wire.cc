#include "robot/drivers/servo/sysfs_wire.h"

#include <cmath>
#include <fmt/format.h>

#include "robot/drivers/servo/pwm.h"

namespace rowbot::drivers {

SysfsWire::SysfsWire(std::shared_ptr<TextFiles> files, SysfsWireOptions options)
    : files_(std::move(files)), options_(std::move(options)) {}

std::string SysfsWire::path(int channel, const char* file) const {
  return fmt::format("{}/pwm{}/{}", options_.chip, channel, file);
}

Result<void> SysfsWire::open() {
  enabled_.clear();
  const std::string npwm = options_.chip + "/npwm";
  const auto text = files_->read(npwm);
  if (!text) return text.error();
  const auto count = parse_sysfs_count(*text);
  if (!count) return Error{fmt::format("{}: {}", npwm, count.error().message)};
  for (const int channel : options_.channels) {
    if (channel >= *count) {
      return Error{
          fmt::format("{} has {} channels; there is no channel {}. A Raspberry Pi makes two "
                      "pulses in hardware: give the other servos wire = \"gpio\"",
                      options_.chip, *count, channel)};
    }
    if (auto opened = open_channel(channel); !opened) return opened;
  }
  return {};
}

Result<void> SysfsWire::open_channel(int channel) {
  const std::string duty = path(channel, "duty_cycle");
  if (!files_->exists(duty)) {
    if (auto done = files_->write(options_.chip + "/export", std::to_string(channel)); !done) {
      return done;
    }
    // The files appear at once, the right to write them when udev has run.
    for (int i = 0; i < 20 && !files_->writable(duty); ++i) files_->pause();
  }
  // A pulse may never be longer than the period, not even for a moment.
  if (auto done = files_->write(duty, "0"); !done) return done;
  const auto period_ns = std::llround(1e9 * pwm_period_s(options_.frequency_hz));
  const std::string period = path(channel, "period");
  if (auto done = files_->write(period, std::to_string(period_ns)); !done) return done;
  const auto text = files_->read(period);
  if (!text) return text.error();
  const auto got = parse_sysfs_count(*text);
  if (!got) return Error{fmt::format("{}: {}", period, got.error().message)};
  if (std::abs(*got - period_ns) > period_ns / 100) {
    return Error{
        fmt::format("{} is {} ns after writing {}; another program may use this PWM unit, "
                    "or it cannot do {:g} Hz",
                    period, *got, period_ns, options_.frequency_hz)};
  }
  return {};
}

Result<void> SysfsWire::set(std::span<const Pulse> pulses) {
  for (const Pulse& pulse : pulses) {
    const auto width_ns = std::llround(1000 * pulse.width_us);
    if (auto done = files_->write(path(pulse.channel, "duty_cycle"), std::to_string(width_ns));
        !done) {
      return done;
    }
    if (enabled_.contains(pulse.channel)) continue;
    if (auto done = files_->write(path(pulse.channel, "enable"), "1"); !done) return done;
    enabled_.insert(pulse.channel);
  }
  return {};
}

Result<void> SysfsWire::off() {
  Result<void> worst;
  for (const int channel : options_.channels) {
    if (auto done = files_->write(path(channel, "enable"), "0"); !done) worst = done;
  }
  enabled_.clear();
  return worst;
}

}  // namespace rowbot::drivers
