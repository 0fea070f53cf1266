// The subcommands of rowbot arm that need the cell and its physics.
#pragma once

#include "CLI/App.hpp"

namespace rowbot::app {

void add_arm_twin_commands(CLI::App* arm_command);

}  // namespace rowbot::app
