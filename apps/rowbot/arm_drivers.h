// The subcommands of rowbot arm about the wires to real arms.
#pragma once

#include "CLI/App.hpp"

namespace rowbot::app {

void add_arm_pwm_command(CLI::App* arm_command);
void add_arm_faults_command(CLI::App* arm_command);

}  // namespace rowbot::app
