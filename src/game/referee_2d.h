// The rules once more, slow and obvious, on a two-dimensional array: what the tests hold the
// bitboards against. It shares no code with Position.
// Thread safety: none; a test's own object.
#pragma once

#include <array>
#include <cstddef>
#include <set>
#include <utility>

namespace rowbot::game::testing {

class Referee2d {
 public:
  enum class State { kGoing, kFirstWon, kSecondWon, kDrawn };

  using Squares = std::set<std::pair<int, int>>;  // (column, row)

  void play(int column) {
    int row = 0;
    while (cell(column, row) != 0) ++row;
    grid_.at(static_cast<std::size_t>(column)).at(static_cast<std::size_t>(row)) =
        moves_ % 2 == 0 ? 1 : 2;
    ++moves_;
  }

  /// 0 empty, 1 first player, 2 second player.
  [[nodiscard]] int cell(int column, int row) const {
    return grid_.at(static_cast<std::size_t>(column)).at(static_cast<std::size_t>(row));
  }

  [[nodiscard]] State state() const { return state(winning_squares()); }
  [[nodiscard]] State state(const Squares& squares) const {
    if (!squares.empty()) {
      const auto [column, row] = *squares.begin();
      return cell(column, row) == 1 ? State::kFirstWon : State::kSecondWon;
    }
    return moves_ == 42 ? State::kDrawn : State::kGoing;
  }

  /// Every square of every line of four equal discs.
  [[nodiscard]] Squares winning_squares() const {
    constexpr std::array<std::pair<int, int>, 4> kSteps{{{1, 0}, {0, 1}, {1, 1}, {1, -1}}};
    Squares squares;
    for (int column = 0; column < 7; ++column) {
      for (int row = 0; row < 6; ++row) {
        for (const auto& [right, up] : kSteps) {
          int length = 0;
          while (length < 4 && same(column, row, column + length * right, row + length * up)) {
            ++length;
          }
          if (length < 4) continue;
          for (int i = 0; i < 4; ++i) squares.emplace(column + i * right, row + i * up);
        }
      }
    }
    return squares;
  }

 private:
  [[nodiscard]] bool same(int column, int row, int c, int r) const {
    return c <= 6 && r >= 0 && r <= 5 && cell(c, r) != 0 && cell(c, r) == cell(column, row);
  }

  std::array<std::array<int, 6>, 7> grid_{};  // [column][row], row 0 at the bottom
  int moves_ = 0;
};

}  // namespace rowbot::game::testing
