// What a match is: who, how many games, and everything a game's course depends on. Game `number`
// of a match is a pure function of the specification and the number, so it does not matter who
// plays it, where, or in which order.
// Thread safety: plain values and pure functions.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/roster/agent_spec.h"
#include "game/column.h"
#include "game/game.h"
#include "game/game_record.h"
#include "game/outcome.h"

namespace rowbot::lab {

enum class Role : std::uint8_t { kA, kB };

/// Who moves first.
enum class Colours : std::uint8_t {
  kSwapped,  ///< A in games 0, 2, 4, ..., B in the others
  kAFirst,
  kBFirst,
};

/// "swapped", "a" or "b".
[[nodiscard]] std::string_view colours_text(Colours colours);

struct MatchSpec {
  roster::AgentSpec a;
  roster::AgentSpec b;
  std::uint64_t games = 100;
  std::uint64_t seed = 1;
  /// Random moves before the agents take over, the same in games 2k and 2k+1. Swapped colours make
  /// each pair fair, whatever the opening is worth.
  int opening_plies = 0;
  Colours colours = Colours::kSwapped;
  /// A move that takes longer loses the game. Far beyond any agent's own limit.
  std::chrono::milliseconds move_limit{60'000};
  /// The experiment the match belongs to; its games are kept apart from others'.
  std::string group;
};

/// Everything on which the course of a game depends, as a line of text. The number of games is not
/// part of it: a longer match goes on where a shorter one ended.
[[nodiscard]] std::string match_key(const MatchSpec& spec);

/// The same for agents whose texts were typed otherwise: how older versions stored it.
[[nodiscard]] std::string match_key(const MatchSpec& spec, std::string_view a, std::string_view b);

/// Refuses no games, and openings that are too long.
[[nodiscard]] Result<void> check_match(const MatchSpec& spec);

[[nodiscard]] game::Side side_of(Role role, const MatchSpec& spec, std::uint64_t number);

/// For Agent::start_game. A seed in the agent's own text is mixed in.
[[nodiscard]] std::uint64_t agent_seed(const MatchSpec& spec, std::uint64_t number, Role role);

/// The moves before the agents take over: random, but nobody has won and nobody can at once.
[[nodiscard]] std::vector<game::Column> opening_moves(const MatchSpec& spec, std::uint64_t number);

/// Of the first and the second player, all moves together.
using Thinking = std::array<std::chrono::microseconds, 2>;

/// A game of a match by its number.
using PlayedGame = game::NumberedGame;

/// Before the agents take over: who they are, their seeds, the opening's moves.
[[nodiscard]] PlayedGame unplayed_game(const MatchSpec& spec, std::uint64_t number);

/// The same when it is over.
[[nodiscard]] PlayedGame played_game(PlayedGame unplayed, const game::Game& game,
                                     const Thinking& thinking, std::string note);

/// Half points of A: 0, 1 or 2; requires a finished game.
[[nodiscard]] int half_points_of_a(const PlayedGame& game, const MatchSpec& spec);

}  // namespace rowbot::lab
