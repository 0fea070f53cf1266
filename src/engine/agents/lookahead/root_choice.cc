#include "engine/agents/lookahead/root_choice.h"

#include <cassert>
#include <cstdlib>

namespace rowbot::agents::lookahead {

game::Column best_column(const game::Position& position, const std::vector<RootMove>& moves,
                         Ties ties, Rng& rng) {
  assert(!moves.empty());
  const auto less = [](const RootMove& a, const RootMove& b) { return a.value < b.value; };
  const double best = std::max_element(moves.begin(), moves.end(), less)->value;
  std::vector<game::Column> equals;
  for (const RootMove& move : moves) {
    if (move.value == best) equals.push_back(move.column);
  }
  const game::Bits blocks = position.opponent_threats() & position.legal_moves();
  std::vector<game::Column> blocking;
  for (const game::Column c : equals) {
    if ((blocks & game::column_mask(c.index())) != 0) blocking.push_back(c);
  }
  if (!blocking.empty()) equals = blocking;
  switch (ties) {
    case Ties::kLeft:
      break;
    case Ties::kCentre: {
      const auto nearer = [](game::Column a, game::Column b) {
        return std::abs(a.index() - 3) < std::abs(b.index() - 3);
      };
      return *std::min_element(equals.begin(), equals.end(), nearer);
    }
    case Ties::kRandom:
      return equals[rng.below(static_cast<std::uint32_t>(equals.size()))];
  }
  return equals.front();
}

}  // namespace rowbot::agents::lookahead
