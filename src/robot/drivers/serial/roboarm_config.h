// Everything about a RoboArm that has to be measured or found out: its bytes, its port, how fast
// its motors run and how much they drift. The one place for what is assumed. Thread safety: plain
// values and pure functions.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "robot/drivers/serial/roboarm_protocol.h"

namespace rowbot::drivers {

struct RoboArmConfig {
  CommandTable commands;
  int baud = 9600;

  /// Free-running motors have one speed; base, shoulder, elbow, wrist.
  std::array<double, kRoboArmJoints> speed_deg_s = {30, 25, 30, 45};
  double each_order_s = 0.03;  // until a motor turns, and to come to rest
  double hand_s = 0.8;         // to open or to close
  /// The arm does not say when it is done: so much longer than calculated is waited.
  double margin_share = 0.10;
  double margin_s = 0.25;

  int buffer_orders = 400;     // what the arm's buffer holds
  double follow_deg = 0.65;    // how far the steps of whole degrees may be from the planned path
  double open_width_m = 0.05;  // the hand knows only open and closed

  /// Errors of single moves add up like a random walk. Rhodes 1993: out of calibration after five
  /// to ten moves of the game, of seven motions each.
  double drift_deg_per_motion = 0.2;
  double drift_deg_per_stop = 1.0;  // killed on the way: where it stopped is calculated
  double recalibrate_at_deg = 1.3;  // asked for from here on
  double refuse_at_deg = 4.0;       // nothing moves from here on

  friend bool operator==(const RoboArmConfig&, const RoboArmConfig&) = default;
};

[[nodiscard]] Result<void> check_config(const RoboArmConfig& config);

/// TOML; every key may be left out. Mistakes are reported with their key.
[[nodiscard]] Result<RoboArmConfig> parse_roboarm_config(std::string_view text);
[[nodiscard]] Result<RoboArmConfig> load_roboarm_config(const std::string& path);
[[nodiscard]] std::string roboarm_config_text(const RoboArmConfig& config);

}  // namespace rowbot::drivers
