// What a learner knows about one state, and how a state is named.
// Thread safety: plain values and pure functions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/result.h"
#include "game/position.h"

namespace rowbot::learn {

/// Of the seven actions of a state: Q(s, a), 0 where nothing is known, and how often it was
/// updated.
struct ActionValues {
  std::array<float, game::kColumns> value{};
  std::array<std::uint32_t, game::kColumns> visits{};

  friend bool operator==(const ActionValues&, const ActionValues&) = default;
};

/// Position::key(), or with mirror symmetry the smaller of the keys of both images.
using StateKey = std::uint64_t;

/// A position as an experience knows it.
struct State {
  StateKey key = 0;
  bool mirrored = false;  ///< the key is that of the mirror image

  /// Where the values of a move in this column stand.
  [[nodiscard]] std::size_t action(game::Column column) const {
    return static_cast<std::size_t>((mirrored ? column.mirrored() : column).index());
  }
};

[[nodiscard]] inline State state_of(const game::Position& position, bool symmetric) {
  const StateKey key = position.key();
  if (!symmetric) return {.key = key};
  const StateKey image = position.mirrored().key();
  return image < key ? State{.key = image, .mirrored = true} : State{.key = key};
}

/// The position with this key. Refuses numbers that no position has.
[[nodiscard]] Result<game::Position> position_of(StateKey key);

}  // namespace rowbot::learn
