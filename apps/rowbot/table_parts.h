// What a table is made of, as the command line and a configuration say: which arm, which senses,
// simulated or real.
#pragma once

#include <optional>
#include <string>

#include "robot/cell/layout.h"
#include "robot/drivers/panel/wiring.h"
#include "robot/farend/rig.h"

namespace rowbot::app {

/// As said; what is empty was not.
struct TableWish {
  std::string driver;  // sim, none, or servo, serial, rosbridge with or without an address
  std::string config;  // a hardware file
  std::string robot;
  std::string layout;
  std::string senses;
  std::string agent;
};

struct Senses {
  bool camera = false;
  bool switches = false;
  bool keys = false;
};

struct TableParts {
  std::string driver;                   // sim, none, or a wire with its address
  std::optional<farend::RigWire> wire;  // of a simulated one
  cell::CellLayout layout;
  Senses senses;
  std::string agent;   // empty: nobody said
  std::string camera;  // device or film
  std::string eyes;    // file; may be empty
  drivers::PanelWiring panel;

  /// The arm is the twin's, and so are the camera and the switches.
  [[nodiscard]] bool simulated() const { return driver == "sim" || wire.has_value(); }
};

/// Ends the program with a usage error where the wishes do not make a table.
[[nodiscard]] TableParts table_parts(const TableWish& wish);

}  // namespace rowbot::app
