// A serial port through termios: raw bytes, eight bits, no parity, no flow control.
// Thread safety: every function from any thread, except open() and close().
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <span>
#include <string>

#include "base/result.h"

namespace rowbot::drivers {

class SerialPort {
 public:
  SerialPort() = default;
  ~SerialPort() { close(); }
  SerialPort(const SerialPort&) = delete;
  SerialPort& operator=(const SerialPort&) = delete;
  SerialPort(SerialPort&&) = delete;
  SerialPort& operator=(SerialPort&&) = delete;

  /// Closes what was open before. The message of a failure says what to do.
  Result<void> open(const std::string& path, int baud);
  void close();

  /// Into the kernel's buffer; fails when that stays full for a second.
  Result<void> write(std::span<const std::uint8_t> bytes);
  /// Throws away what the kernel has not sent yet, then sends these at once.
  void write_urgently(std::span<const std::uint8_t> bytes) noexcept;
  /// Somebody pulled the plug.
  [[nodiscard]] bool hung_up() const;
  /// Bytes handed over so far.
  [[nodiscard]] std::uint64_t written() const { return written_; }

 private:
  [[nodiscard]] Error failure(const char* doing, int code) const;

  std::string path_;
  mutable std::mutex mutex_;  // guards descriptor_ against being closed in use
  int descriptor_ = -1;
  std::atomic<std::uint64_t> written_ = 0;
};

}  // namespace rowbot::drivers
