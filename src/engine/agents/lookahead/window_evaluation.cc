#include "engine/agents/lookahead/window_evaluation.h"

namespace rowbot::agents::lookahead {
namespace {

using game::Bits;

/// Windows by how many of their four squares are in a set.
struct Counts {
  Bits none;
  Bits two;
  Bits three;
  Bits four;
};

/// Two half adders: a and b count the first two squares, c and d the last two.
Counts count_windows(Bits discs, int step) {
  const Bits first = discs;
  const Bits second = discs >> step;
  const Bits third = discs >> (2 * step);
  const Bits fourth = discs >> (3 * step);
  const Bits a_both = first & second;
  const Bits a_one = first ^ second;
  const Bits b_both = third & fourth;
  const Bits b_one = third ^ fourth;
  const Bits a_none = ~(first | second);
  const Bits b_none = ~(third | fourth);
  return {.none = a_none & b_none,
          .two = (a_both & b_none) | (a_none & b_both) | (a_one & b_one),
          .three = (a_both & b_one) | (a_one & b_both),
          .four = a_both & b_both};
}

/// The squares where a window that lies on the board begins.
constexpr Bits window_starts(int step) {
  return game::kBoard & (game::kBoard >> step) & (game::kBoard >> (2 * step)) &
         (game::kBoard >> (3 * step));
}

}  // namespace

int window_score(Bits own, Bits opponent) {
  int score = 3 * game::count(own & game::column_mask(game::kColumns / 2));
  for (const int step : game::kDirections) {
    const Bits starts = window_starts(step);
    const Counts mine = count_windows(own, step);
    const Counts theirs = count_windows(opponent, step);
    score += 100 * game::count(mine.four & starts);
    score += 5 * game::count(mine.three & theirs.none & starts);
    score += 2 * game::count(mine.two & theirs.none & starts);
    score -= 4 * game::count(theirs.three & mine.none & starts);
  }
  return score;
}

}  // namespace rowbot::agents::lookahead
