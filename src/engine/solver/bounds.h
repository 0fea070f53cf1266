// What a position can be worth at most, told from threats and parity without any search.
//
// All bounds come from one idea, following (Allis 1988 calls its plainest form Claimeven): the
// opponent answers each move of the mover in the same column, one square higher. Where the number
// of empty squares of a column is odd, the bottom one is left over; left-over squares are answered
// by each other in pairs (Baseinverse). The side that follows needs nothing else, and we know
// which squares the mover can ever get:
//
//     5  f          f: for the follower, m: for the mover
//     4  m          l: left over, one of a pair
//     3  f  f
//     2  m  m  f    If the mover's discs with all its m and l make no line of four, following
//     1  f  f  l    stops every win. If the follower has a threat on an f, it even wins, at the
//     0  m  m  x    latest when all other columns are full.
//
// The first player is the mover when an even number of squares is empty. Then the left-over
// squares come in pairs by themselves. When the second player is to move, one is too many; but an
// odd threat of the first player ends its column early and takes one square out of the count.
// Without one the first player can still follow for a while, until the square too many is played:
// that does not stop a win, but it stops a quick one.
//
// Thread safety: pure functions.
#pragma once

#include <array>
#include <bit>

#include "engine/solver/node.h"
#include "engine/solver/score.h"

namespace rowbot::solver {

/// No bound: larger than any score.
inline constexpr int kUnbounded = 99;
/// No bound below is less than this, so windows below it need not ask: even threats low in all
/// columns but one.
inline constexpr int kLeastStaticBound = -18;
/// The same when only one column has a threat.
inline constexpr int kLeastOfOneThreat = -3;

/// Whether the mover can make four from `squares`, of which it gets only one of each pair of the
/// `left_over`, the opponent choosing the pairs. May say yes wrongly, never no.
ROWBOT_SOLVER_INLINE bool four_despite_pairs(Bits squares, Bits left_over) {
  if (!any_four(squares)) return false;
  const int left = std::popcount(left_over);
  if (left != 2 && left != 4) return left == 0 || left > 4;
  const Bits a = left_over & (0 - left_over);
  Bits rest = left_over ^ a;
  const Bits b = rest & (0 - rest);
  rest ^= b;
  if (left == 2) return any_four(squares & ~a) || any_four(squares & ~b);
  if (any_four(squares & ~left_over)) return true;
  const Bits c = rest & (0 - rest);
  const Bits d = rest ^ c;
  const auto stopped_by = [squares](Bits p, Bits q, Bits r, Bits s) {
    return !any_four(squares & ~(p | r)) && !any_four(squares & ~(p | s)) &&
           !any_four(squares & ~(q | r)) && !any_four(squares & ~(q | s));
  };
  return !stopped_by(a, b, c, d) && !stopped_by(a, c, b, d) && !stopped_by(a, d, b, c);
}

/// The mover's score at best when the opponent is sure to complete `threat` sooner or later: the
/// mover fills everything else first, and what lies above the threat stays empty.
ROWBOT_SOLVER_INLINE int latest_loss(Bits threat) {
  if ((threat & game::row_mask(1)) != 0) return kLeastOfOneThreat;
  if ((threat & (game::row_mask(2) | game::row_mask(3))) != 0) return -2;
  return -1;
}

/// All squares above one of `squares`, which stand on rows 1 and 3 or higher, odd rows.
ROWBOT_SOLVER_INLINE Bits above_even(Bits squares) {
  return (squares & game::row_mask(1)) * 0b11110 | (squares & game::row_mask(3)) * 0b110;
}

/// The same for even threats in any number of columns: the mover has to keep out of all of them
/// and goes into one when everything else is full, from the square below each lowest threat up.
ROWBOT_SOLVER_INLINE int latest_loss_by_even(Bits threats) {
  const Bits lowest = threats & ~above_even(threats);
  const int kept_empty = 6 * std::popcount(lowest & game::row_mask(1)) +
                         4 * std::popcount(lowest & game::row_mask(3)) +
                         2 * std::popcount(lowest & game::row_mask(5));
  return -win_now(game::kCells - kept_empty + 1);
}

/// Whether all `squares` are in one column; requires at least one.
ROWBOT_SOLVER_INLINE bool in_one_column(Bits squares) {
  return (squares & ~game::column_mask(std::countr_zero(squares) / game::kColumnBits)) == 0;
}

/// The first player is to move and the second follows.
ROWBOT_SOLVER_INLINE int bound_by_claim_even(const Node& node, int alpha) {
  const Bits empty = node.empty();
  const Bits left_over = node.playable() & kEvenSquares;
  const Bits followers = empty & kEvenSquares & ~left_over;
  const Bits threats = node.opponent_threats & followers;
  if (alpha < -1 && threats == 0) return kUnbounded;  // see below: at best -1
  if (alpha < kLeastOfOneThreat && in_one_column(threats)) return kUnbounded;
  // A threat that is sure to come ends the game: nobody gets what lies above it.
  const Bits movers = (node.mover | (empty & kOddSquares) | left_over) & ~above_even(threats);
  if (four_despite_pairs(movers, left_over)) return kUnbounded;
  if (threats != 0) return latest_loss_by_even(threats);
  return any_four(node.opponent() | followers) ? -1 : 0;
}

/// The second player is to move; the first has an odd threat and follows everywhere.
ROWBOT_SOLVER_INLINE int bound_by_odd_threat(const Node& node) {
  const Bits empty = node.empty();
  const Bits playable = node.playable();
  Bits threats = node.opponent_threats & empty & kOddSquares & ~playable;
  while (threats != 0) {
    const Bits threat = threats & (0 - threats);  // the lowest of its column
    const Bits column = game::column_mask(std::countr_zero(threat) / game::kColumnBits);
    threats &= ~column;
    const Bits left_over = (playable & kEvenSquares & ~column) | (playable & kOddSquares & column);
    const Bits movers = node.mover | (empty & kEvenSquares & column & (threat - 1)) |
                        (empty & kOddSquares & ~column) | left_over;
    if (!four_despite_pairs(movers, left_over)) return latest_loss(threat);
  }
  return kUnbounded;
}

/// The second player is to move. Does it win too late to score more than alpha?
///
/// The first player follows, answers left-over squares by each other, and when those are used up,
/// opens a column itself: from then on the second gets the other squares of that column. We grant
/// the second all left-over squares and everything in the opened columns. It needs more when the
/// left-over squares and the opened columns are all full, and no move before that has won.
ROWBOT_SOLVER_INLINE bool second_wins_late(const Node& node, int alpha) {
  const Bits empty = node.empty();
  const Bits left_over = node.playable() & kEvenSquares;
  // Nobody gets what lies above a threat of the first player that following completes.
  const Bits threats = node.opponent_threats & empty & kEvenSquares & ~left_over;
  const Bits movers = (node.mover | left_over | (empty & kOddSquares)) & ~above_even(threats);
  if (any_four(movers)) return false;
  // So many squares must be filled before a win, such that it is too late: the win after `filled`
  // more discs and one of the first player scores win_now(discs + filled + 1).
  const int missing =
      game::kCells - 1 - node.discs - 2 * alpha - static_cast<int>(std::popcount(left_over));
  if (missing <= 0) return true;
  std::array<Bits, game::kColumns> opened;  // columns that may be opened, one at a time
  int count = 0;
  for (int c = 0; c < game::kColumns; ++c) {
    const Bits column = empty & ~left_over & game::column_mask(c);
    if (column == 0 || any_four(movers | column)) continue;
    if (std::popcount(column) >= missing) return true;
    opened[static_cast<std::size_t>(count++)] = column;
  }
  for (int i = 1; i < count; ++i) {
    for (int j = 0; j < i; ++j) {
      const Bits both = opened[static_cast<std::size_t>(i)] | opened[static_cast<std::size_t>(j)];
      if (std::popcount(both) >= missing && !any_four(movers | both)) return true;
    }
  }
  return false;
}

/// The second player is to move: does any order of moves leave it a line? The first player can
/// follow in one column with an odd number of empty squares and so keep its odd squares; of
/// everything else we assume that the mover gets it.
ROWBOT_SOLVER_INLINE bool second_cannot_win(const Node& node) {
  const Bits empty = node.empty();
  const Bits all = node.mover | empty;
  if (!any_four(all)) return true;
  for (Bits odd = node.playable() & kEvenSquares; odd != 0; odd &= odd - 1) {
    const Bits column = game::column_mask(std::countr_zero(odd) / game::kColumnBits);
    if (!any_four(all & ~(column & kOddSquares & empty))) return true;
  }
  return false;
}

/// An upper bound of the mover's score, or kUnbounded. Looks only for bounds that do not exceed
/// alpha. Requires that neither side can win with its next move.
ROWBOT_SOLVER_INLINE int static_upper_bound(const Node& node, int alpha) {
  if (alpha < kLeastStaticBound) return kUnbounded;
  if (node.discs % 2 == 0) {
    const int bound = bound_by_claim_even(node, alpha);
    if (bound <= alpha) return bound;
    return alpha >= 0 && !any_four(node.mover | node.empty()) ? 0 : kUnbounded;
  }
  if (alpha < kLeastOfOneThreat) return kUnbounded;
  const int bound = bound_by_odd_threat(node);
  if (bound <= alpha) return bound;
  if (alpha >= 0 && second_cannot_win(node)) return 0;
  return alpha >= 1 && second_wins_late(node, alpha) ? alpha : kUnbounded;
}

}  // namespace rowbot::solver
