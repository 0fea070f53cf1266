// The robot's table with its parts on wires: arm, camera, switches and keys as a configuration
// names them, in real time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "game/outcome.h"

namespace rowbot::app {

struct WiredTable {
  std::string driver;  // servo, serial or rosbridge; with an address, or as the configuration says
  std::string config;
  std::string robot;  // as the driver says, when empty
  std::string layout;
  std::string senses;
  std::string agent;
  std::string log;
  game::Side human = game::Side::kFirst;
  std::optional<std::uint64_t> games;  // for ever without
  std::uint64_t seed = 1;
};

/// Until the games are played, somebody quits, or the service is stopped.
void run_table_on_wires(const WiredTable& wanted);

}  // namespace rowbot::app
