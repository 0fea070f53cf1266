// Many playouts side by side: one game in each 64-bit lane of a vector. The same source is compiled
// once for every width (kernel_avx2.cc, kernel_avx512.cc, kernel_neon.cc).
//
// On a diet like kernel.h: the files that include this are compiled with special flags, and if they
// shared a function with others, the linker could keep the copy that only some machines can run.
// So everything is in an anonymous namespace.
//
// In here a column has 8 bits, which saves an instruction whenever a column is drawn:
//    bit = column * 8 + row; one step up is a shift by 1, right by 8, diagonally by 9 and 7.
// Thread safety: pure functions; the generator states are the caller's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "engine/agents/playout/kernel.h"
#if defined(__AVX2__) || defined(__BMI2__)
#include <immintrin.h>
#endif

#define ROWBOT_INLINE inline __attribute__((always_inline))

namespace rowbot::agents::playout {
namespace {

using Word = std::uint64_t;

constexpr Word kLaneBottom = 0x01010101010101U;
constexpr Word kLaneBoard = kLaneBottom * 0x3FU;

/// From 7 bits a column to 8.
ROWBOT_INLINE Word widened(Word bits) {
#ifdef __BMI2__
  return _pdep_u64(bits, kLaneBottom * 0x7FU);
#endif
  Word wide = 0;
  for (int c = 0; c < 7; ++c) wide |= (bits & (Word{0x7F} << (7 * c))) << c;
  return wide;
}

template <int kWidth>
struct LaneTypes {
  typedef Word Lane __attribute__((vector_size(8 * kWidth)));  // NOLINT(modernize-use-using)
};

/// All ones where `a` is zero.
template <class V>
ROWBOT_INLINE V zero_mask(V a) {
  return V(a == V{});
}

/// Bit i: lane i of the mask is set.
template <class V>
ROWBOT_INLINE unsigned lane_bits(V mask) {
#ifdef __AVX512DQ__
  if constexpr (sizeof(V) == 64) {
    return _mm512_movepi64_mask(__m512i(mask));
  }
#endif
#ifdef __AVX2__
  if constexpr (sizeof(V) == 32) {
    return static_cast<unsigned>(_mm256_movemask_pd(__m256d(mask)));
  }
#endif
  unsigned bits = 0;
  for (std::size_t i = 0; i < sizeof(V) / sizeof(Word); ++i) {
    bits |= static_cast<unsigned>(mask[i] >> 63) << i;
  }
  return bits;
}

template <class V>
ROWBOT_INLINE V choose(V mask, V if_set, V if_clear) {
  return mask ? if_set : if_clear;
}

/// Not zero where there is a line of four.
template <class V>
ROWBOT_INLINE V fours(V discs) {
  V found{};
  for (const int step : {1, 8, 9, 7}) {
    const V pairs = discs & (discs >> step);
    found |= pairs & (pairs >> (2 * step));
  }
  return found;
}

/// The squares, empty or not, that complete a line of four for `discs`.
template <class V>
ROWBOT_INLINE V completing(V discs) {
  V squares = (discs << 1) & (discs << 2) & (discs << 3);
  for (const int step : {8, 9, 7}) {
    const V before = discs << step;
    const V after = discs >> step;
    const V two_before = before & (discs << (2 * step));
    const V two_after = after & (discs >> (2 * step));
    squares |= (two_before & ((discs << (3 * step)) | after)) |
               (two_after & ((discs >> (3 * step)) | before));
  }
  return squares;
}

/// Columns from a fraction f of 61 bits: the whole part of 7 f is a column, the rest is the next
/// fraction. As 7 is odd this never runs dry, and any 15 columns in a row are as likely as any
/// others but for 7^15 / 2^61 = 2e-6.
template <class V>
ROWBOT_INLINE V draw_bottom(V& seven_f) {
  seven_f = (seven_f << 3) - (seven_f & ((Word{1} << 61) - 1));
  const V one = V{} + 1;
  return one << ((seven_f >> 58) & 56);
}

/// xorshift64 (Marsaglia 2003).
template <class V>
ROWBOT_INLINE V next_state(V state) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

template <class V>
ROWBOT_INLINE V fraction(V state) {
  return (state >> 3) | 1;
}

/// What one step did to each lane, in masks.
template <class V>
struct Step {
  V moved;  // a disc fell; none falls where the drawn column was full
  V won;    // the side to move won; its winning disc counts as moved
  V full;   // the board is full
};

template <class V>
struct UniformGame {
  V mover;
  V filled;

  static ROWBOT_INLINE UniformGame start(V mover, V filled) { return {mover, filled}; }

  ROWBOT_INLINE Step<V> step(V bottom) {
    const V square = (filled + bottom) & ~filled & kLaneBoard;
    const V moved = ~zero_mask(square);
    const V won = ~zero_mask(fours(mover | square));
    mover ^= filled & moved;
    filled |= square;
    return {moved, won, V(filled == V{} + kLaneBoard)};
  }

  ROWBOT_INLINE void replace(V lanes, const UniformGame& with) {
    mover = choose(lanes, with.mover, mover);
    filled = choose(lanes, with.filled, filled);
  }
};

/// The policies that look at threats. Only the threats of the side that has just moved are new, so
/// each step computes one side's.
template <class V, Policy kPolicy>
struct AlertGame {
  V mover;
  V filled;
  V mover_threats;     // where the side to move would win, playable or not
  V opponent_threats;  // where the other side would

  static ROWBOT_INLINE AlertGame start(V mover, V filled) {
    return {mover, filled, completing(mover), completing(mover ^ filled)};
  }

  ROWBOT_INLINE Step<V> step(V bottom) {
    const V playable = (filled + kLaneBottom) & kLaneBoard;
    const V won = ~zero_mask(mover_threats & playable);
    V square = (filled + bottom) & ~filled & kLaneBoard;
    if constexpr (kPolicy == Policy::kCareful) {
      // A drawn square that is not safe counts as a full column, if there is a safe one.
      const V safe = playable & ~((opponent_threats & kLaneBoard) >> 1);
      square &= safe | zero_mask(safe);
    }
    if constexpr (kPolicy != Policy::kWin) {
      const V blocks = opponent_threats & playable;
      square = choose(zero_mask(blocks), square, blocks & (V{} - blocks));
    }
    const V moved = ~zero_mask(square);
    const V new_threats = completing(mover | square);
    mover_threats = choose(moved, opponent_threats, mover_threats);
    opponent_threats = choose(moved, new_threats, opponent_threats);
    mover ^= filled & moved;
    filled |= square;
    return {moved | won, won, V(filled == V{} + kLaneBoard)};
  }

  ROWBOT_INLINE void replace(V lanes, const AlertGame& with) {
    mover = choose(lanes, with.mover, mover);
    filled = choose(lanes, with.filled, filled);
    mover_threats = choose(lanes, with.mover_threats, mover_threats);
    opponent_threats = choose(lanes, with.opponent_threats, opponent_threats);
  }
};

/// Columns between two uses of a stream's generator in a tally.
constexpr int kDrawsPerState = 8;

/// The streams first .. first + 2 kWidth of a tally: two vectors, because the instructions of one
/// fill the waiting times of the other. Each stream plays exactly its quota: to stop at a total
/// would favour short games.
template <class V, class Game>
ROWBOT_INLINE void tally_pair(Word mover, Word filled, Word quota, Word* streams, Tally& tally) {
  constexpr std::size_t kWidth = sizeof(V) / sizeof(Word);
  struct Group {
    Game game;
    V state;
    V seven_f;
    V second;  // all ones where the side that did not start is to move
    V left;    // playouts to go
    V open;    // all ones while there are any
  };
  const Game start = Game::start(V{} + mover, V{} + filled);
  Group groups[2];
  for (std::size_t g = 0; g < 2; ++g) {
    for (std::size_t i = 0; i < kWidth; ++i) groups[g].state[i] = streams[g * kWidth + i];
    groups[g].game = start;
    groups[g].second = V{};
    groups[g].left = V{} + quota;
    groups[g].open = ~zero_mask(groups[g].left);
  }
  V mover_wins{};
  V wins{};
  V plies{};
  // kAllOpen: no lane can reach its quota before the last draw, so nothing need be masked.
  const auto draw_eight = [&]<bool kAllOpen>() __attribute__((always_inline)) {
    for (Group& group : groups) {
      const V next = next_state(group.state);
      group.state = kAllOpen ? next : choose(group.open, next, group.state);
      group.seven_f = fraction(group.state);
    }
    for (int draw = 0; draw < kDrawsPerState; ++draw) {
      for (Group& group : groups) {
        const Step<V> step = group.game.step(draw_bottom(group.seven_f));
        const V open = kAllOpen ? ~V{} : group.open;
        const V won = step.won & open;
        const V done = (step.won | step.full) & open;
        mover_wins -= won & ~group.second;
        wins -= won;
        plies -= step.moved & open;
        group.second = (group.second ^ step.moved) & ~done;
        group.left += done;
        if constexpr (!kAllOpen) group.open = ~zero_mask(group.left);
        group.game.replace(done, start);
      }
    }
    for (Group& group : groups) group.open = ~zero_mask(group.left);
  };
  while (lane_bits(groups[0].open | groups[1].open) != 0) {
    // The highest bit of the difference: fewer playouts to go than draws.
    if (lane_bits((groups[0].left - kDrawsPerState) | (groups[1].left - kDrawsPerState)) == 0) {
      draw_eight.template operator()<true>();
    } else {
      draw_eight.template operator()<false>();
    }
  }
  for (std::size_t i = 0; i < kWidth; ++i) {
    tally.mover_wins += mover_wins[i];
    tally.draws += 2 * quota - wins[i];
    tally.plies += plies[i];
  }
  for (std::size_t g = 0; g < 2; ++g) {
    for (std::size_t i = 0; i < kWidth; ++i) streams[g * kWidth + i] = groups[g].state[i];
  }
}

template <class V, class Game>
ROWBOT_INLINE Tally tally_lanes(Word mover, Word filled, Word quota, Word* streams) {
  constexpr std::size_t kPair = 2 * sizeof(V) / sizeof(Word);
  static_assert(kStreams % kPair == 0);
  Tally tally;
  tally.playouts = quota * kStreams;
  for (std::size_t first = 0; first < kStreams; first += kPair) {
    tally_pair<V, Game>(widened(mover), widened(filled), quota, streams + first, tally);
  }
  return tally;
}

/// Games of jobs, one in each lane of a vector.
template <class V, class Game>
struct JobGroup {
  static constexpr std::size_t kWidth = sizeof(V) / sizeof(Word);
  Game game;
  V seven_f;
  V second;  // all ones where the side that did not start is to move
  V open;    // all ones where the lane has a job
  std::size_t job[kWidth];
  // The last job each lane was given, as memory, to be taken over lane by lane.
  alignas(64) Word mover[kWidth];
  alignas(64) Word filled[kWidth];
  alignas(64) Word seed[kWidth];
  alignas(64) Word has_job[kWidth];
};

/// Jobs wait in a queue; a lane that has finished one takes the next.
template <class V, class Game>
ROWBOT_INLINE void finish_lanes(const Job* jobs, std::size_t count, std::uint8_t* points) {
  using Group = JobGroup<V, Game>;
  Group groups[2]{};
  std::size_t next = 0;
  std::size_t unfinished = count;
  const auto vector_at = [](const Word* from) __attribute__((always_inline)) {
    V lanes;
    __builtin_memcpy(&lanes, from, sizeof(V));
    return lanes;
  };
  const auto give_job = [&](Group & group, std::size_t lane) __attribute__((always_inline)) {
    group.has_job[lane] = next < count ? ~Word{0} : 0;
    if (next >= count) return;
    group.job[lane] = next;
    group.mover[lane] = widened(jobs[next].mover);
    group.filled[lane] = widened(jobs[next].filled);
    group.seed[lane] = jobs[next].seed;
    ++next;
  };
  const auto take_jobs = [&](Group & group, V lanes) __attribute__((always_inline)) {
    group.game.replace(lanes, Game::start(vector_at(group.mover), vector_at(group.filled)));
    group.seven_f = choose(lanes, fraction(vector_at(group.seed)), group.seven_f);
    group.second &= ~lanes;
    group.open = vector_at(group.has_job);
  };
  for (Group& group : groups) {
    for (std::size_t lane = 0; lane < Group::kWidth; ++lane) give_job(group, lane);
    take_jobs(group, ~V{});
  }
  while (unfinished > 0) {
    for (Group& group : groups) {
      const Step<V> step = group.game.step(draw_bottom(group.seven_f));
      const V done = (step.won | step.full) & group.open;
      unsigned ended = lane_bits(done);
      if (ended != 0) {
        const unsigned won = lane_bits(step.won);
        const unsigned second = lane_bits(group.second);
        do {
          const auto lane = static_cast<unsigned>(__builtin_ctz(ended));
          ended &= ended - 1;
          const auto bit = [lane](unsigned bits) { return ((bits >> lane) & 1U) != 0; };
          points[group.job[lane]] = !bit(won)     ? kDrawnPoints
                                    : bit(second) ? kLostPoints
                                                  : kWonPoints;
          give_job(group, lane);
          --unfinished;
        } while (ended != 0);
        group.second ^= step.moved;
        take_jobs(group, done);
      } else {
        group.second ^= step.moved;
      }
    }
  }
}

template <int kWidth>
Tally tally_with(Policy policy, Word mover, Word filled, Word quota, Word* streams) {
  using V = typename LaneTypes<kWidth>::Lane;
  switch (policy) {
    case Policy::kUniform:
      return tally_lanes<V, UniformGame<V>>(mover, filled, quota, streams);
    case Policy::kWin:
      return tally_lanes<V, AlertGame<V, Policy::kWin>>(mover, filled, quota, streams);
    case Policy::kWinBlock:
      return tally_lanes<V, AlertGame<V, Policy::kWinBlock>>(mover, filled, quota, streams);
    case Policy::kCareful:
      break;
  }
  return tally_lanes<V, AlertGame<V, Policy::kCareful>>(mover, filled, quota, streams);
}

template <int kWidth>
void finish_with(Policy policy, const Job* jobs, std::size_t count, std::uint8_t* points) {
  using V = typename LaneTypes<kWidth>::Lane;
  switch (policy) {
    case Policy::kUniform:
      return finish_lanes<V, UniformGame<V>>(jobs, count, points);
    case Policy::kWin:
      return finish_lanes<V, AlertGame<V, Policy::kWin>>(jobs, count, points);
    case Policy::kWinBlock:
      return finish_lanes<V, AlertGame<V, Policy::kWinBlock>>(jobs, count, points);
    case Policy::kCareful:
      return finish_lanes<V, AlertGame<V, Policy::kCareful>>(jobs, count, points);
  }
}

}  // namespace
}  // namespace rowbot::agents::playout
