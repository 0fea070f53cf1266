// A way from the program to servo pins. Pulses go on by themselves until they are changed or off.
// Thread safety: none; one thread owns a wire.
#pragma once

#include <span>
#include <vector>

#include "base/result.h"

namespace rowbot::drivers {

struct Pulse {
  int channel = 0;
  double width_us = 0;
};

class ServoWire {
 public:
  ServoWire() = default;
  virtual ~ServoWire() = default;
  ServoWire(const ServoWire&) = delete;
  ServoWire& operator=(const ServoWire&) = delete;
  ServoWire(ServoWire&&) = delete;
  ServoWire& operator=(ServoWire&&) = delete;

  /// Prepares the channels it was made for, without a pulse on any. Again after each failure.
  virtual Result<void> open() = 0;
  virtual Result<void> set(std::span<const Pulse> pulses) = 0;
  /// No more pulses: the servos go limp.
  virtual Result<void> off() = 0;
  /// Has something gone wrong since the last call?
  virtual Result<void> poll() { return {}; }
};

}  // namespace rowbot::drivers
