#include "robot/drivers/i2c.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/i2c-dev.h>
#include <linux/i2c.h>
#include <sys/ioctl.h>
#include <thread>
#include <unistd.h>

#include "robot/drivers/text_files.h"

namespace rowbot::drivers {
namespace {

/// An open bus, set to one address.
class I2cFile : public I2cDevice {
 public:
  I2cFile(int fd, std::string name) : fd_(fd), name_(std::move(name)) {}
  ~I2cFile() override { ::close(fd_); }
  I2cFile(const I2cFile&) = delete;
  I2cFile& operator=(const I2cFile&) = delete;
  I2cFile(I2cFile&&) = delete;
  I2cFile& operator=(I2cFile&&) = delete;

  void pause_us(int microseconds) override {
    std::this_thread::sleep_for(std::chrono::microseconds(microseconds));
  }

 protected:
  [[nodiscard]] int fd() const { return fd_; }
  [[nodiscard]] Error error(const char* what, int number) const {
    return device_error(what, name_, number);
  }

 private:
  int fd_;
  std::string name_;
};

/// Messages of any length: every bus of a Raspberry Pi.
class PlainI2c final : public I2cFile {
 public:
  using I2cFile::I2cFile;
  Result<void> write(std::span<const std::uint8_t> bytes) override {
    const ssize_t size = ::write(fd(), bytes.data(), bytes.size());
    if (size < 0) return error("write to", errno);
    if (static_cast<std::size_t>(size) != bytes.size()) return error("write to", EIO);
    return {};
  }
  Result<void> read(std::span<std::uint8_t> bytes) override {
    const ssize_t size = ::read(fd(), bytes.data(), bytes.size());
    if (size < 0) return error("read from", errno);
    if (static_cast<std::size_t>(size) != bytes.size()) return error("read from", EIO);
    return {};
  }
};

/// A bus that knows SMBus commands only, as that of many PCs and the kernel's own test device: a
/// register's number, and at most 32 bytes for it and those that follow it.
class SmbusI2c final : public I2cFile {
 public:
  using I2cFile::I2cFile;
  Result<void> write(std::span<const std::uint8_t> bytes) override {
    if (bytes.empty()) return error("write to", EINVAL);
    register_ = bytes[0];
    for (auto rest = bytes.subspan(1); !rest.empty();) {
      const auto piece = rest.first(std::min<std::size_t>(rest.size(), I2C_SMBUS_BLOCK_MAX));
      i2c_smbus_data data{};
      if (piece.size() == 1) {
        data.byte = piece[0];
      } else {
        data.block[0] = static_cast<std::uint8_t>(piece.size());
        std::ranges::copy(piece, data.block + 1);
      }
      const std::uint32_t kind = piece.size() == 1 ? I2C_SMBUS_BYTE_DATA : I2C_SMBUS_I2C_BLOCK_DATA;
      if (auto done = transfer("write to", I2C_SMBUS_WRITE, kind, data); !done) return done;
      register_ = static_cast<std::uint8_t>(register_ + piece.size());
      rest = rest.subspan(piece.size());
    }
    return {};
  }
  Result<void> read(std::span<std::uint8_t> bytes) override {
    while (!bytes.empty()) {
      const auto piece = bytes.first(std::min<std::size_t>(bytes.size(), I2C_SMBUS_BLOCK_MAX));
      i2c_smbus_data data{};
      data.block[0] = static_cast<std::uint8_t>(piece.size());
      if (auto done = transfer("read from", I2C_SMBUS_READ, I2C_SMBUS_I2C_BLOCK_DATA, data);
          !done) {
        return done;
      }
      if (data.block[0] != piece.size()) return error("read from", EIO);
      std::copy_n(data.block + 1, piece.size(), piece.begin());
      register_ = static_cast<std::uint8_t>(register_ + piece.size());
      bytes = bytes.subspan(piece.size());
    }
    return {};
  }

 private:
  Result<void> transfer(const char* what, std::uint8_t direction, std::uint32_t kind,
                        i2c_smbus_data& data) {
    i2c_smbus_ioctl_data request{
        .read_write = direction, .command = register_, .size = kind, .data = &data};
    if (::ioctl(fd(), I2C_SMBUS, &request) < 0) return error(what, errno);
    return {};
  }

  std::uint8_t register_ = 0;
};

}  // namespace

Result<std::unique_ptr<I2cDevice>> open_i2c(const std::string& bus, int address) {
  const int fd = ::open(bus.c_str(), O_RDWR | O_CLOEXEC);
  if (fd < 0) return device_error("open", bus, errno);
  const std::string name = fmt::format("{} at address {:#x}", bus, address);
  unsigned long abilities = 0;
  const bool answers = ::ioctl(fd, I2C_FUNCS, &abilities) == 0;
  constexpr unsigned long kSmbus = I2C_FUNC_SMBUS_BYTE_DATA | I2C_FUNC_SMBUS_I2C_BLOCK;
  std::unique_ptr<I2cDevice> device;
  if (answers && (abilities & I2C_FUNC_I2C) == 0 && (abilities & kSmbus) == kSmbus) {
    device = std::make_unique<SmbusI2c>(fd, name);
  } else {
    device = std::make_unique<PlainI2c>(fd, name);
  }
  if (::ioctl(fd, I2C_SLAVE, static_cast<unsigned long>(address)) < 0) {
    return device_error("use", name, errno);
  }
  return device;
}

}  // namespace rowbot::drivers
