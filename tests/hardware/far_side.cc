#include "far_side.h"

#include <array>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <linux/i2c-dev.h>
#include <linux/i2c.h>
#include <sstream>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

#include "base/text.h"

namespace rowbot::hardware {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTracing = "/sys/kernel/tracing";
constexpr const char* kSim = "/sys/kernel/config/gpio-sim/rowbot";
constexpr int kLines = 32;

[[noreturn]] void give_up(const std::string& what) {
  fmt::print(stderr, "rowbot-hardware-test: {}: {}\n", what, std::strerror(errno));
  std::fflush(stderr);
  std::_Exit(1);
}

void write_text(const std::string& path, std::string_view text) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_TRUNC);
  if (fd < 0) give_up("cannot open " + path);
  const bool written = ::write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  ::close(fd);
  if (!written) give_up("cannot write to " + path);
}

std::string read_text(const std::string& path) {
  std::ifstream file(path);
  if (!file) give_up("cannot read " + path);
  std::ostringstream text;
  text << file.rdbuf();
  return std::string(trimmed(text.str()));
}

void mount_on(const char* kind, const std::string& place) {
  fs::create_directories(place);
  if (::mount(kind, place.c_str(), kind, 0, nullptr) != 0 && errno != EBUSY) {
    give_up(fmt::format("cannot mount {} on {}", kind, place));
  }
}

void load_module(const std::string& name, const std::string& options) {
  const int file = ::open(fmt::format("/modules/{}.ko", name).c_str(), O_RDONLY | O_CLOEXEC);
  const bool loaded = file >= 0 && ::syscall(SYS_finit_module, file, options.c_str(), 0) == 0;
  if (!loaded) give_up("cannot load the kernel's module " + name);
  ::close(file);
}

std::string sim_line(int line) {
  static const std::string kChip =
      fmt::format("/sys/devices/platform/{}/{}", read_text(fmt::format("{}/dev_name", kSim)),
                  read_text(fmt::format("{}/bank/chip_name", kSim)));
  return fmt::format("{}/sim_gpio{}", kChip, line);
}

/// Of the chip's first line, in the kernel's numbers for all lines.
int first_number() {
  static const int kFirst = [] {
    for (const auto& chip : fs::directory_iterator("/sys/class/gpio")) {
      if (fs::exists(chip.path() / "base") && read_text((chip.path() / "ngpio").string()) == "32") {
        return std::stoi(read_text((chip.path() / "base").string()));
      }
    }
    give_up("the chip has no number in /sys/class/gpio");
  }();
  return kFirst;
}

std::uint8_t transfer(std::uint8_t direction, std::uint8_t address, std::uint8_t value) {
  const int fd = ::open(i2c_device().c_str(), O_RDWR | O_CLOEXEC);
  if (fd < 0 || ::ioctl(fd, I2C_SLAVE, kI2cAddress) < 0) give_up("cannot open " + i2c_device());
  i2c_smbus_data data{.byte = value};
  i2c_smbus_ioctl_data request{
      .read_write = direction, .command = address, .size = I2C_SMBUS_BYTE_DATA, .data = &data};
  if (::ioctl(fd, I2C_SMBUS, &request) < 0) give_up("cannot reach the registers");
  ::close(fd);
  return data.byte;
}

struct Line {
  Nanoseconds time{};
  std::string text;
};

/// Lines of the record for one kind of event:   task-1  [000] .....  12.345678: KIND: TEXT
std::vector<Line> record_of(const std::string& kind) {
  std::vector<Line> lines;
  std::ifstream file(fmt::format("{}/trace", kTracing));
  for (std::string line; std::getline(file, line);) {
    const std::size_t found = line.find(": " + kind + ": ");
    if (line.starts_with("#") || found == std::string::npos) continue;
    const std::size_t blank = line.rfind(' ', found);
    const auto seconds = parse_number(line.substr(blank + 1, found - blank - 1));
    if (!seconds) give_up("cannot understand the kernel's record: " + line);
    lines.push_back({.time = Nanoseconds(std::llround(*seconds * 1e6) * 1000),
                     .text = line.substr(found + kind.size() + 4)});
  }
  return lines;
}

}  // namespace

void prepare_system() {
  mount_on("proc", "/proc");
  mount_on("sysfs", "/sys");
  mount_on("devtmpfs", "/dev");
  mount_on("tracefs", kTracing);
  load_module("configfs", "");
  load_module("i2c-dev", "");
  load_module("i2c-stub", fmt::format("chip_addr={}", kI2cAddress));
  load_module("rowbot-gpio-sim", "");
  mount_on("configfs", "/sys/kernel/config");
  fs::create_directories(fmt::format("{}/bank", kSim));
  write_text(fmt::format("{}/bank/num_lines", kSim), std::to_string(kLines));
  write_text(fmt::format("{}/live", kSim), "1");
}

std::string gpio_device() { return "/dev/" + read_text(fmt::format("{}/bank/chip_name", kSim)); }

void pull(int line, bool high) {
  write_text(sim_line(line) + "/pull", high ? "pull-up" : "pull-down");
}

bool level(int line) { return read_text(sim_line(line) + "/value") == "1"; }

std::string pull_of(int line) { return read_text(sim_line(line) + "/pull"); }

std::string i2c_device() { return "/dev/i2c-0"; }

std::uint8_t peek(std::uint8_t address) { return transfer(I2C_SMBUS_READ, address, 0); }

void poke(std::uint8_t address, std::uint8_t value) { transfer(I2C_SMBUS_WRITE, address, value); }

Trace::Trace() {
  write_text(fmt::format("{}/tracing_on", kTracing), "0");
  write_text(fmt::format("{}/trace_clock", kTracing), "mono");
  write_text(fmt::format("{}/buffer_size_kb", kTracing), "4096");
  write_text(fmt::format("{}/trace", kTracing), "\n");
  write_text(fmt::format("{}/events/gpio/gpio_value/enable", kTracing), "1");
  write_text(fmt::format("{}/events/smbus/smbus_write/enable", kTracing), "1");
  write_text(fmt::format("{}/tracing_on", kTracing), "1");
}

Trace::~Trace() { write_text(fmt::format("{}/tracing_on", kTracing), "0"); }

std::vector<LineWrite> Trace::line_writes() {
  std::vector<LineWrite> writes;
  for (const Line& line : record_of("gpio_value")) {  // NUMBER set|get LEVEL
    int number = 0;
    std::array<char, 4> verb{};
    int high = 0;
    if (std::sscanf(line.text.c_str(), "%d %3s %d", &number, verb.data(), &high) != 3) {
      give_up("cannot understand the kernel's record: " + line.text);
    }
    if (std::string_view(verb.data()) != "set") continue;
    writes.push_back({.line = number - first_number(), .high = high != 0, .time = line.time});
  }
  return writes;
}

std::vector<RegisterWrite> Trace::register_writes() {
  std::vector<RegisterWrite> writes;
  for (const Line& line : record_of("smbus_write")) {  // i2c-0 a=040 f=0000 c=fe KIND l=1 [79]
    unsigned command = 0;
    std::array<char, 32> kind{};
    if (std::sscanf(line.text.c_str(), "%*s a=%*x f=%*x c=%x %31s", &command, kind.data()) != 2) {
      give_up("cannot understand the kernel's record: " + line.text);
    }
    RegisterWrite write{
        .address = static_cast<std::uint8_t>(command), .bytes = {}, .time = line.time};
    const std::size_t begin = line.text.find('[');
    const std::size_t end = line.text.find(']');
    const std::string bytes = line.text.substr(begin + 1, end - begin - 1);
    for (const std::string_view byte : split(bytes, '-')) {
      write.bytes.push_back(static_cast<std::uint8_t>(std::stoi(std::string(byte), nullptr, 16)));
    }
    // A block is recorded with its length in front.
    if (std::string_view(kind.data()).find("BLOCK") != std::string_view::npos) {
      write.bytes.erase(write.bytes.begin());
    }
    writes.push_back(std::move(write));
  }
  return writes;
}

void wait_ms(double milliseconds) {
  std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(milliseconds));
}

}  // namespace rowbot::hardware
