// The evaluation of Dublin 2020 and Panda 2020: every window of four squares in a
// line is scored by its content, and the centre column counts extra.
//
//   own 4: +100    own 3, 1 empty: +5    own 2, 2 empty: +2    opponent 3, 1 empty: -4
//   each own disc in the centre column: +3
//
// It is not antisymmetric: what is good for one side is not as bad for the other.
// Thread safety: pure functions.
#pragma once

#include "game/bits.h"

namespace rowbot::agents::lookahead {

/// Seen by the owner of `own`. All windows of a direction are counted at once: bit i of each word
/// below tells about the window that begins at square i.
[[nodiscard]] int window_score(game::Bits own, game::Bits opponent);

}  // namespace rowbot::agents::lookahead
