// What somebody knows about the moves of a position before the search has looked at it.
// Thread safety: look() may be called by several threads at once.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "engine/agents/mcts/tree.h"
#include "game/bits.h"

namespace rowbot::agents::mcts {

/// A new block begins with these counts instead of zeros, as if its moves had been visited before
/// (Gelly, Silver 2007).
class Prior {
 public:
  struct Counts {
    std::array<std::uint32_t, kMoves> visits{};  ///< 0: nothing is known about the move
    std::array<std::uint32_t, kMoves> points{};  ///< half points of the side that moves
  };

  Prior() = default;
  Prior(const Prior&) = delete;
  Prior& operator=(const Prior&) = delete;
  Prior(Prior&&) = delete;
  Prior& operator=(Prior&&) = delete;
  virtual ~Prior() = default;

  /// Nothing for a position it does not know.
  [[nodiscard]] virtual std::optional<Counts> look(game::Bits mover, game::Bits filled) const = 0;
};

}  // namespace rowbot::agents::mcts
