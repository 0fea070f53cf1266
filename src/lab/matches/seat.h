// Where one game is being played, seen from two sides: the thread that plays it, and the one that
// watches the clock and may end it.
// Thread safety: all functions from any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>

#include "base/stop.h"
#include "game/game.h"
#include "lab/matches/match_spec.h"

namespace rowbot::lab {

class Seat {
 public:
  using Clock = std::chrono::steady_clock;

  // For the thread that plays.
  /// Takes a new game; the token ends its thinking.
  [[nodiscard]] StopToken begin_game(PlayedGame unplayed);
  /// The game and the thinking so far.
  void begin_move(const game::Game& game, const Thinking& thinking, Clock::time_point deadline);
  /// False when the game is no longer this thread's: interrupted, or judged in its absence.
  [[nodiscard]] bool end_move();

  // For the thread that watches.
  /// Stops the thinking; the game is dropped without a result.
  void interrupt();
  /// After the deadline: asks the agent to stop. After the grace as well: takes the game away and
  /// gives it back as lost by the side that did not answer; its thread is to be given up.
  [[nodiscard]] std::optional<PlayedGame> check(Clock::time_point now, Clock::duration grace);

 private:
  std::mutex mutex_;  // guards everything below
  PlayedGame unplayed_;
  game::Game game_;
  Thinking thinking_{};
  StopSource stop_;
  std::optional<Clock::time_point> deadline_;  // set while an agent thinks
  bool taken_away_ = false;
};

}  // namespace rowbot::lab
