// The recursive search. Included by search_generic.cc and search_v3.cc only, which compile it for
// different processors: everything here is a template of the processor or always inlined.
//
// A visited position is quiet: nobody can win at once and there are at least two moves that do not
// lose at once. From it each move is made and what follows is played out until the position is
// quiet again or its value is clear (settle). Most children end there. The table lines of the rest
// are fetched from memory meanwhile, then asked; only what is left is visited, in a good order.
#pragma once

#include <array>
#include <bit>
#include <cassert>

#include "engine/solver/bounds.h"
#include "engine/solver/score.h"
#include "engine/solver/search.h"

namespace rowbot::solver {

inline constexpr std::uint64_t kPollEvery = 2048;
/// Positions with fewer discs than this and their mirror images share one table entry.
inline constexpr int kMirrorBelow = 14;

/// A position on its way to be searched. `alpha` is its mover's; `sign` tells whose value it is:
/// +1 for the mover of the position we came from.
struct Child {
  Node node;
  Bits moves;  // those that do not lose at once
  std::uint64_t hash;
  int alpha;
  int sign;
  int square;         // of the move that led here
  int square_before;  // and of the one before it
};

/// Whether one of `moves` leaves the opponent without a move that stops the next win. Requires
/// moves after which the opponent cannot win at once.
ROWBOT_SOLVER_INLINE bool wins_after_next(const Node& node, Bits moves) {
  const Bits playable = node.playable();
  for (; moves != 0; moves &= moves - 1) {
    const Bits move = moves & (0 - moves);
    const Bits threats = completing(node.mover | move) & node.empty();
    const Bits replies = (playable ^ move) | ((move << 1) & game::kBoard);
    const Bits forced = threats & replies;
    Bits safe = replies & ~(threats >> 1);
    if (forced != 0) safe = (forced & (forced - 1)) != 0 ? 0 : safe & forced;
    if (safe == 0) return true;
  }
  return false;
}

/// Plays forced moves until the position is quiet (false), or until its value is clear (true):
/// then `value` is a bound on the same side of alpha as the score. Requires that the mover cannot
/// win at once.
ROWBOT_SOLVER_INLINE bool settle(Child& child, int& value) {
  Node& node = child.node;
  while (true) {
    if (node.discs >= game::kCells - 1) {  // one square or none is left, and it wins for nobody
      value = 0;
      return true;
    }
    // The mover wins with its disc after next at the earliest.
    const int most = win_now(node.discs + 2);
    if (most <= child.alpha) {
      value = most;
      return true;
    }
    const Bits threats = node.opponent_threats & node.empty();
    const Bits playable = node.playable();
    const Bits forced = threats & playable;
    Bits moves = playable & ~(threats >> 1);  // never fill the square below a threat
    if (forced != 0) moves = (forced & (forced - 1)) != 0 ? 0 : moves & forced;
    if (moves == 0) {
      value = -win_now(node.discs + 1);
      return true;
    }
    const int least = -win_now(node.discs + 3);
    if (least > child.alpha) {
      value = least;
      return true;
    }
    if ((moves & (moves - 1)) != 0) {
      // The last chance: with the disc after next or too late. No need for the table.
      const int later = win_now(node.discs + 4);
      if (later <= child.alpha) {
        value = wins_after_next(node, moves) ? most : later;
        return true;
      }
      child.moves = moves;
      break;
    }
    node = node.after(moves);
    child.alpha = -child.alpha - 1;
    child.sign = -child.sign;
  }
  const int bound = static_upper_bound(node, child.alpha);
  if (bound > child.alpha) return false;
  value = bound;
  return true;
}

template <class Processor>
class Tree {
 public:
  explicit Tree(SearchThread& thread) : thread_(thread), table_(*thread.table) {}

  /// Whether the score of the root exceeds alpha; see search_null_window.
  int root(const Node& node, int alpha) {
    Child child{
        .node = node, .alpha = alpha, .sign = 1, .square = kNoSquare, .square_before = kNoSquare};
    int value = 0;
    if (!settle(child, value)) {
      child.hash = hash(child.node);
      Bounds known{};
      if (table_.probe(child.hash, known)) {
        if (known.lower > child.alpha) return child.sign * known.lower;
        if (known.upper <= child.alpha) return child.sign * known.upper;
      }
      value = visit(child);
    }
    return child.sign * value;
  }

 private:
  [[nodiscard]] ROWBOT_SOLVER_INLINE std::uint64_t hash(Bits mover, Bits filled, int discs) const {
    std::uint64_t key = mover + filled + game::kBottomRow;
    if (discs < kMirrorBelow) {
      const std::uint64_t mirrored = game::mirror(mover) + game::mirror(filled) + game::kBottomRow;
      if (mirrored < key) key = mirrored;
    }
    return table_.hash(key);
  }
  [[nodiscard]] ROWBOT_SOLVER_INLINE std::uint64_t hash(const Node& node) const {
    return hash(node.mover, node.filled, node.discs);
  }

  /// How promising the move to `child` is for the player at `parent`.
  [[nodiscard]] ROWBOT_SOLVER_INLINE int promise(const Child& parent, const Child& child) const {
    const Node& node = child.node;
    const bool opponent_to_move = child.sign < 0;
    const int side = parent.node.discs & 1;
    const Bits threats =
        (opponent_to_move ? node.opponent_threats : node.mover_threats) & node.empty();
    const Bits good = side == 0 ? kOddSquares : kEvenSquares;
    const Bits near = (node.filled + game::kBottomRow) << 1;
    const int replies = std::popcount(child.moves);
    const int room = weight::kReply * replies - (replies == 2 ? weight::kFewReplies : 0);
    return weight::kThreat * std::popcount(threats) +
           weight::kGoodThreat * std::popcount(threats & good) +
           weight::kNearThreat * std::popcount(threats & near) + (opponent_to_move ? -room : room) +
           kSquareWorth[static_cast<std::size_t>(side)][static_cast<std::size_t>(child.square)] +
           thread_.history.of(side, before(parent), child.square);
  }
  ROWBOT_SOLVER_INLINE static Before before(const Child& at) {
    return {.theirs = at.square, .own = at.square_before};
  }
  /// More for a move after which the table leaves the opponent less to hope for, from an earlier
  /// window.
  ROWBOT_SOLVER_INLINE static int promise_of_table(const Child& child, Bounds known) {
    const int hope = known.upper - child.alpha;
    return hope < weight::kFarHope ? -child.sign * weight::kKnown * (weight::kFarHope - hope) : 0;
  }

  [[nodiscard]] ROWBOT_SOLVER_INLINE int jitter(int square) {
    thread_.jitter = thread_.jitter * 6364136223846793005U + 1442695040888963407U;
    return static_cast<int>((thread_.jitter >> 40) + static_cast<std::uint64_t>(square)) & 31;
  }

  [[nodiscard]] bool interrupted() {
    if (thread_.nodes % kPollEvery == 0 && told_to_stop(thread_)) thread_.gave_up = true;
    if (thread_.nodes >= thread_.node_limit) thread_.gave_up = true;
    return thread_.gave_up;
  }

  /// The logarithm of the nodes from `first_node` on.
  [[nodiscard]] ROWBOT_SOLVER_INLINE int work_since(std::uint64_t first_node) const {
    return 63 - std::countl_zero(thread_.nodes - first_node + 1);
  }

  void remember(const Child& at, int value, std::uint64_t first_node) {
    const int work = work_since(first_node);
    const bool above = value > at.alpha;
    table_.store(
        at.hash,
        {.lower = above ? value : Table::kNoLower, .upper = above ? Table::kNoUpper : value}, work);
  }

  /// The value of a quiet position of which the table knows nothing useful: a bound on the same
  /// side of at.alpha as the score.
  // NOLINTNEXTLINE(misc-no-recursion): depth is at most the number of squares
  int visit(const Child& at) {
    ++thread_.nodes;
    if (interrupted()) return 0;
    const std::uint64_t first_node = thread_.nodes;
    const int alpha = at.alpha;
    const int side = at.node.discs & 1;
    int best = -kUnbounded;

    // Fetch what the table knows about the children, as far as no forced move follows: by the time
    // they are settled it has arrived.
    for (Bits moves = at.moves; moves != 0; moves &= moves - 1) {
      const Bits move = moves & (0 - moves);
      table_.prefetch(hash(at.node.opponent(), at.node.filled | move, at.node.discs + 1));
    }

    std::array<Child, game::kColumns> children;
    std::array<int, game::kColumns> order;  // promise * 8 + index of the child
    int open = 0;
    for (Bits moves = at.moves; moves != 0; moves &= moves - 1) {
      Child& child = children[static_cast<std::size_t>(open)];
      const Bits move = moves & (0 - moves);
      child.node = at.node.after(move);
      child.alpha = -alpha - 1;
      child.sign = -1;
      child.square = std::countr_zero(move);
      child.square_before = at.square;
      int value = 0;
      if (settle(child, value)) {
        value *= child.sign;
        if (value > alpha) {
          remember(at, value, first_node);
          return value;
        }
        if (value > best) best = value;
        continue;
      }
      child.hash = hash(child.node);
      table_.prefetch(child.hash);
      int score = promise(at, child);
      if (thread_.jitter != 0) score += jitter(child.square);
      order[static_cast<std::size_t>(open)] = score * 8 + open;
      ++open;
    }

    // Ask the table about all children before any of them is searched.
    int left = 0;
    for (int i = 0; i < open; ++i) {
      const Child& child = children[static_cast<std::size_t>(i)];
      int key = order[static_cast<std::size_t>(i)];
      Bounds known{};
      if (table_.probe(child.hash, known)) {
        const bool above = known.lower > child.alpha;
        if (above || known.upper <= child.alpha) {
          const int value = child.sign * (above ? known.lower : known.upper);
          if (value > alpha) {
            thread_.history.reward(side, before(at), child.square, 0);
            remember(at, value, first_node);
            return value;
          }
          if (value > best) best = value;
          continue;
        }
        key += 8 * promise_of_table(child, known);
      }
      int place = left++;
      for (; place > 0 && order[static_cast<std::size_t>(place - 1)] < key; --place) {
        order[static_cast<std::size_t>(place)] = order[static_cast<std::size_t>(place - 1)];
      }
      order[static_cast<std::size_t>(place)] = key;
    }

    for (int i = 0; i < left; ++i) {
      const Child& child =
          children[static_cast<std::size_t>(order[static_cast<std::size_t>(i)] & 7)];
      const int value = child.sign * visit(child);
      if (thread_.gave_up) return 0;
      if (value > best) best = value;
      if (value > alpha) {
        const int work = work_since(first_node);
        thread_.history.reward(side, before(at), child.square, work);
        for (int j = 0; j < i; ++j) {
          const auto failed = static_cast<std::size_t>(order[static_cast<std::size_t>(j)] & 7);
          thread_.history.punish(side, before(at), children[failed].square, work);
        }
        break;
      }
    }
    remember(at, best, first_node);
    return best;
  }

  SearchThread& thread_;
  Table& table_;
};

}  // namespace rowbot::solver
