// What the switches at a table ask it to do.
// Thread safety: pure function.
#pragma once

#include <optional>

#include "robot/cell/panel.h"
#include "robot/table/robot_table.h"

namespace rowbot::table {

/// None for a switch that is only reported. The rocker of Carlo 2020 gives the arm 100, 1000 or
/// 5000 ms to think.
[[nodiscard]] std::optional<Command> panel_command(const cell::PanelEvent& event);

}  // namespace rowbot::table
