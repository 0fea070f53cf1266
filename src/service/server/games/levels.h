// The opponents a visitor can choose, and the agents a watcher may let play.
// Thread safety: constant data and pure functions.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "base/result.h"
#include "engine/roster/levels.h"
#include "service/server/games/search_pool.h"

namespace rowbot::server {

/// Null if visitors have no such level to choose.
[[nodiscard]] const roster::Level* visitor_level(std::string_view name);

/// How to think for a seat.
struct Thinker {
  roster::AgentSpec agent;
  std::chrono::milliseconds minimum{0};
  Lane lane = Lane::kBackground;
};

/// From a level's name, or from an agent's text if strangers may use it: known options only, and
/// limits that a public server can bear. Says what is wrong otherwise.
[[nodiscard]] Result<Thinker> thinker_of(std::string_view text);

/// The same for a text that thinker_of() has accepted before, perhaps in an older version: forward
/// checking takes the place of an agent that is no more.
[[nodiscard]] Thinker known_thinker(std::string_view text);

/// What people read: the level's title or the text itself.
[[nodiscard]] std::string player_name(std::string_view text);

}  // namespace rowbot::server
