// The driver of games whose sides are asked in turn: matches, training, the terminal, the parent of
// 1993. (Games that wait for events, on the website and at the robot's table, call Game::play().)
// Thread safety: the caller's.
#pragma once

#include <optional>

#include "game/game.h"

namespace rowbot::game {

/// Asks the side whose turn it is for a column and plays it, until the game is over or there is no
/// answer: the side has ended the game itself, left, or the caller has something else to do first.
/// A column that cannot be played loses the game (kFailed).
///
///   first, second   const Position& -> std::optional<Column>
///   played          Side -> void; after each move
template <class First, class Second, class Played>
void play_out(Game& game, First&& first, Second&& second, Played&& played) {
  while (const std::optional<Side> side = game.turn()) {
    const std::optional<Column> column =
        *side == Side::kFirst ? first(game.position()) : second(game.position());
    if (!column) return;
    if (game.play(*column) != Verdict::kFine) {
      game.fail(*side);
      return;
    }
    played(*side);
  }
}

template <class First, class Second>
void play_out(Game& game, First&& first, Second&& second) {
  play_out(game, first, second, [](Side /*side*/) {});
}

}  // namespace rowbot::game
