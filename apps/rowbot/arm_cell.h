// What the subcommands of rowbot arm about a whole cell have in common.
#pragma once

#include <cstdint>
#include <string>

#include "CLI/App.hpp"
#include "robot/cell/layout.h"

namespace rowbot::app {

struct CellOptions {
  std::string robot = "panda";
  std::string layout_file;
  bool json = false;
  std::uint64_t seed = 1;
};

void add_cell_options(CLI::App* command, CellOptions& options);
[[nodiscard]] cell::CellLayout layout_of(const CellOptions& options);

void add_arm_twin_commands(CLI::App* arm_command);
void add_arm_trial_commands(CLI::App* arm_command);

}  // namespace rowbot::app
