// Plays single games of a match with a pair of agents of its own.
// Thread safety: one thread at a time; the seat is how others reach into it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>

#include "base/resources.h"
#include "base/result.h"
#include "engine/agents/agent.h"
#include "lab/matches/match_spec.h"
#include "lab/matches/seat.h"

namespace rowbot::lab {

class GamePlayer {
 public:
  [[nodiscard]] static Result<GamePlayer> make(const MatchSpec& spec, const Resources& resources);

  /// Blocks until the game is over. An agent that fails, throws, plays an illegal move or exceeds
  /// the move limit loses, and the note says why. Nothing if the game was taken away.
  [[nodiscard]] std::optional<PlayedGame> play(std::uint64_t number, Seat& seat);

 private:
  GamePlayer(MatchSpec spec, std::array<std::unique_ptr<agents::Agent>, 2> agents)
      : spec_(std::move(spec)), agents_(std::move(agents)) {}
  /// Asks for a move and catches whatever happens.
  [[nodiscard]] Result<game::Column> ask(Role role, const game::Position& position, StopToken stop);

  MatchSpec spec_;
  std::array<std::unique_ptr<agents::Agent>, 2> agents_;  // A, B
};

}  // namespace rowbot::lab
