// Servos on the kernel's PWM class: /sys/class/pwm/pwmchipN. The kernel keeps the time; the program
// writes a pulse width only when it changes.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "robot/drivers/servo/servo_wire.h"
#include "robot/drivers/text_files.h"

namespace rowbot::drivers {

struct SysfsWireOptions {
  std::string chip = "/sys/class/pwm/pwmchip0";
  std::vector<int> channels;
  double frequency_hz = 50;
};

class SysfsWire final : public ServoWire {
 public:
  SysfsWire(std::shared_ptr<TextFiles> files, SysfsWireOptions options);
  Result<void> open() override;
  Result<void> set(std::span<const Pulse> pulses) override;
  Result<void> off() override;

 private:
  Result<void> open_channel(int channel);
  [[nodiscard]] std::string path(int channel, const char* file) const;

  std::shared_ptr<TextFiles> files_;
  SysfsWireOptions options_;
  std::set<int> enabled_;
};

}  // namespace rowbot::drivers
