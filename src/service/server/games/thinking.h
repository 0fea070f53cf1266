// An agent's move within limits a public server can bear.
// Thread safety: as Tools.
#pragma once

#include "base/stop.h"
#include "engine/agents/decision.h"
#include "game/position.h"
#include "service/server/games/search_pool.h"

namespace rowbot::server {

/// Always a legal move, at the latest after a few seconds, whatever the agent's text asks for. When
/// the agent cannot be made, or lacks the memory, any move that does not lose at once. Requires an
/// unfinished game.
[[nodiscard]] agents::Decision decide(Tools& tools, const roster::AgentSpec& agent,
                                      const game::Position& position, StopToken stop);

}  // namespace rowbot::server
