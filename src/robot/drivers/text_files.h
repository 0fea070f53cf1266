// The kernel's small text files (sysfs), behind the smallest port that a simulation can stand in
// for. Thread safety: none beyond that of the files themselves.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace rowbot::drivers {

class TextFiles {
 public:
  TextFiles() = default;
  virtual ~TextFiles() = default;
  TextFiles(const TextFiles&) = delete;
  TextFiles& operator=(const TextFiles&) = delete;
  TextFiles(TextFiles&&) = delete;
  TextFiles& operator=(TextFiles&&) = delete;

  [[nodiscard]] virtual bool exists(const std::string& path) const = 0;
  [[nodiscard]] virtual bool writable(const std::string& path) const = 0;
  [[nodiscard]] virtual Result<std::string> read(const std::string& path) const = 0;
  /// One write() call, as the kernel wants it.
  virtual Result<void> write(const std::string& path, std::string_view text) = 0;
  /// A moment for others, such as udev, to do their part.
  virtual void pause() = 0;
};

class DiskFiles : public TextFiles {
 public:
  [[nodiscard]] bool exists(const std::string& path) const override;
  [[nodiscard]] bool writable(const std::string& path) const override;
  [[nodiscard]] Result<std::string> read(const std::string& path) const override;
  Result<void> write(const std::string& path, std::string_view text) override;
  void pause() override;
};

/// A count as the kernel writes it: digits and a line end.
[[nodiscard]] Result<std::int64_t> parse_sysfs_count(std::string_view text);

/// "cannot <what> <path>: <reason>", with what to do where the reason has a remedy.
[[nodiscard]] Error device_error(std::string_view what, const std::string& path, int error_number);

}  // namespace rowbot::drivers
