// The UCT choice among the seven moves of a block, all at once.
//
// With points in halves, w / v + c sqrt(ln V / v) is largest where
//   (points + K sqrt(v)) / v,   K = scale c sqrt(ln V),
// is: scale is 2 for rewards from 0 to 1, and 1 for rewards from -1 to 1, which differ from
// points / v by a constant. Computed in single precision with correctly rounded operations only, so
// every machine takes the same way through the tree.
// Thread safety: pure functions over the caller's memory.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "engine/agents/mcts/tree.h"
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace rowbot::agents::mcts {

/// Bit i: column i.
using MoveSet = std::uint32_t;

struct UctChoice {
  MoveSet unvisited;  ///< if not empty, one of these must come first
  MoveSet best;       ///< all moves with the largest value; at least one unless all are unvisited
};

inline constexpr MoveSet kAllMoves = (MoveSet{1} << kMoves) - 1;

#if defined(__SSE2__)

/// Reads eight entries of each array, the eighth being the next array's first.
inline UctChoice uct_choice(const std::uint32_t* visits, const std::uint32_t* points, float k) {
  const auto load = [](const std::uint32_t* from) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
  };
  const __m128i v0 = load(visits);
  const __m128i v1 = load(visits + 4);
  const __m128 n0 = _mm_cvtepi32_ps(v0);
  const __m128 n1 = _mm_cvtepi32_ps(v1);
  const __m128 p0 = _mm_cvtepi32_ps(load(points));
  const __m128 p1 = _mm_cvtepi32_ps(load(points + 4));
  const __m128 kk = _mm_set1_ps(k);
  const __m128 u0 = _mm_div_ps(_mm_add_ps(p0, _mm_mul_ps(kk, _mm_sqrt_ps(n0))), n0);
  const __m128 u1_raw = _mm_div_ps(_mm_add_ps(p1, _mm_mul_ps(kk, _mm_sqrt_ps(n1))), n1);
  const __m128 u1 = _mm_and_ps(u1_raw, _mm_castsi128_ps(_mm_set_epi32(0, -1, -1, -1)));
  const __m128i zero = _mm_setzero_si128();
  const int unvisited = _mm_movemask_ps(_mm_castsi128_ps(_mm_cmpeq_epi32(v0, zero))) |
                        _mm_movemask_ps(_mm_castsi128_ps(_mm_cmpeq_epi32(v1, zero))) << 4;
  __m128 most = _mm_max_ps(u0, u1);
  most = _mm_max_ps(most, _mm_shuffle_ps(most, most, _MM_SHUFFLE(1, 0, 3, 2)));
  most = _mm_max_ps(most, _mm_shuffle_ps(most, most, _MM_SHUFFLE(2, 3, 0, 1)));
  const int best = _mm_movemask_ps(_mm_cmpeq_ps(u0, most)) | _mm_movemask_ps(_mm_cmpeq_ps(u1, most))
                                                                 << 4;
  return {.unvisited = static_cast<MoveSet>(unvisited) & kAllMoves,
          .best = static_cast<MoveSet>(best) & kAllMoves};
}

#else

inline UctChoice uct_choice(const std::uint32_t* visits, const std::uint32_t* points, float k) {
  UctChoice choice{.unvisited = 0, .best = 0};
  float most = -1;
  for (std::size_t i = 0; i < kMoves; ++i) {
    if (visits[i] == 0) {
      choice.unvisited |= MoveSet{1} << i;
      continue;
    }
    const auto n = static_cast<float>(static_cast<std::int32_t>(visits[i]));
    const auto p = static_cast<float>(static_cast<std::int32_t>(points[i]));
    const float u = (p + k * std::sqrt(n)) / n;
    if (u > most) {
      most = u;
      choice.best = 0;
    }
    if (u == most) choice.best |= MoveSet{1} << i;
  }
  return choice;
}

#endif

/// sqrt(ln n) by interpolation in a table: 64 steps an octave, relative error below 1e-5 (exact up
/// to 64).
class SqrtLog {
 public:
  SqrtLog() {
    for (std::size_t i = 0; i < table_.size(); ++i) {
      const auto bits = static_cast<std::uint32_t>((i << kShift) + kOne);
      const auto n = static_cast<double>(std::bit_cast<float>(bits));
      table_.at(i) = static_cast<float>(std::sqrt(std::log(n)));
    }
  }

  /// Requires 1 <= n < 2^31.
  [[nodiscard]] float operator()(std::uint32_t n) const {
    const auto as_float = static_cast<float>(static_cast<std::int32_t>(n));
    const std::uint32_t offset = std::bit_cast<std::uint32_t>(as_float) - kOne;
    const std::size_t i = offset >> kShift;
    const auto part = static_cast<float>(offset & ((1U << kShift) - 1)) * (1.0F / (1U << kShift));
    return table_[i] + part * (table_[i + 1] - table_[i]);
  }

 private:
  static constexpr std::uint32_t kOne = 0x3F800000;  // the bits of 1.0F
  static constexpr int kShift = 17;                  // 23 bits of fraction, 64 steps

  std::array<float, 31 * 64 + 2> table_{};
};

[[nodiscard]] inline const SqrtLog& sqrt_log() {
  static const SqrtLog kTable;
  return kTable;
}

}  // namespace rowbot::agents::mcts
