// Which move to try first: the one most likely to refute, with the smallest tree behind it.
// Thread safety: History belongs to one thread; the rest is constant.
#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>

#include "engine/solver/node.h"

namespace rowbot::solver {

/// How much each feature of a move counts. Found by coordinate descent on the node counts of 40
/// random positions of 8 to 14 discs (docs/solver.md tells how); only their proportions matter.
namespace weight {
inline constexpr int kThreat = 48;      // an empty square that completes a line for the mover
inline constexpr int kGoodThreat = 32;  // more if zugzwang will give the square to the mover
inline constexpr int kNearThreat = 80;  // more if the square below it is playable
inline constexpr int kReply = 12;       // less for each move the opponent then has
inline constexpr int kFewReplies = 16;  // more if they are only two
inline constexpr int kKnown = 8;        // for each point less that the table lets the mover's
                                        // opponent hope for, from kFarHope on
inline constexpr int kFarHope = 8;
}  // namespace weight

/// More or less for a row, for the first and for the second player.
inline constexpr std::array<std::array<int, game::kRows>, 2> kRowWorth{
    {{-16, -16, 0, -16, 0, 16}, {0, 0, 0, 0, 0, 40}}};
inline constexpr int kCentreWorth = 16;

/// The worth of each square for a side: sixteen for each line of four through it, and the above.
inline constexpr std::array<std::array<std::int16_t, 64>, 2> kSquareWorth = [] {
  std::array<std::array<std::int16_t, 64>, 2> worth{};
  for (int column = 0; column < game::kColumns; ++column) {
    for (int row = 0; row < game::kRows; ++row) {
      int lines = 0;
      for (const auto& [dc, dr] : {std::array{1, 0}, {0, 1}, {1, 1}, {1, -1}}) {
        for (int back = 0; back < 4; ++back) {
          const int c = column - back * dc;
          const int r = row - back * dr;
          const bool fits = c >= 0 && c + 3 * dc < game::kColumns && r >= 0 && r < game::kRows &&
                            r + 3 * dr >= 0 && r + 3 * dr < game::kRows;
          lines += fits ? 1 : 0;
        }
      }
      for (std::size_t side = 0; side < 2; ++side) {
        const int sum = 16 * lines + kRowWorth[side][static_cast<std::size_t>(row)] +
                        (column == game::kColumns / 2 ? kCentreWorth : 0);
        worth[side][static_cast<std::size_t>(column * game::kColumnBits + row)] =
            static_cast<std::int16_t>(sum);
      }
    }
  }
  return worth;
}();

/// The last squares before a move, the opponent's and the mover's own.
struct Before {
  int theirs;
  int own;
};

/// What has refuted before, for each side: by its square, as a reply to the opponent's square
/// before, and as the next move after one's own. Values grow with each success and fall with each
/// failure that was tried before one, by less the further they have gone. The larger the tree that
/// a success or failure has cost, the more it counts: a wrong order near the root is what is dear.
class History {
 public:
  /// What `square` is worth after the moves `before`.
  [[nodiscard]] ROWBOT_SOLVER_INLINE int of(int side, Before before, int square) const {
    return (squares_[index(side, square)] >> 3) + ((replies_[index(side, before.theirs, square)] +
                                                    sequels_[index(side, before.own, square)]) >>
                                                   5);
  }
  /// `work` is the logarithm of the nodes spent.
  ROWBOT_SOLVER_INLINE void reward(int side, Before before, int square, int work) {
    add(squares_[index(side, square)], scaled(12, work));
    add(replies_[index(side, before.theirs, square)], scaled(32, work));
    add(sequels_[index(side, before.own, square)], scaled(32, work));
  }
  ROWBOT_SOLVER_INLINE void punish(int side, Before before, int square, int work) {
    add(squares_[index(side, square)], -scaled(8, work));
    add(replies_[index(side, before.theirs, square)], -scaled(20, work));
    add(sequels_[index(side, before.own, square)], -scaled(20, work));
  }
  void clear() {
    squares_.fill(0);
    replies_.fill(0);
    sequels_.fill(0);
  }

 private:
  static constexpr int kLimit = 1024;  // no value ever gets beyond

  ROWBOT_SOLVER_INLINE static int scaled(int step, int work) {
    const int larger = step + step * work * 3 / 2;
    return larger < kLimit ? larger : kLimit;
  }
  ROWBOT_SOLVER_INLINE static std::size_t index(int side, int square) {
    return static_cast<std::size_t>(side * 64 + square);
  }
  ROWBOT_SOLVER_INLINE static std::size_t index(int side, int before, int square) {
    return static_cast<std::size_t>((side * 64 + before) * 64 + square);
  }
  ROWBOT_SOLVER_INLINE static void add(std::int16_t& value, int step) {
    value = static_cast<std::int16_t>(value + step - value * std::abs(step) / kLimit);
  }

  std::array<std::int16_t, std::size_t{2} * 64> squares_{};
  std::array<std::int16_t, std::size_t{2} * 64 * 64> replies_{};
  std::array<std::int16_t, std::size_t{2} * 64 * 64> sequels_{};
};

/// Stands for a square before the root's moves.
inline constexpr int kNoSquare = 63;

}  // namespace rowbot::solver
