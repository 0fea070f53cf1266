// rowbot doctor: looks at the machine's pins, buses, ports and cameras and at the files that a
// table needs, and says what to do about what is missing.
#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unistd.h>
#include <vector>

#include "CLI/CLI.hpp"
#include "commands.h"
#include "fmt/format.h"
#include "json.h"
#include "robot/cell/drop_plan.h"
#include "robot/cell/layout_file.h"
#include "robot/drivers/hardware_file.h"
#include "robot/drivers/i2c.h"
#include "robot/drivers/servo/gpio_wire.h"
#include "robot/drivers/text_files.h"
#include "robot/station/station_config.h"
#include "robot/vision/calibration.h"
#include "robot/vision/camera_sensor.h"
#include "robot/vision/video_camera.h"

namespace rowbot::app {
namespace {

namespace fs = std::filesystem;

struct Finding {
  std::string check;
  bool ok = false;
  std::string advice;
  bool needed = false;  // by the hardware file
};

/// A kind of device that a machine can have, and how to get it.
struct DeviceKind {
  const char* check;
  const char* folder;
  std::vector<const char*> prefixes;
  const char* group;
  const char* when_missing;
};

const std::vector<DeviceKind> kDevices = {
    {"gpio chips",
     "/dev",
     {"gpiochip"},
     "gpio",
     "no GPIO chip: a Raspberry Pi has one in every recent kernel; a PC has none, which only "
     "matters for servos on GPIO lines and for the panel"},
    {"pwm chips",
     "/sys/class/pwm",
     {"pwmchip"},
     "gpio",
     "no hardware PWM: on a Raspberry Pi add 'dtoverlay=pwm-2chan' to /boot/firmware/config.txt "
     "and restart, or choose wire = \"gpio\" or \"i2c\""},
    {"i2c buses",
     "/dev",
     {"i2c-"},
     "i2c",
     "no I2C bus: on a Raspberry Pi add 'dtparam=i2c_arm=on' to /boot/firmware/config.txt, "
     "'i2c-dev' to /etc/modules, and restart"},
    {"serial ports",
     "/dev",
     {"ttyUSB", "ttyACM", "ttyAMA", "ttyS"},
     "dialout",
     "no serial port: plug in the arm's cable; 'dmesg | tail' shows whether the kernel saw it"},
    {"cameras",
     "/dev",
     {"video"},
     "video",
     "no camera: plug one in; on a Raspberry Pi with a ribbon cable check its seat and "
     "'camera_auto_detect=1'"},
};

class Doctor {
 public:
  explicit Doctor(std::string root) : root_(std::move(root)) {}

  void look_at_devices() {
    for (const DeviceKind& kind : kDevices) look_at(kind);
    look_at_timing();
  }

  void look_at_file(const std::string& file) {
    const auto hardware = drivers::load_hardware(file);
    add({.check = "hardware file",
         .ok = hardware.has_value(),
         .advice = hardware ? fmt::format("{} is sound", file)
                            : fmt::format("{}. docs/wiring.md shows one", hardware.error().message),
         .needed = true});
    if (!hardware) return;
    if (hardware->layout) look_at_layout(station::beside(file, *hardware->layout));
    if (hardware->camera) look_at_device("camera", *hardware->camera, "video");
    if (hardware->camera) look_through(*hardware->camera);
    if (hardware->eyes) look_at_eyes(station::beside(file, *hardware->eyes));
    if (hardware->serial) look_at_device("serial line", *hardware->serial, "dialout");
    if (hardware->servos) look_at_servos(*hardware->servos);
    if (hardware->panel) look_at_device("panel", hardware->panel->chip, "gpio");
  }

  [[nodiscard]] const std::vector<Finding>& findings() const { return findings_; }

 private:
  void add(Finding finding) { findings_.push_back(std::move(finding)); }

  [[nodiscard]] std::string under_root(const std::string& path) const {
    return root_ == "/" ? path : root_ + path;
  }

  static std::string permission_advice(const std::string& path, const std::string& group) {
    return fmt::format(
        "{} is there, but this user may not use it: 'sudo usermod -aG {} $USER', "
        "then log in again",
        path, group);
  }

  /// A PWM chip is a folder; what must be writable is its file 'export'.
  [[nodiscard]] bool usable(const std::string& path) const {
    const std::string file = fs::is_directory(path) ? path + "/export" : path;
    return ::access(file.c_str(), fs::is_directory(path) ? W_OK : R_OK | W_OK) == 0;
  }

  void look_at(const DeviceKind& kind) {
    std::vector<std::string> found;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(under_root(kind.folder), none)) {
      const std::string name = entry.path().filename().string();
      const bool matches = std::ranges::any_of(
          kind.prefixes, [&](const char* prefix) { return name.starts_with(prefix); });
      if (matches) found.push_back(entry.path().string());
    }
    std::ranges::sort(found);
    if (found.empty()) return add({.check = kind.check, .advice = kind.when_missing});
    const auto denied =
        std::ranges::find_if(found, [&](const std::string& path) { return !usable(path); });
    const bool any = std::ranges::any_of(found, [&](const std::string& p) { return usable(p); });
    add({.check = kind.check,
         .ok = any,
         .advice = any ? fmt::format("{} here, the first is {}", found.size(), found.front())
                       : permission_advice(*denied, kind.group)});
  }

  void look_at_device(const std::string& check, const std::string& path, const char* group) {
    const std::string real = under_root(path);
    if (!fs::exists(real)) {
      return add({.check = check,
                  .advice = fmt::format("{} is not there: plug it in, or name the right one in the "
                                        "hardware file",
                                        real),
                  .needed = true});
    }
    const bool fine = usable(real);
    add({.check = check,
         .ok = fine,
         .advice = fine ? fmt::format("{} can be used", real) : permission_advice(real, group),
         .needed = true});
  }

  void look_at_layout(const std::string& file) {
    const auto layout = cell::load_layout(file);
    add({.check = "layout file",
         .ok = layout.has_value(),
         .advice =
             layout ? fmt::format("{} is sound", file)
                    : fmt::format("{}; 'rowbot arm calibrate' writes one", layout.error().message),
         .needed = true});
    if (layout) look_at_reach(*layout);
  }

  /// Every column must have a way to it, before the first motor turns.
  void look_at_reach(const cell::CellLayout& layout) {
    const auto model = arm::model_by_name(layout.robot);
    if (!model) return;
    std::string trouble;
    for (const game::Column column : game::kAllColumns) {
      const auto plan = cell::plan_drop(layout, column, arm::neutral(**model));
      if (!plan && trouble.empty()) trouble = plan.error().message;
    }
    add({.check = "reach",
         .ok = trouble.empty(),
         .advice = trouble.empty() ? "the arm has a way to every column"
                                   : trouble + "; move the board, or calibrate again",
         .needed = true});
  }

  void look_at_eyes(const std::string& file) {
    const auto eyes = vision::load_calibration(file);
    add({.check = "eyes file",
         .ok = eyes.has_value(),
         .advice =
             eyes ? fmt::format("{} is sound", file)
                  : fmt::format("{}; 'rowbot see --calibrate' writes one", eyes.error().message),
         .needed = true});
  }

  /// One picture: is there a board in it?
  void look_through(const std::string& device) {
    if (root_ != "/") return;
    auto camera = vision::VideoCamera::open(device);
    if (!camera) return;  // look_at_device() has said why
    vision::CameraSensor eye(**camera);
    const auto reading = eye.look();
    const bool seen = reading && reading->sight == cell::Sight::kGood;
    add({.check = "sight",
         .ok = seen,
         .advice = !reading ? reading.error().message
                   : seen   ? "the camera sees the whole board"
                          : "the camera does not see the whole board: point it at the board, free "
                            "its view, give it light",
         .needed = true});
  }

  void look_at_servos(const drivers::ServoCalibration& servos) {
    std::set<drivers::WireKind> kinds = {servos.gripper.wire};
    int highest = -1;
    for (const drivers::JointServo& servo : servos.joints) {
      kinds.insert(servo.wire);
      if (servo.wire == drivers::WireKind::kSysfs) highest = std::max(highest, servo.channel);
    }
    if (servos.gripper.wire == drivers::WireKind::kSysfs) {
      highest = std::max(highest, servos.gripper.channel);
    }
    for (const drivers::WireKind kind : kinds) {
      switch (kind) {
        case drivers::WireKind::kSysfs:
          look_at_device("servos on sysfs", servos.sysfs_chip, "gpio");
          count_channels(servos.sysfs_chip, highest);
          break;
        case drivers::WireKind::kGpio:
          look_at_device("servos on gpio", servos.gpio_chip, "gpio");
          break;
        case drivers::WireKind::kI2c:
          look_at_device("servos on i2c", servos.i2c_device, "i2c");
          if (findings_.back().ok && root_ == "/") ask_board(servos);
          break;
      }
    }
  }

  void count_channels(const std::string& chip, int highest) {
    if (!findings_.back().ok) return;
    const auto text = drivers::DiskFiles().read(under_root(chip) + "/npwm");
    const auto count =
        text ? drivers::parse_sysfs_count(*text) : Result<std::int64_t>(text.error());
    const bool enough = count && *count > highest;
    add({.check = "pwm channels",
         .ok = enough,
         .advice = !count   ? count.error().message
                   : enough ? fmt::format("{} channels, {} needed", *count, highest + 1)
                            : fmt::format("{} has {} channels and {} are needed: give the other "
                                          "servos wire = \"gpio\" or \"i2c\"",
                                          chip, *count, highest + 1),
         .needed = true});
  }

  void ask_board(const drivers::ServoCalibration& servos) {
    const std::uint8_t mode_register = 0;
    std::uint8_t mode = 0;
    auto device = drivers::open_i2c(servos.i2c_device, servos.i2c_address);
    Result<void> answer =
        device ? (*device)->write(std::span(&mode_register, 1)) : Result<void>(device.error());
    if (answer) answer = (*device)->read(std::span(&mode, 1));
    add({.check = "pca9685",
         .ok = answer.has_value(),
         .advice = answer ? fmt::format("answers at address {:#x}", servos.i2c_address)
                          : answer.error().message,
         .needed = true});
  }

  /// How exact software pulses would be on this machine, measured with pulses that lead nowhere.
  void look_at_timing() {
    constexpr double kUnlimited = 1e9;
    drivers::GpioWire wire([] { return Result(drivers::unconnected_outputs(1)); },
                           std::make_shared<drivers::PulseClock>(),
                           {.lines = {0}, .jitter_us = kUnlimited});
    const drivers::Pulse pulse{.channel = 0, .width_us = 1500};
    if (auto opened = wire.open(); !opened) return;
    (void)wire.set(std::span(&pulse, 1));
    ::usleep(300'000);
    const drivers::JitterReport jitter = wire.jitter();
    const bool good = jitter.pulses > 0 && jitter.worst_us <= 100;
    add({.check = "software pulses",
         .ok = good,
         .advice = fmt::format("{} pulses were off by {:.1f} us in the mean and {:.0f} us at worst "
                               "(10 us is a degree){}{}",
                               jitter.pulses, jitter.mean_us, jitter.worst_us,
                               jitter.real_time ? "" : "; without real-time priority",
                               good ? ""
                                    : "; raise the limit of rtprio in /etc/security/limits.conf, "
                                      "stop other programs, or use hardware PWM or a PCA9685")});
  }

  std::string root_;
  std::vector<Finding> findings_;
};

void print_findings(const std::vector<Finding>& findings, bool as_json) {
  if (as_json) {
    auto list = Json::array();
    for (const Finding& finding : findings) {
      list.push_back({{"check", finding.check},
                      {"ok", finding.ok},
                      {"advice", finding.advice},
                      {"needed", finding.needed}});
    }
    fmt::print("{}\n", list.dump(2));
    return;
  }
  for (const Finding& finding : findings) {
    const char* mark = finding.ok ? "ok" : finding.needed ? "MISSING" : "-";
    fmt::print("{:<8}{:<17}{}\n", mark, finding.check, finding.advice);
  }
}

}  // namespace

void add_doctor_command(CLI::App& app) {
  struct Options {
    std::string config;
    std::string root = "/";
    bool json = false;
  };
  CLI::App* command =
      app.add_subcommand("doctor", "Look at pins, buses, cameras and files, and say what to do");
  auto options = std::make_shared<Options>();
  command->add_option("--config", options->config,
                      "A hardware file: what it needs must be there, or the exit code is 1");
  command->add_option("--root", options->root, "Look for devices below this folder")
      ->capture_default_str();
  command->add_flag("--json", options->json, "Print an array of objects");
  command->callback([options] {
    Doctor doctor(options->root);
    doctor.look_at_devices();
    if (!options->config.empty()) doctor.look_at_file(options->config);
    print_findings(doctor.findings(), options->json);
    const auto missing = std::ranges::count_if(
        doctor.findings(), [](const Finding& finding) { return finding.needed && !finding.ok; });
    if (missing > 0) {
      fail(Error{fmt::format("{} of the things that {} needs {} missing", missing, options->config,
                             missing == 1 ? "is" : "are")});
    }
  });
}

}  // namespace rowbot::app
