// The other side of the kernel: what the drivers' lines and registers look like from outside, and
// the kernel's own record of what arrived there, with its times.
// Thread safety: the files of the kernel are safe; one thread owns a Trace.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace rowbot::hardware {

using Nanoseconds = std::chrono::nanoseconds;

/// Mounts what a program expects, loads the kernel's modules, makes the chip of GPIO lines. Ends
/// the program with a message when the kernel has no such thing.
void prepare_system();

/// The chip of simulated lines.
std::string gpio_device();
/// What a switch does: to ground, or open to the pull-up.
void pull(int line, bool high);
bool level(int line);
std::string pull_of(int line);

/// The bus and the address with registers behind it; those of every other address are missing.
std::string i2c_device();
inline constexpr int kI2cAddress = 0x40;
/// Around the driver, on a file of its own.
std::uint8_t peek(std::uint8_t address);
void poke(std::uint8_t address, std::uint8_t value);

struct LineWrite {
  int line = 0;
  bool high = false;
  Nanoseconds time{};
};
struct RegisterWrite {
  std::uint8_t address = 0;
  std::vector<std::uint8_t> bytes;
  Nanoseconds time{};
};

/// The kernel's record since the beginning of this object's life. Times are monotonic.
class Trace {
 public:
  Trace();
  ~Trace();
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;
  Trace(Trace&&) = delete;
  Trace& operator=(Trace&&) = delete;
  [[nodiscard]] static std::vector<LineWrite> line_writes();
  [[nodiscard]] static std::vector<RegisterWrite> register_writes();
};

void wait_ms(double milliseconds);

}  // namespace rowbot::hardware
