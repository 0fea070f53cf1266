// Monte Carlo Tree Search on one tree: options.h says what it computes, tree.h how it is stored.
// Thread safety: begin() and everything const by one thread while no worker runs; run() by one
// thread, or by several at once when the search was made for several.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/rng.h"
#include "engine/agents/budget.h"
#include "engine/agents/mcts/options.h"
#include "engine/agents/mcts/solver_proof.h"
#include "engine/agents/mcts/tree.h"
#include "game/position.h"

namespace rowbot::agents::mcts {

/// What is known about one legal move of the root.
struct RootMove {
  game::Column column;
  std::uint64_t visits = 0;
  std::uint64_t points = 0;  ///< half points of the side to move
  Proof proof;
  bool stops_win = false;  ///< the opponent could win there at once

  /// Share of the points, 0 lost to 1 won; requires visits > 0.
  [[nodiscard]] double mean() const {
    return static_cast<double>(points) / (2.0 * static_cast<double>(visits));
  }
};

class Search {
 public:
  /// `workers`: the most threads that will call run() at once.
  Search(const Options& options, int workers);
  ~Search();
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;
  Search(Search&&) = delete;
  Search& operator=(Search&&) = delete;

  /// Starts at an unfinished position. With keep_tree, what the tree knows about it is kept. A tree
  /// that has reached its memory, or less of it if told so here, stops to grow and is searched on.
  void begin(const game::Position& position,
             std::optional<std::uint64_t> memory_bytes = std::nullopt);

  /// Begins the next search with an empty tree.
  void forget() {
    root_ = 0;
    arena_.release();
  }

  /// Simulates until the meter says stop, the root is decided, or the memory ends a search that has
  /// no other limit. `rng` is the worker's own; workers are numbered from 0.
  void run(const BudgetMeter& meter, Rng& rng, std::size_t worker = 0);

  [[nodiscard]] std::uint64_t simulations() const { return simulations_.load(); }
  [[nodiscard]] std::uint64_t blocks() const { return next_block_.load() - 1; }
  [[nodiscard]] int depth() const { return depth_.load(); }
  /// For the side to move at the root.
  [[nodiscard]] Proof root_proof() const;
  /// Legal moves from left to right.
  [[nodiscard]] std::vector<RootMove> root_moves() const;

 private:
  struct Walk;
  template <bool kShared>
  class Worker;

  [[nodiscard]] bool only_one_choice();
  [[nodiscard]] BlockIndex known_block(const game::Position& position) const;
  void keep_subtree(BlockIndex root);

  Options options_;
  int workers_;
  Arena arena_;
  std::vector<std::unique_ptr<SolverProof>> solvers_;  // one for each worker, if leaves are solved
  std::optional<Arena> spare_;                         // where a kept subtree is copied to
  game::Position position_;
  BlockIndex root_ = 0;
  BlockIndex most_blocks_ = 0;  // the number of the first block that is too many
  std::atomic<BlockIndex> next_block_{1};
  std::atomic<std::uint64_t> simulations_{0};
  std::atomic<std::uint32_t> root_visits_{0};
  std::atomic<std::uint32_t> root_proof_{0};  // a Proof's link
  std::atomic<int> depth_{0};
};

}  // namespace rowbot::agents::mcts
