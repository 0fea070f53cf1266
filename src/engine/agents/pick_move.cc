#include "engine/agents/pick_move.h"

#include <algorithm>
#include <cassert>

namespace rowbot::agents {

using game::Bits;
using game::Column;
using game::Position;

Column pick_any(Bits squares, Rng& rng) {
  assert(squares != 0);
  std::uint32_t skip = rng.below(static_cast<std::uint32_t>(game::count(squares)));
  while (skip-- > 0) squares &= squares - 1;
  return Column(game::lowest_column(squares));
}

Column pick_natural(Bits squares, Rng& rng) {
  const auto weight = [squares](Column c) {
    const int from_edge = std::min(c.index(), game::kColumns - 1 - c.index());
    return (squares & game::column_mask(c.index())) != 0 ? 1 + from_edge : 0;
  };
  int sum = 0;
  for (const Column c : game::kAllColumns) sum += weight(c);
  int draw = static_cast<int>(rng.below(static_cast<std::uint32_t>(sum)));
  for (const Column c : game::kAllColumns) {
    if (draw < weight(c)) return c;
    draw -= weight(c);
  }
  return Column(game::lowest_column(squares));  // not reached: the draw is below the sum
}

Bits obvious_moves(const Position& position) {
  if (const Bits wins = position.winning_moves(); wins != 0) return wins;
  return position.opponent_threats() & position.legal_moves();
}

}  // namespace rowbot::agents
