#include "engine/learn/action_values.h"

#include <bit>
#include <utility>

#include "fmt/core.h"

namespace rowbot::learn {

Result<game::Position> position_of(StateKey key) {
  // In each column the highest one stands above the topmost disc; below it are the mover's discs.
  game::Bits mover = 0;
  game::Bits filled = 0;
  bool possible = key >> (game::kColumns * game::kColumnBits) == 0;
  for (int c = 0; c < game::kColumns; ++c) {
    const int shift = c * game::kColumnBits;
    const std::uint64_t column = (key >> shift) & ((std::uint64_t{1} << game::kColumnBits) - 1);
    if (column == 0) {
      possible = false;
      break;
    }
    const std::uint64_t guard = std::bit_floor(column);
    filled |= (guard - 1) << shift;
    mover |= (column ^ guard) << shift;
  }
  if (!possible) return Error{fmt::format("{} is not the key of a position", key)};
  game::Bits first = mover;
  game::Bits second = mover ^ filled;
  if (game::count(filled) % 2 != 0) std::swap(first, second);
  auto position = game::Position::from_discs(first, second);
  if (!position) {
    return Error{fmt::format("{} is not the key of a position: {}", key, position.error().message)};
  }
  return position;
}

}  // namespace rowbot::learn
