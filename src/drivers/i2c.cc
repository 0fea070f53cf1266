#include "drivers/i2c.h"

#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/i2c-dev.h>
#include <sys/ioctl.h>
#include <thread>
#include <unistd.h>

#include "drivers/text_files.h"

namespace rowbot::drivers {
namespace {

class LinuxI2c final : public I2cDevice {
 public:
  LinuxI2c(int fd, std::string name) : fd_(fd), name_(std::move(name)) {}
  ~LinuxI2c() override { ::close(fd_); }
  LinuxI2c(const LinuxI2c&) = delete;
  LinuxI2c& operator=(const LinuxI2c&) = delete;
  LinuxI2c(LinuxI2c&&) = delete;
  LinuxI2c& operator=(LinuxI2c&&) = delete;

  Result<void> write(std::span<const std::uint8_t> bytes) override {
    const ssize_t size = ::write(fd_, bytes.data(), bytes.size());
    if (size < 0) return device_error("write to", name_, errno);
    if (static_cast<std::size_t>(size) != bytes.size()) return device_error("write to", name_, EIO);
    return {};
  }
  Result<void> read(std::span<std::uint8_t> bytes) override {
    const ssize_t size = ::read(fd_, bytes.data(), bytes.size());
    if (size < 0) return device_error("read from", name_, errno);
    if (static_cast<std::size_t>(size) != bytes.size())
      return device_error("read from", name_, EIO);
    return {};
  }
  void pause_us(int microseconds) override {
    std::this_thread::sleep_for(std::chrono::microseconds(microseconds));
  }

 private:
  int fd_;
  std::string name_;
};

}  // namespace

Result<std::unique_ptr<I2cDevice>> open_i2c(const std::string& bus, int address) {
  const int fd = ::open(bus.c_str(), O_RDWR | O_CLOEXEC);
  if (fd < 0) return device_error("open", bus, errno);
  auto device = std::make_unique<LinuxI2c>(fd, fmt::format("{} at address {:#x}", bus, address));
  if (::ioctl(fd, I2C_SLAVE, static_cast<unsigned long>(address)) < 0) {
    return device_error("use", fmt::format("{} at address {:#x}", bus, address), errno);
  }
  return std::unique_ptr<I2cDevice>(std::move(device));
}

}  // namespace rowbot::drivers
