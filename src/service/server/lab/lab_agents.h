// Who may play in the laboratory: a list to choose from, and the limits for everything else.
// Thread safety: constant data and pure functions.
#pragma once

#include <span>
#include <string_view>

#include "base/result.h"
#include "engine/roster/agent_spec.h"

namespace rowbot::server {

struct LabAgent {
  std::string_view text;  ///< for the roster
  std::string_view title;
  std::string_view help;
};

/// From the weakest to the strongest, roughly.
[[nodiscard]] std::span<const LabAgent> lab_agents();

/// What a visitor wrote: an agent's text or a level's name. Refuses files,
/// threads, and whoever may think longer than 100 ms, 20,000 simulations or 6 plies a move.
[[nodiscard]] Result<roster::AgentSpec> lab_agent(std::string_view text);

}  // namespace rowbot::server
