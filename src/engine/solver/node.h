// A position as the search sees it, and the shifts the search needs without a branch.
// Thread safety: plain values and pure functions.
#pragma once

#ifdef __AVX2__
#include <immintrin.h>
#endif

#include <cstdint>

#include "engine/solver/table.h"
#include "game/bits.h"

namespace rowbot::solver {

using game::Bits;

/// The rows the literature calls odd (1, 3, 5, counted from 1) and even. The second player gets
/// the even squares when everybody fills column after column.
inline constexpr Bits kOddSquares = game::row_mask(0) | game::row_mask(2) | game::row_mask(4);
inline constexpr Bits kEvenSquares = game::row_mask(1) | game::row_mask(3) | game::row_mask(5);

#ifdef __AVX2__
// The four directions of a line at once: a quarter fewer instructions for a node.
using Lanes = std::uint64_t __attribute__((vector_size(32)));
inline constexpr Lanes kSteps = {1, 6, 7, 8};
#endif

/// Squares that complete a line of `discs`; also filled ones and ones off the board.
ROWBOT_SOLVER_INLINE Bits completing(Bits discs) {
#ifdef __AVX2__
  const Lanes all = Lanes{} + discs;
  const Lanes before = all << kSteps;
  const Lanes after = all >> kSteps;
  const Lanes found = (before & (all << (2 * kSteps)) & ((all << (3 * kSteps)) | after)) |
                      (after & (all >> (2 * kSteps)) & (before | (all >> (3 * kSteps))));
  return found[0] | found[1] | found[2] | found[3];
#else
  return game::completing(discs);
#endif
}

/// Whether `squares` hold a line of four; unlike game::has_four without a branch.
ROWBOT_SOLVER_INLINE bool any_four(Bits squares) {
#ifdef __AVX2__
  const Lanes all = Lanes{} + squares;
  const Lanes pairs = all & (all >> kSteps);
  const Lanes fours = pairs & (pairs >> (2 * kSteps));
  return _mm256_testz_si256(reinterpret_cast<const __m256i&>(fours),
                            reinterpret_cast<const __m256i&>(fours)) == 0;
#else
  const auto along = [squares](int step) {
    const Bits pairs = squares & (squares >> step);
    return pairs & (pairs >> (2 * step));
  };
  return (along(1) | along(6) | along(7) | along(8)) != 0;
#endif
}

/// A position in the search. A move changes the completing squares of its maker only, so both
/// sides' are carried along and one of them is renewed for each move.
struct Node {
  Bits mover;             // discs of the side to move
  Bits filled;            // discs of both
  Bits mover_threats;     // completing(mover), filled squares included
  Bits opponent_threats;  // the same of the opponent
  int discs;

  [[nodiscard]] ROWBOT_SOLVER_INLINE Bits opponent() const { return mover ^ filled; }
  [[nodiscard]] ROWBOT_SOLVER_INLINE Bits empty() const { return game::kBoard & ~filled; }
  [[nodiscard]] ROWBOT_SOLVER_INLINE Bits playable() const {
    return game::playable_squares(filled);
  }
  [[nodiscard]] ROWBOT_SOLVER_INLINE Node after(Bits move) const {
    return {.mover = mover ^ filled,
            .filled = filled | move,
            .mover_threats = opponent_threats,
            .opponent_threats = completing(mover | move),
            .discs = discs + 1};
  }
};

}  // namespace rowbot::solver
