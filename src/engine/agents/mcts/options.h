// What can be chosen about Monte Carlo Tree Search, and the settings of the papers.
//
// A simulation walks from the root to a leaf, at each node to the child that maximises
//   UCT = w / v + c sqrt(ln V / v)
// (Kocsis, Szepesvari 2006), w the rewards and v the visits of the child, V the visits of the
// parent or of the root; children never visited come first, in random order. The leaf becomes a
// node, a playout from it gives a result, and all nodes on the way are told.
// Thread safety: plain values.
#pragma once

#include <chrono>
#include <cstdint>

#include "base/resources.h"
#include "engine/agents/budget.h"
#include "engine/agents/playout/kernel.h"

namespace rowbot::agents::mcts {

/// What a result is worth to the side that has just moved.
enum class Rewards : std::uint8_t {
  kSigned,  ///< win 1, draw 0, loss -1 (Carlo 2020)
  kHalf,    ///< win 1, draw 1/2, loss 0 (Boehm 2016)
  kWins,    ///< win 1, else 0 (Dublin 2020)
};

/// V of the formula.
enum class VisitsOf : std::uint8_t { kParent, kRoot };

/// Which move is played in the end (Coulom 2006; Chaslot et al. 2008).
enum class Final : std::uint8_t {
  kMean,    ///< the best win rate
  kMax,     ///< the most wins
  kRobust,  ///< the most visits
  kMix,     ///< the best win rate and the most visits; while they differ the search goes on
  kSecure,  ///< the best lower confidence bound, w / v - secure_a / sqrt(v)
};

/// How several threads share the work.
enum class Sharing : std::uint8_t {
  kTree,  ///< one tree for all
  kRoot,  ///< a tree for each, and the sum of their roots in the end
};

class Prior;

struct Options {
  double c = 1.0;
  Rewards rewards = Rewards::kHalf;
  VisitsOf visits_of = VisitsOf::kParent;
  playout::Policy playout = playout::Policy::kCareful;
  Final final_choice = Final::kRobust;
  double secure_a = 4.0;
  /// Keep wins, losses and draws as facts: MCTS-Solver (Winands, Bjornsson, Saito 2008), here with
  /// distances, draws, and what one look at the threats proves.
  bool proofs = true;
  /// Plies of a minimax for won and lost positions when a leaf is new, and when it is expanded
  /// (MCTS-minimax hybrids, Baier, Winands 2015). Two plies are part of `proofs` anyway.
  int leaf_depth = 0;
  int expand_depth = 0;
  /// What threats and parity alone say about a new leaf (solver/bounds.h): a position that is lost
  /// so counts as lost instead of being played out, and one that cannot be won never as won. Only
  /// with `proofs`.
  bool bounds = true;
  /// Nodes the solver may spend, without a book, on the position itself before the search begins;
  /// what it solves is played. And on each new leaf; what it solves is a proof. 0: no solver.
  std::uint64_t solver_nodes = 0;
  std::uint64_t leaf_solver_nodes = 0;
  /// Begin a search with what the last one knows about the position.
  bool keep_tree = false;
  /// Leaves collected before their playouts are made side by side in vector lanes. A collected leaf
  /// counts as lost until its result is known (virtual loss). 1 is the plain algorithm; large
  /// batches begin only when there are many times more simulations.
  int batch = 32;
  int threads = 1;
  Sharing sharing = Sharing::kTree;
  Budget budget{.time = std::chrono::milliseconds(100)};
  std::uint64_t seed = 1;
  /// A quarter of the memory, from 16 MB to 1 GB, is the tree's when the budget names none.
  Resources resources;
  /// What is known before the search; must outlive it. Null: nothing.
  const Prior* prior = nullptr;
};

/// Carlo 2020, Algorithm 2: +1/0/-1, V of the root, robust child, 1000 ms. It leaves c open; it
/// is sqrt 2 here.
[[nodiscard]] Options carlo_preset();
/// Boehm 2016, section 4.4.3: playouts that take a win, 1/0.5/0, 2 Cp = sqrt 2, best win rate, 20
/// iterations (its MCTS-20).
[[nodiscard]] Options boehm_preset();
/// Dublin 2020, section 3.3: wins only, sqrt 2, best win rate, 5000 iterations or 2 s.
[[nodiscard]] Options dublin_preset();
/// The solver on the position and on the leaves, tree search where it cannot finish.
[[nodiscard]] Options hybrid_preset();
/// What the benchmarks call plain UCT: 1/0.5/0, c = sqrt 2, uniform playouts, no proofs.
[[nodiscard]] Options plain_preset();

}  // namespace rowbot::agents::mcts
