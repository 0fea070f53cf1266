// The board as a session meets it: somebody drops discs, somebody looks. At the robot's table that
// is an arm and a camera; on the website nobody is there and the board echoes what it was told.
#pragma once

#include "game/column.h"
#include "game/position.h"

namespace rowbot::table {

/// Thread safety: one thread at a time.
class Board {
 public:
  Board() = default;
  Board(const Board&) = delete;
  Board& operator=(const Board&) = delete;
  Board(Board&&) = delete;
  Board& operator=(Board&&) = delete;
  virtual ~Board() = default;

  /// Drops a disc of the side to move.
  virtual void drop(game::Column column) = 0;
  /// Makes the board show this position: a new game, or moves taken back.
  virtual void set(const game::Position& position) = 0;
  [[nodiscard]] virtual game::Position look() const = 0;
};

/// No arm and no camera: what was dropped is what is seen.
class EchoBoard final : public Board {
 public:
  void drop(game::Column column) override {
    if (shown_.can_play(column)) shown_ = shown_.after(column);
  }
  void set(const game::Position& position) override { shown_ = position; }
  [[nodiscard]] game::Position look() const override { return shown_; }

 private:
  game::Position shown_;
};

}  // namespace rowbot::table
