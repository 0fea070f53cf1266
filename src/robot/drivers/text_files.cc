#include "robot/drivers/text_files.h"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <system_error>
#include <thread>
#include <unistd.h>

#include "base/text.h"

namespace rowbot::drivers {
namespace {

class FileHandle {
 public:
  FileHandle(const std::string& path, int flags) : fd_(::open(path.c_str(), flags | O_CLOEXEC)) {}
  ~FileHandle() {
    if (fd_ >= 0) ::close(fd_);
  }
  FileHandle(const FileHandle&) = delete;
  FileHandle& operator=(const FileHandle&) = delete;
  FileHandle(FileHandle&&) = delete;
  FileHandle& operator=(FileHandle&&) = delete;
  [[nodiscard]] int fd() const { return fd_; }

 private:
  int fd_;
};

}  // namespace

Error device_error(std::string_view what, const std::string& path, int error_number) {
  std::string advice;
  if (error_number == EACCES || error_number == EPERM) {
    advice =
        "; this user may not: join the group that owns it (gpio, i2c, dialout or video) and "
        "log in again";
  } else if (error_number == ENOENT || error_number == ENODEV || error_number == ENXIO) {
    advice = "; is the device plugged in and its driver loaded? 'rowbot doctor' looks";
  } else if (error_number == EBUSY) {
    advice = "; another program uses it";
  } else if (error_number == EREMOTEIO || error_number == EIO) {
    advice = "; the device does not answer: check cable, power and address";
  }
  return Error{fmt::format("cannot {} {}: {}{}", what, path,
                           std::generic_category().message(error_number), advice)};
}

bool DiskFiles::exists(const std::string& path) const { return ::access(path.c_str(), F_OK) == 0; }

bool DiskFiles::writable(const std::string& path) const {
  return ::access(path.c_str(), W_OK) == 0;
}

Result<std::string> DiskFiles::read(const std::string& path) const {
  const FileHandle file(path, O_RDONLY);
  if (file.fd() < 0) return device_error("open", path, errno);
  std::string text(256, '\0');
  const ssize_t size = ::read(file.fd(), text.data(), text.size());
  if (size < 0) return device_error("read", path, errno);
  text.resize(static_cast<std::size_t>(size));
  return text;
}

Result<void> DiskFiles::write(const std::string& path, std::string_view text) {
  const FileHandle file(path, O_WRONLY | O_TRUNC);
  if (file.fd() < 0) return device_error("open", path, errno);
  const ssize_t size = ::write(file.fd(), text.data(), text.size());
  if (size < 0) return device_error("write", path, errno);
  if (static_cast<std::size_t>(size) != text.size()) return device_error("write", path, EIO);
  return {};
}

void DiskFiles::pause() { std::this_thread::sleep_for(std::chrono::milliseconds(50)); }

Result<std::int64_t> parse_sysfs_count(std::string_view text) {
  const auto number = parse_integer(trimmed(text));
  if (!number || *number < 0) {
    return Error{fmt::format("expected a count, found {}", in_quotes(text))};
  }
  return *number;
}

}  // namespace rowbot::drivers
