// A move, and why it was chosen.
// Thread safety: plain values.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "game/column.h"

namespace rowbot::agents {

/// A fact about the rest of the game with best play of both sides, not an estimate.
struct Proven {
  enum class Value : std::uint8_t { kLoss, kDraw, kWin };

  Value value = Value::kDraw;  ///< for the side to move
  int plies = 0;               ///< moves of both sides until the game is over

  friend bool operator==(const Proven&, const Proven&) = default;
};

/// What the agent knows about one of its moves. What it does not know is absent.
struct MoveEvidence {
  game::Column column;
  std::optional<std::uint64_t> visits;
  std::optional<double> value;  ///< expected result for the side to move: -1 lost, 0 even, 1 won
  std::optional<Proven> proven;
};

struct Decision {
  game::Column column;
  std::vector<MoveEvidence> moves;  ///< legal moves from left to right; empty if nothing is known
  std::uint64_t simulations = 0;    ///< playouts made
  std::uint64_t nodes = 0;          ///< positions looked at in a tree
  int depth = 0;                    ///< plies looked ahead
  std::optional<Proven> proven;     ///< of the position as a whole
  std::chrono::nanoseconds elapsed{0};
};

}  // namespace rowbot::agents
