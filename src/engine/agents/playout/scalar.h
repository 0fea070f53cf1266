// One playout with ordinary instructions, on the board of game::Position.
// Thread safety: pure functions; the draws are the caller's.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/agents/playout/kernel.h"
#include "game/bits.h"
#include "game/position.h"

namespace rowbot::agents::playout {

struct Ending {
  std::uint8_t points;  ///< for the side to move at the start
  int plies;
};

/// Columns from a fraction f of 61 bits: the whole part of 7 f is a column, the rest is the next
/// fraction. As 7 is odd this never runs dry, and any 15 columns in a row are as likely as any
/// others but for 7^15 / 2^61 = 2e-6.
class JobDraws {
 public:
  explicit JobDraws(std::uint64_t seed) : seven_f_((seed >> 3) | 1) {}

  int column() {
    seven_f_ = (seven_f_ << 3) - (seven_f_ & ((std::uint64_t{1} << 61) - 1));
    return static_cast<int>(seven_f_ >> 61);
  }

 private:
  std::uint64_t seven_f_;
};

/// The same with fresh bits every eight columns, for many playouts in a row; an unfinished eight is
/// carried over to the next playout. The generator is xorshift64 (Marsaglia 2003).
class StreamDraws {
 public:
  /// Requires state != 0.
  explicit StreamDraws(std::uint64_t state) : state_(state), fraction_(state) {}

  int column() {
    if (used_ == kDrawsPerState) {
      state_ ^= state_ << 13;
      state_ ^= state_ >> 7;
      state_ ^= state_ << 17;
      fraction_ = JobDraws(state_);
      used_ = 0;
    }
    ++used_;
    return fraction_.column();
  }
  [[nodiscard]] std::uint64_t state() const { return state_; }

 private:
  static constexpr int kDrawsPerState = 8;

  std::uint64_t state_;
  JobDraws fraction_;
  int used_ = kDrawsPerState;
};

/// The points of the other side.
inline constexpr std::uint8_t other_points(std::uint8_t points) {
  return static_cast<std::uint8_t>(kWonPoints - points);
}

/// Uniform moves need no threats: two plies a round, one branch for all four directions of a line.
template <class Draws>
[[gnu::always_inline]] inline Ending play_out_uniform(game::Bits mover, game::Bits filled,
                                                      Draws& draws) {
  using game::Bits;
  static constexpr auto kColumnMasks = [] {
    std::array<Bits, game::kColumns> masks{};
    for (std::size_t c = 0; c < masks.size(); ++c) {
      masks[c] = game::column_mask(static_cast<int>(c));
    }
    return masks;
  }();
  Bits next = filled + game::kBottomRow;  // one bit a column: where its next disc falls
  const int most = game::kCells - game::count(filled);
  int left = most;
  const auto drop_wins = [&](Bits & side) __attribute__((always_inline)) {
    Bits square = 0;
    do {  // until the column is not full
      square = next & kColumnMasks[static_cast<std::size_t>(draws.column())];
    } while (square == 0);
    next += square;
    side |= square;
    --left;
    const auto along = [side](int step) {
      const Bits pairs = side & (side >> step);
      return pairs & (pairs >> (2 * step));
    };
    return (along(1) | along(6) | along(7) | along(8)) != 0;
  };
  Bits opponent = mover ^ filled;
  while (true) {
    if (drop_wins(mover)) return {kWonPoints, most - left};
    if (left == 0) return {kDrawnPoints, most};
    if (drop_wins(opponent)) return {kLostPoints, most - left};
    if (left == 0) return {kDrawnPoints, most};
  }
}

/// Plays to the end; requires an unfinished game.
template <Policy kPolicy, class Draws>
inline Ending play_out(game::Bits mover, game::Bits filled, Draws& draws) {
  using game::Bits;
  if constexpr (kPolicy == Policy::kUniform) return play_out_uniform(mover, filled, draws);
  std::uint8_t win_points = kWonPoints;  // what a win of the side to move is for the starter
  // Only the threats of the side that has just moved are new.
  Bits mover_threats = game::completing_squares(mover, filled);
  Bits opponent_threats = game::completing_squares(mover ^ filled, filled);
  for (int plies = 0;;) {
    const Bits bottom = Bits{1} << (draws.column() * game::kColumnBits);
    Bits square = (filled + bottom) & ~filled & game::kBoard;
    const Bits playable = game::playable_squares(filled);
    if ((mover_threats & playable) != 0) return {win_points, plies + 1};
    if constexpr (kPolicy == Policy::kCareful) {
      const Bits safe = playable & ~(opponent_threats >> 1);
      if (safe != 0) square &= safe;
    }
    if constexpr (kPolicy != Policy::kWin) {
      if (const Bits blocks = opponent_threats & playable; blocks != 0) {
        square = blocks & (~blocks + 1);
      }
    }
    if (square == 0) continue;  // a full column: draw again
    ++plies;
    const Bits new_threats = game::completing_squares(mover | square, filled);
    mover_threats = opponent_threats;
    opponent_threats = new_threats;
    mover ^= filled;
    filled |= square;
    win_points = other_points(win_points);
    if (filled == game::kBoard) return {kDrawnPoints, plies};
  }
}

template <class Draws>
Ending play_out(Policy policy, const game::Position& position, Draws& draws) {
  switch (policy) {
    case Policy::kUniform:
      return play_out<Policy::kUniform>(position.mover(), position.filled(), draws);
    case Policy::kWin:
      return play_out<Policy::kWin>(position.mover(), position.filled(), draws);
    case Policy::kWinBlock:
      return play_out<Policy::kWinBlock>(position.mover(), position.filled(), draws);
    case Policy::kCareful:
      break;
  }
  return play_out<Policy::kCareful>(position.mover(), position.filled(), draws);
}

}  // namespace rowbot::agents::playout
