// The simulated board: which pieces are in it, and what people do to it.
// Thread safety: none; as PhysicsState.
#pragma once

#include <array>
#include <optional>

#include "game/column.h"
#include "robot/sim/pieces.h"

namespace rowbot::sim {

/// What is really in the board, column by column from the bottom.
using BoardTruth = std::array<std::array<std::optional<Side>, kRows>, kColumns>;

class Board {
 public:
  struct Cell {
    int column = 0;
    int row = 0;
  };

  Board(PhysicsState& state, Pieces& pieces) : state_(state), pieces_(pieces) {}

  /// The cell that a piece is in.
  [[nodiscard]] std::optional<Cell> cell_of(std::size_t piece) const;
  [[nodiscard]] BoardTruth truth() const;
  [[nodiscard]] int count() const;
  /// Where a moving piece touches the switch in the mouth of a column.
  [[nodiscard]] std::array<bool, kColumns> touched_mouths() const;

  /// Puts a piece at rest into a cell; false when none is left in the store.
  bool put(const Cell& cell, Side side);
  void clear();
  /// Lets go of one of the human's pieces above a column; `offset_m` is along board, across it and
  /// up. False when none is left.
  bool release_human_piece(game::Column column, const Eigen::Vector3d& offset_m);
  /// A person takes the topmost piece out of a column; false when there is none.
  bool take_top(game::Column column);
  /// A piece stuck in the mouth of a column.
  void jam(game::Column column);

  void open_gate(bool open);
  [[nodiscard]] bool gate_open() const { return gate_open_; }
  /// The pieces in it go along.
  void move(const Eigen::Vector2d& by_m, double turned_rad);
  /// To where the cell was built.
  void move_back() { move_to(state_.scene().layout); }

 private:
  void move_to(const cell::CellLayout& there);
  /// Heights in the board's frame.
  [[nodiscard]] double floor_m() const;
  [[nodiscard]] arm::Pose upright_in(const Cell& cell) const;

  PhysicsState& state_;
  Pieces& pieces_;
  bool gate_open_ = false;
};

}  // namespace rowbot::sim
