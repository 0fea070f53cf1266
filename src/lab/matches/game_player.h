// Plays single games of a match with a pair of agents of its own.
// Thread safety: one thread at a time; the seat is how others reach into it.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "engine/agents/agent.h"
#include "lab/matches/match_spec.h"
#include "lab/matches/seat.h"

namespace rowbot::lab {

/// roster::make_agent, or a test's own.
using AgentMaker = std::function<Result<std::unique_ptr<agents::Agent>>(std::string_view)>;

/// How long the agent of this text may think about a move of a match. A text that names
/// simulations and no time means just these: a default time limit would make the games depend on
/// how busy the machine is.
[[nodiscard]] agents::Budget budget_in_match(const agents::Agent& agent, std::string_view text);

class GamePlayer {
 public:
  [[nodiscard]] static Result<GamePlayer> make(const MatchSpec& spec, const AgentMaker& maker);

  /// Blocks until the game is over. An agent that fails, throws, plays an illegal move or exceeds
  /// the move limit loses, and the note says why. Nothing if the game was taken away.
  [[nodiscard]] std::optional<PlayedGame> play(std::uint64_t number, Seat& seat);

 private:
  GamePlayer(MatchSpec spec, std::array<std::unique_ptr<agents::Agent>, 2> agents,
             const std::array<agents::Budget, 2>& budgets)
      : spec_(std::move(spec)), agents_(std::move(agents)), budgets_(budgets) {}
  /// Asks for a move and catches whatever happens.
  [[nodiscard]] Result<game::Column> ask(Role role, const game::Position& position, StopToken stop);

  MatchSpec spec_;
  std::array<std::unique_ptr<agents::Agent>, 2> agents_;  // A, B
  std::array<agents::Budget, 2> budgets_;
};

}  // namespace rowbot::lab
