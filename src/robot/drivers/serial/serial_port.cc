#include "robot/drivers/serial/serial_port.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace rowbot::drivers {
namespace {

constexpr std::array<std::pair<int, speed_t>, 9> kSpeeds = {{{300, B300},
                                                             {1200, B1200},
                                                             {2400, B2400},
                                                             {4800, B4800},
                                                             {9600, B9600},
                                                             {19200, B19200},
                                                             {38400, B38400},
                                                             {57600, B57600},
                                                             {115200, B115200}}};

const char* advice(int code) {
  switch (code) {
    case ENOENT:
    case ENXIO:
    case ENODEV:
      return "; is it plugged in?";
    case EACCES:
    case EPERM:
      return "; add yourself to the group dialout and log in again";
    case EBUSY:
      return "; another program uses it";
    case EIO:
      return "; was it unplugged?";
    default:
      return "";
  }
}

}  // namespace

Error SerialPort::failure(const char* doing, int code) const {
  return {fmt::format("cannot {} the serial port {}: {}{}", doing, path_, std::strerror(code),
                      advice(code))};
}

Result<void> SerialPort::open(const std::string& path, int baud) {
  close();
  const std::scoped_lock lock(mutex_);
  path_ = path;
  const int port = ::open(path.c_str(), O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  if (port < 0) return failure("open", errno);
  const auto give_up = [&](const char* doing) {
    Error error = failure(doing, errno);
    ::close(port);
    return error;
  };
  termios settings{};
  if (::tcgetattr(port, &settings) != 0) return give_up("ask for the settings of");
  ::cfmakeraw(&settings);
  settings.c_cflag |= CLOCAL | CREAD;
  settings.c_cflag &= ~static_cast<tcflag_t>(CSTOPB | CRTSCTS | HUPCL);
  for (const auto& [known, speed] : kSpeeds) {
    if (known != baud) continue;
    ::cfsetispeed(&settings, speed);
    ::cfsetospeed(&settings, speed);
  }
  if (::tcsetattr(port, TCSANOW, &settings) != 0) return give_up("set up");
  ::ioctl(port, TIOCEXCL);  // a second program would kill our commands with its own
  descriptor_ = port;
  return {};
}

void SerialPort::close() {
  const std::scoped_lock lock(mutex_);
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
}

Result<void> SerialPort::write(std::span<const std::uint8_t> bytes) {
  using std::chrono::steady_clock;
  const auto patience = steady_clock::now() + std::chrono::seconds(1);
  while (!bytes.empty()) {
    {
      const std::scoped_lock lock(mutex_);
      if (descriptor_ < 0) return Error{fmt::format("the serial port {} is closed", path_)};
      const ssize_t sent = ::write(descriptor_, bytes.data(), bytes.size());
      if (sent > 0) {
        written_ += static_cast<std::uint64_t>(sent);
        bytes = bytes.subspan(static_cast<std::size_t>(sent));
        continue;
      }
      if (sent < 0 && errno != EAGAIN && errno != EINTR) return failure("write to", errno);
    }
    if (steady_clock::now() > patience) {
      return Error{fmt::format("the serial port {} takes no more bytes; check the cable", path_)};
    }
    // Not under the lock: an urgent stop must get through.
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return {};
}

void SerialPort::write_urgently(std::span<const std::uint8_t> bytes) noexcept {
  const std::scoped_lock lock(mutex_);
  if (descriptor_ < 0) return;
  ::tcflush(descriptor_, TCOFLUSH);
  const ssize_t sent = ::write(descriptor_, bytes.data(), bytes.size());
  if (sent > 0) written_ += static_cast<std::uint64_t>(sent);
}

bool SerialPort::hung_up() const {
  const std::scoped_lock lock(mutex_);
  if (descriptor_ < 0) return true;
  pollfd watched{.fd = descriptor_, .events = POLLOUT, .revents = 0};
  return ::poll(&watched, 1, 0) > 0 && (watched.revents & (POLLHUP | POLLERR | POLLNVAL)) != 0;
}

}  // namespace rowbot::drivers
