// What lies in the simulated board, as the text of the file of `rowbot table --world`.
// Thread safety: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "robot/sim/world.h"

namespace rowbot::station {

/// Seven columns from the bottom up, each ended by '/': r robot, h human, . empty.
[[nodiscard]] std::string world_text(const sim::BoardTruth& truth);
/// What world_text gave, with or without an end of the line. A disc may hang above an empty cell,
/// as in a jammed column; anything else is an error.
[[nodiscard]] Result<sim::BoardTruth> parse_world(std::string_view text);

}  // namespace rowbot::station
