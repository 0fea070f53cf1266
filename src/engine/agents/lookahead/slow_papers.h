// The papers' listings, transcribed word for word on a two-dimensional board, slow and obvious:
// what the tests hold the fast code against. Shares no code with it. Thread safety: none; a test's
// own objects.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "game/position.h"

namespace rowbot::agents::lookahead::testing {

/// 0 empty, 1 the agent, 2 the opponent; [column][row], row 0 at the bottom.
class SlowBoard {
 public:
  /// The side to move is the agent.
  explicit SlowBoard(const game::Position& position) {
    for (int c = 0; c < 7; ++c) {
      for (int r = 0; r < 6; ++r) {
        const game::Bits square = game::square(c, r);
        at(c, r) = (position.mover() & square) != 0      ? 1
                   : (position.opponent() & square) != 0 ? 2
                                                         : 0;
      }
    }
  }

  int& at(int c, int r) {
    return cells_.at(static_cast<std::size_t>(c)).at(static_cast<std::size_t>(r));
  }
  [[nodiscard]] int at(int c, int r) const {
    return cells_.at(static_cast<std::size_t>(c)).at(static_cast<std::size_t>(r));
  }

  void drop(int c, int player) {
    int r = 0;
    while (at(c, r) != 0) ++r;
    at(c, r) = player;
  }

  [[nodiscard]] std::vector<int> valid_moves() const {
    std::vector<int> moves;
    for (int c = 0; c < 7; ++c) {
      if (at(c, 5) == 0) moves.push_back(c);
    }
    return moves;
  }

  /// All 69 windows of four squares in a line.
  [[nodiscard]] std::vector<std::vector<int>> windows() const {
    std::vector<std::vector<int>> all;
    constexpr std::array<std::pair<int, int>, 4> kSteps{{{1, 0}, {0, 1}, {1, 1}, {1, -1}}};
    for (const auto& [right, up] : kSteps) {
      for (int c = 0; c < 7; ++c) {
        for (int r = 0; r < 6; ++r) {
          const int last_c = c + 3 * right;
          const int last_r = r + 3 * up;
          if (last_c > 6 || last_r > 5 || last_r < 0) continue;
          std::vector<int> window;
          for (int i = 0; i < 4; ++i) window.push_back(at(c + i * right, r + i * up));
          all.push_back(window);
        }
      }
    }
    return all;
  }

  [[nodiscard]] bool check_win(int player) const {
    for (const auto& window : windows()) {
      if (std::count(window.begin(), window.end(), player) == 4) return true;
    }
    return false;
  }

 private:
  std::array<std::array<int, 6>, 7> cells_{};
};

/// Dublin 2020, 3.1, evaluate_window.
inline int slow_window(const std::vector<int>& window, int agent, int opponent) {
  const auto count = [&](int what) { return std::count(window.begin(), window.end(), what); };
  int score = 0;
  if (count(agent) == 4) {
    score += 100;
  } else if (count(agent) == 3 && count(0) == 1) {
    score += 5;
  } else if (count(agent) == 2 && count(0) == 2) {
    score += 2;
  }
  if (count(opponent) == 3 && count(0) == 1) score -= 4;
  return score;
}

/// Dublin 2020, 3.1, evaluate.
inline int slow_evaluate(const SlowBoard& board, int agent = 1, int opponent = 2) {
  int score = 0;
  for (int r = 0; r < 6; ++r) score += board.at(3, r) == agent ? 3 : 0;
  for (const auto& window : board.windows()) score += slow_window(window, agent, opponent);
  return score;
}

struct SlowChoice {
  int move = -1;
  double utility = 0;
};

/// What the listings of Dublin 2020 do at the opponent's nodes.
enum class OpponentNode { kMinimum, kQuotientBound, kMean };

/// Dublin 2020, 3.1 minimax and 3.2 expectimax: one listing but for the opponent's nodes. kMean is
/// the textbook's, which does not prune.
inline SlowChoice slow_search(const SlowBoard& state, int depth, double alpha, double beta,
                              bool maximizing_player, OpponentNode opponent_node) {
  const std::vector<int> valid_moves = state.valid_moves();
  if (state.check_win(1)) return {-1, 100000};
  if (state.check_win(2)) return {-1, -100000};
  if (valid_moves.empty()) return {-1, 0};
  if (depth == 0) return {-1, static_cast<double>(slow_evaluate(state))};
  constexpr double kInf = std::numeric_limits<double>::infinity();
  if (maximizing_player) {
    SlowChoice best{valid_moves.front(), -kInf};
    for (const int move : valid_moves) {
      SlowBoard next = state;
      next.drop(move, 1);
      const double new_utility =
          slow_search(next, depth - 1, alpha, beta, false, opponent_node).utility;
      if (new_utility > best.utility) best = {move, new_utility};
      if (opponent_node == OpponentNode::kMean) continue;
      alpha = std::max(alpha, best.utility);
      if (alpha >= beta) break;
    }
    return best;
  }
  SlowChoice best{valid_moves.front(), kInf};
  double sum = 0;
  for (const int move : valid_moves) {
    SlowBoard next = state;
    next.drop(move, 2);
    const double new_utility =
        slow_search(next, depth - 1, alpha, beta, true, opponent_node).utility;
    sum += new_utility;
    if (opponent_node == OpponentNode::kMinimum ? new_utility < best.utility
                                                : new_utility <= best.utility) {
      best = {move, new_utility};
    }
    if (opponent_node == OpponentNode::kMean) continue;
    beta = opponent_node == OpponentNode::kMinimum
               ? std::min(beta, best.utility)
               : best.utility / static_cast<double>(valid_moves.size());
    if (alpha >= beta) break;
  }
  if (opponent_node == OpponentNode::kMean) {
    best.utility = sum / static_cast<double>(valid_moves.size());
  }
  return best;
}

inline SlowChoice slow_choice(const game::Position& position, int depth, OpponentNode node) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  return slow_search(SlowBoard(position), depth, -kInf, kInf, true, node);
}

}  // namespace rowbot::agents::lookahead::testing
