// What is wired to what, in a TOML file that people can read and edit: servos with their limits,
// directions and trims, the panel's switches, and which files and devices a table needs.
// docs/wiring.md shows one.
// Thread safety: pure functions, except for the files they touch.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "robot/drivers/panel/wiring.h"
#include "robot/drivers/servo/calibration.h"

namespace rowbot::drivers {

inline constexpr int kHardwareVersion = 1;

struct Hardware {
  std::optional<std::string> layout;     // file of 'arm calibrate'
  std::optional<std::string> camera;     // device
  std::optional<std::string> eyes;       // file of 'see --calibrate'
  std::optional<std::string> serial;     // device of an arm on a serial line
  std::optional<std::string> rosbridge;  // address of an arm behind ROS
  std::optional<std::string> driver;     // servo, serial or rosbridge
  std::optional<std::string> senses;     // camera, switches, keys; joined by commas
  std::optional<std::string> agent;      // who plays
  std::optional<ServoCalibration> servos;
  std::optional<PanelWiring> panel;

  friend bool operator==(const Hardware&, const Hardware&) = default;
};

[[nodiscard]] std::string hardware_text(const Hardware& hardware);
/// Errors name the line or the key, and what was expected there.
[[nodiscard]] Result<Hardware> parse_hardware(std::string_view text);
[[nodiscard]] Result<Hardware> load_hardware(const std::string& file);

}  // namespace rowbot::drivers
