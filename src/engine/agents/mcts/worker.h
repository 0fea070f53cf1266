// One thread's part of a search: its simulations, down the tree and up again. For search.cc alone.
// Thread safety: one thread each; those of a shared tree meet in its blocks only.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/agents/mcts/block.h"
#include "engine/agents/mcts/search.h"
#include "engine/agents/mcts/shallow_proof.h"
#include "engine/agents/mcts/solver_proof.h"
#include "engine/agents/mcts/uct.h"
#include "engine/agents/playout/playout.h"

namespace rowbot::agents::mcts {

/// One simulation on its way.
struct Search::Walk {
  game::Bits mover = 0;
  game::Bits filled = 0;
  BlockIndex at = 0;                // the block to choose from next
  std::uint32_t visits_before = 0;  // of the position there
  float k_root = 0;
  int length = 0;
  int most_points = playout::kWonPoints;  // of the side to move at the leaf
  std::array<BlockIndex, game::kCells> blocks;
  std::array<std::uint8_t, game::kCells> moves;
};

template <bool kShared>
class Search::Worker {
 public:
  Worker(Search& search, Rng& rng, SolverProof* solver)
      : search_(search),
        options_(search.options_),
        rng_(rng),
        solver_(solver),
        walks_(static_cast<std::size_t>(std::max(1, search.options_.batch))),
        walking_(walks_.size()),
        owners_(walks_.size()),
        jobs_(walks_.size()),
        points_(walks_.size()) {
    const double scale = options_.rewards == Rewards::kSigned ? 1.0 : 2.0;
    k_ = static_cast<float>(scale * options_.c);
  }

  /// Makes `count` simulations; requires count <= batch. All walks go down the tree side by side,
  /// one move each in turn: while one waits for its block to come from memory, the others work.
  void simulate(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      start(walks_[i]);
      walking_[i] = static_cast<std::uint32_t>(i);
    }
    std::size_t waiting = 0;
    while (count > 0) {
      std::size_t still_walking = 0;
      for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t walker = walking_[i];
        Walk& walk = walks_[walker];
        switch (advance(walk)) {
          case Progress::kMoved:
            prefetch(search_.arena_[walk.at]);
            walking_[still_walking++] = walker;
            break;
          case Progress::kNeedsPlayout:
            jobs_[waiting] = {.mover = walk.mover, .filled = walk.filled, .seed = rng_()};
            owners_[waiting++] = walker;
            break;
          case Progress::kDone:
            break;
        }
      }
      count = still_walking;
    }
    kernel_.finish(options_.playout, jobs_.data(), waiting, points_.data());
    for (std::size_t i = 0; i < waiting; ++i) {
      const Walk& walk = walks_[owners_[i]];
      back_up(walk, kWon - std::min<int>(points_[i], walk.most_points));
    }
  }

  [[nodiscard]] int depth() const { return depth_; }

 private:
  using C = Counter<kShared>;
  static constexpr int kWon = playout::kWonPoints;

  enum class Progress : std::uint8_t { kMoved, kNeedsPlayout, kDone };

  static void prefetch(const Block& block) {
    const auto* bytes = reinterpret_cast<const char*>(&block);
    __builtin_prefetch(bytes, 1);
    __builtin_prefetch(bytes + 64, 1);
  }

  void start(Walk& walk) {
    walk.mover = search_.position_.mover();
    walk.filled = search_.position_.filled();
    walk.length = 0;
    walk.most_points = kWon;
    walk.at = search_.root_;
    if constexpr (kShared) {
      walk.visits_before = search_.root_visits_.fetch_add(1, std::memory_order_relaxed);
    } else {
      walk.visits_before = search_.root_visits_.load(std::memory_order_relaxed);
      search_.root_visits_.store(walk.visits_before + 1, std::memory_order_relaxed);
    }
    walk.k_root = k_for(walk.visits_before);
  }

  /// K of uct.h.
  [[nodiscard]] float k_for(std::uint32_t visits) const {
    return k_ * sqrt_log_(std::max(1U, visits));
  }

  /// One move down the tree.
  Progress advance(Walk& walk) {
    Block& block = search_.arena_[walk.at];
    const int move = choose_move(
        block, options_.visits_of == VisitsOf::kRoot ? walk.k_root : k_for(walk.visits_before));
    const auto m = static_cast<std::size_t>(move);
    if (kShared && C::load(block.visits[m]) >= kClosed) {  // proven meanwhile by another worker
      return Progress::kNeedsPlayout;
    }
    walk.visits_before = C::add(block.visits[m], 1);
    walk.blocks[static_cast<std::size_t>(walk.length)] = walk.at;
    walk.moves[static_cast<std::size_t>(walk.length)] = static_cast<std::uint8_t>(move);
    ++walk.length;
    walk.mover ^= walk.filled;
    assert(move >= 0 && move < 7);
    walk.filled |= walk.filled + game::square(move, 0);
    const std::uint32_t link = C::acquire(block.link[m]);
    if (const Proof known = Proof::of_link(link); !known.open()) {
      back_up(walk, known_points(known));
      return Progress::kDone;
    }
    walk.at = link & kBlockMask;
    // Visits of a prior come without a look at the position.
    if (walk.visits_before == 0 || (options_.prior != nullptr && walk.at == 0)) {
      const Proof found = arrive(walk);
      if (!found.open()) {
        settle(walk, found);
        return Progress::kDone;
      }
      if (walk.visits_before == 0) return judge(walk);
    }
    if (walk.at != 0) return Progress::kMoved;
    const Expansion expansion = expand(walk, block.link[m]);
    if (!expansion.proof.open()) {
      settle(walk, expansion.proof);
      return Progress::kDone;
    }
    walk.at = expansion.block;
    return walk.at != 0 ? Progress::kMoved : Progress::kNeedsPlayout;
  }

  /// A new leaf about which nothing is proven. What the bounds decide is no proof to the tree: they
  /// do not know the distance, which a proof must.
  Progress judge(Walk& walk) {
    if (!options_.bounds || !options_.proofs) return Progress::kNeedsPlayout;
    walk.most_points = most_points(walk.mover, walk.filled);
    if (walk.most_points != 0) return Progress::kNeedsPlayout;
    back_up(walk, kWon);
    return Progress::kDone;
  }

  static int nth_move(MoveSet set, std::uint32_t n) {
    while (n-- > 0) set &= set - 1;
    return std::countr_zero(set);
  }

  static int random_move(MoveSet set, Rng& rng) {
    if ((set & (set - 1)) == 0) return std::countr_zero(set);
    return nth_move(set, rng.below(static_cast<std::uint32_t>(std::popcount(set))));
  }

  int choose_move(Block& block, float k) {
    UctChoice choice{};
    if constexpr (kShared) {
      std::array<std::uint32_t, 8> visits{};
      std::array<std::uint32_t, 8> points{};
      for (std::size_t i = 0; i < kMoves; ++i) {
        visits[i] = C::load(block.visits[i]);
        points[i] = C::load(block.points[i]);
      }
      choice = uct_choice(visits.data(), points.data(), k);
    } else {
      choice = uct_choice(block.visits.data(), block.points.data(), k);
    }
    return random_move(choice.unvisited != 0 ? choice.unvisited : choice.best, rng_);
  }

  /// What is known about the last move of a walk when it is made for the first time.
  Proof arrive(const Walk& walk) {
    if (game::has_four(walk.mover ^ walk.filled)) return Proof::in_plies(1);
    if (walk.filled == game::kBoard) return Proof::draw();
    if (!options_.proofs) return {};
    Proof seen = look(walk.mover, walk.filled, options_.leaf_depth);
    if (seen.open() && solver_ != nullptr) {
      seen = solver_->look(walk.mover, walk.filled, options_.leaf_solver_nodes);
    }
    return seen.open() ? seen : seen.before();
  }

  struct Expansion {
    BlockIndex block = 0;  // none if the memory is full
    Proof proof;
  };

  Expansion expand(const Walk& walk, std::uint32_t& link) {
    if (options_.proofs && (kShared || options_.expand_depth > 2)) {
      const Proof seen = look(walk.mover, walk.filled, options_.expand_depth);
      if (!seen.open()) return {.block = 0, .proof = seen.before()};
    }
    BlockIndex fresh = search_.next_block_.load(std::memory_order_relaxed);
    if (fresh >= search_.most_blocks_) return {};
    if constexpr (kShared) {
      fresh = search_.next_block_.fetch_add(1, std::memory_order_relaxed);
      if (fresh >= search_.most_blocks_) return {};
    } else {
      search_.next_block_.store(fresh + 1, std::memory_order_relaxed);
    }
    fill_block(search_.arena_[fresh], walk.mover, walk.filled, options_);
    if constexpr (kShared) {
      std::uint32_t expected = 0;
      // Another worker may have been faster: then its block counts and this one stays unused.
      if (!std::atomic_ref(link).compare_exchange_strong(expected, fresh,
                                                         std::memory_order_acq_rel)) {
        return {.block = expected & kBlockMask, .proof = Proof::of_link(expected)};
      }
    } else {
      link = fresh;
    }
    return {.block = fresh, .proof = {}};
  }

  /// Half points of the side that made a move with a known result.
  static int known_points(Proof proof) {
    return proof.is_win() ? kWon : proof.is_loss() ? 0 : static_cast<int>(playout::kDrawnPoints);
  }

  /// The last move of the walk has been proven: tells the tree.
  void settle(const Walk& walk, Proof proof) {
    back_up(walk, known_points(proof));
    for (int i = walk.length - 1; i >= 0; --i) {
      Block& block = search_.arena_[walk.blocks[static_cast<std::size_t>(i)]];
      const std::size_t move = walk.moves[static_cast<std::size_t>(i)];
      const std::uint32_t before = C::acquire(block.link[move]);
      if (Proof::of_link(before).open()) C::set_bits(block.link[move], proof.in_link());
      if (!options_.proofs) return;  // the end of a game is remembered, nothing is concluded
      if (proof.is_loss()) {
        C::set_bits(block.visits[move], kClosed);
        C::store(block.points[move], 0);
      }
      proof = block_proof<kShared>(block);
      if (proof.open()) return;
      if (i == 0) {
        search_.root_proof_.store(proof.in_link(), std::memory_order_relaxed);
        return;
      }
      proof = proof.before();
    }
  }

  /// Adds a result, in half points of the side that made the last move.
  void back_up(const Walk& walk, int points) {
    depth_ = std::max(depth_, walk.length);
    for (int i = walk.length - 1; i >= 0; --i) {
      Block& block = search_.arena_[walk.blocks[static_cast<std::size_t>(i)]];
      const int reward = options_.rewards == Rewards::kWins && points != kWon ? 0 : points;
      C::add(block.points[walk.moves[static_cast<std::size_t>(i)]],
             static_cast<std::uint32_t>(reward));
      points = kWon - points;
    }
  }

  Search& search_;
  const Options& options_;
  Rng& rng_;
  SolverProof* solver_;  // null: leaves are not solved
  float k_ = 0;
  int depth_ = 0;
  const playout::Kernel& kernel_ = playout::fastest_kernel();
  const SqrtLog& sqrt_log_ = sqrt_log();
  std::vector<Walk> walks_;
  std::vector<std::uint32_t> walking_;  // walks on their way
  std::vector<std::uint32_t> owners_;   // of the jobs
  std::vector<playout::Job> jobs_;
  std::vector<std::uint8_t> points_;
};

}  // namespace rowbot::agents::mcts
