// The opponents a visitor can choose, and the agents a watcher may let play.
// Thread safety: constant data and pure functions.
#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "service/server/games/search_pool.h"

namespace rowbot::server {

/// The rule of Carlo 2020 is "at least this time AND at least this many simulations". Here the
/// search makes the simulations and the answer then waits for the time: the strength of the paper's
/// machine on any machine, and no processor burnt for the wait.
struct PlayLevel {
  std::string_view name;
  std::string_view title;
  std::string_view help;
  std::chrono::milliseconds minimum;
  std::string_view agent;  ///< for the roster
  Lane lane;
};

/// From the easiest to the hardest.
[[nodiscard]] std::span<const PlayLevel> play_levels();
[[nodiscard]] const PlayLevel* find_level(std::string_view name);

/// How to think for a seat.
struct Thinker {
  std::string agent;
  std::chrono::milliseconds minimum{0};
  Lane lane = Lane::kBackground;
};

/// From a level's name, or from an agent's text if strangers may use it: known options only, and
/// limits that a public server can bear. Says what is wrong otherwise.
[[nodiscard]] Result<Thinker> thinker_of(std::string_view text);

/// The same for a text that thinker_of() has accepted before; makes no agent to find out.
[[nodiscard]] Thinker known_thinker(std::string_view text);

/// What people read: the level's title or the text itself.
[[nodiscard]] std::string player_name(std::string_view text);

}  // namespace rowbot::server
