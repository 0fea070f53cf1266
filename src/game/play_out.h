// The driver of games whose sides are asked in turn: matches, training, the terminal, the parent of
// Rhodes 1993. (Games that wait for events, on the website and at the robot's table, call
// Game::play() when something happens.)
// Thread safety: the caller's.
#pragma once

#include <optional>

#include "game/game.h"

namespace rowbot::game {

/// Asks the side whose turn it is for a column and plays it, until the game is over or there is no
/// answer: the side has ended the game, left, or the caller has something else to do first. A
/// column that cannot be played loses the game (EndReason::kFailed).
///
///   ask      (Side, const Position&) -> std::optional<Column>; may end the game
///   played   (Side) -> void; after each move
template <class Ask, class Played>
void play_out(Game& game, Ask&& ask, Played&& played) {
  while (const std::optional<Side> side = game.turn()) {
    const std::optional<Column> column = ask(*side, game.position());
    if (!column) return;
    if (game.play(*column) != Verdict::kFine) {
      game.fail(*side);
      return;
    }
    played(*side);
  }
}

template <class Ask>
void play_out(Game& game, Ask&& ask) {
  play_out(game, ask, [](Side /*side*/) {});
}

}  // namespace rowbot::game
