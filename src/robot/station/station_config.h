// What a station is made of, in one value: which arm, which camera, which switches; each of them
// simulated, real or left out.
//
//   auto config = configure({.driver = "serial:sim"});            // from options and files
//   auto station = config ? open(*config) : config.error();       // station.h
//
// Thread safety: plain values; pure functions but for the files they read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "robot/cell/layout.h"
#include "robot/drivers/panel/wiring.h"
#include "robot/sim/twin.h"

namespace rowbot::station {

/// What the table believes.
struct Senses {
  bool camera = true;
  bool switches = false;
  bool keys = false;
};
/// "camera,switches,keys", or some of them.
[[nodiscard]] Result<Senses> parse_senses(std::string_view text);

struct StationConfig {
  cell::CellLayout layout;
  /// sim: the twin. none: people move for the robot. Else a wire with its address, as
  /// serial:/dev/ttyUSB0; with the address sim, the real driver on a simulated wire to the twin.
  std::string driver = "sim";
  std::string driver_config;  ///< file about the arm on a serial line; may be empty
  Senses senses;
  /// sim: the twin's. none. Else a device, a film or a folder of images.
  std::string camera = "sim";
  std::string eyes;                           ///< file about a real camera; may be empty
  std::optional<drivers::PanelWiring> panel;  ///< real switches; without, they are the twin's
  std::string agent;                          ///< who plays; empty: nobody said
  std::uint64_t seed = 1;

  // Of the twin.
  sim::ServoModel servo;
  /// Simulated seconds per second; as fast as it goes without.
  std::optional<double> speed;
  /// Holds what is in the board, so that the simulated board outlives the program as a real one
  /// would. Nothing is kept without.
  std::string world_file;

  [[nodiscard]] bool simulated_arm() const;
  /// Nothing of it is real but the drivers on simulated wires: people have to be simulated too.
  [[nodiscard]] bool simulated() const;
};

/// As people said it; what is empty was not said. What the hardware file says counts then.
struct StationOptions {
  std::string driver;  ///< as in StationConfig, or servo, serial, rosbridge with a file's address
  std::string config;  ///< the hardware file
  std::string robot;
  std::string layout;  ///< file
  std::string senses;
  std::string camera;
  std::string agent;
};
/// A driver of the options that is simulated takes camera and switches into the twin, unless the
/// options name a camera; one of the hardware file leaves them as the file has them.
[[nodiscard]] Result<StationConfig> configure(const StationOptions& options);

/// A name in a file, seen from where the file is.
[[nodiscard]] std::string beside(const std::string& file, const std::string& name);

}  // namespace rowbot::station
