#include "engine/agents/mcts/search.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cassert>
#include <utility>
#include <vector>

#include "base/memory.h"
#include "engine/agents/mcts/memory_limit.h"
#include "engine/agents/mcts/prior.h"
#include "engine/agents/mcts/shallow_proof.h"
#include "engine/agents/mcts/solver_proof.h"
#include "engine/agents/mcts/uct.h"
#include "engine/agents/playout/playout.h"

namespace rowbot::agents::mcts {
namespace {

using game::Bits;
using game::Column;
using game::Position;

constexpr std::uint64_t kLeastMemory = std::uint64_t{16} << 20;
std::atomic<std::uint64_t> most_default_memory = std::uint64_t{1} << 30;

/// A tree may take a quarter of what is free: its owner is not alone on the machine.
std::uint64_t default_memory() {
  return std::clamp(free_memory_bytes() / 4, kLeastMemory, most_default_memory.load());
}

/// The simulations of a budget without any limit.
constexpr std::uint64_t kDefaultSimulations = 10'000;
/// Simulations between two looks at the clock.
constexpr std::uint64_t kChunk = 64;
/// Simulations that show how a position stands when there is nothing to decide.
constexpr std::uint64_t kForcedSimulations = 256;
/// A batch grows to its full size as the tree does: at most one simulation in so many is in flight.
constexpr std::uint64_t kSimulationsPerFlight = 64;

const SqrtLog& sqrt_log() {
  static const SqrtLog kTable;
  return kTable;
}

/// Access to the counters of a block. Workers that share a tree use relaxed atomics: a count may be
/// seen late, never torn or lost. The link is released and acquired, because the block behind it
/// must be complete when it is seen.
template <bool kShared>
struct Counter {
  static std::uint32_t load(std::uint32_t& field) {
    if constexpr (kShared) return std::atomic_ref(field).load(std::memory_order_relaxed);
    return field;
  }
  static std::uint32_t acquire(std::uint32_t& field) {
    if constexpr (kShared) return std::atomic_ref(field).load(std::memory_order_acquire);
    return field;
  }
  static void store(std::uint32_t& field, std::uint32_t value) {
    if constexpr (kShared) {
      std::atomic_ref(field).store(value, std::memory_order_relaxed);
    } else {
      field = value;
    }
  }
  /// Returns the value before.
  static std::uint32_t add(std::uint32_t& field, std::uint32_t amount) {
    if constexpr (kShared) {
      return std::atomic_ref(field).fetch_add(amount, std::memory_order_relaxed);
    }
    return std::exchange(field, field + amount);
  }
  static std::uint32_t set_bits(std::uint32_t& field, std::uint32_t bits) {
    if constexpr (kShared) {
      return std::atomic_ref(field).fetch_or(bits, std::memory_order_acq_rel);
    }
    return std::exchange(field, field | bits);
  }
};

int nth_move(MoveSet set, std::uint32_t n) {
  while (n-- > 0) set &= set - 1;
  return std::countr_zero(set);
}

int random_move(MoveSet set, Rng& rng) {
  if ((set & (set - 1)) == 0) return std::countr_zero(set);
  return nth_move(set, rng.below(static_cast<std::uint32_t>(std::popcount(set))));
}

/// The moves worth a look: all legal ones, or with proofs those that do not lose at once.
void fill_block(Block& block, Bits mover, Bits filled, const Options& options) {
  block = {};
  const bool proofs = options.proofs;
  const auto known = options.prior != nullptr ? options.prior->look(mover, filled) : std::nullopt;
  const Bits legal = game::playable_squares(filled);
  const Bits wins = proofs ? game::winning_squares(mover, filled) : 0;
  const Bits kept = proofs ? game::safe_squares(mover, filled) | wins : legal;
  for (std::size_t i = 0; i < kMoves; ++i) {
    const Bits column = game::column_mask(static_cast<int>(i));
    Proof proof;
    if ((legal & column) == 0) {
      proof = Proof::full_column();
    } else if ((kept & column) == 0) {
      proof = Proof::in_plies(2);
    } else if ((wins & column) != 0) {
      proof = Proof::in_plies(1);
    }
    block.link[i] = proof.in_link();
    if (proof.is_full_column() || proof.is_loss()) {
      block.visits[i] = kClosed;
    } else if (known) {
      block.visits[i] = known->visits[i];
      block.points[i] = known->points[i];
    }
  }
}

/// What the moves of a block prove about its position; nothing while a move that could be better is
/// open.
template <bool kShared>
Proof block_proof(Block& block) {
  std::optional<Proof> best;
  bool all_known = true;
  for (std::uint32_t& link : block.link) {
    const Proof proof = Proof::of_link(Counter<kShared>::acquire(link));
    if (proof.is_full_column()) continue;
    if (proof.open()) {
      all_known = false;
      continue;
    }
    if (!best || proof.better_than(*best)) best = proof;
  }
  return best && (all_known || best->is_win()) ? *best : Proof();
}

}  // namespace

void limit_default_memory(std::uint64_t bytes) {
  most_default_memory.store(std::max(kLeastMemory, bytes));
}

/// One simulation on its way.
struct Search::Walk {
  Bits mover = 0;
  Bits filled = 0;
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

Search::Search(const Options& options, int workers)
    : options_(options),
      workers_(workers),
      arena_(options.budget.memory_bytes ? *options.budget.memory_bytes : default_memory()) {
  if (options.leaf_solver_nodes == 0) return;
  for (int i = 0; i < workers; ++i) solvers_.push_back(std::make_unique<SolverProof>());
}

Search::~Search() = default;

void Search::begin(const Position& position, std::optional<std::uint64_t> memory_bytes) {
  assert(!position.outcome().finished());
  most_blocks_ = arena_.capacity();
  if (memory_bytes) {
    const std::uint64_t blocks = std::max<std::uint64_t>(2, *memory_bytes / sizeof(Block));
    most_blocks_ = static_cast<BlockIndex>(std::min<std::uint64_t>(most_blocks_, blocks));
  }
  const BlockIndex known = options_.keep_tree ? known_block(position) : 0;
  for (const auto& solver : solvers_) solver->forget();
  simulations_ = 0;
  depth_ = 0;
  position_ = position;
  if (known != 0) {
    keep_subtree(known);
  } else {
    root_ = 1;
    next_block_ = 2;
    fill_block(arena_[root_], position.mover(), position.filled(), options_);
  }
  std::uint32_t visits = 0;
  for (const std::uint32_t field : arena_[root_].visits) visits += visits_of(field);
  root_visits_ = visits;
  root_proof_ = options_.proofs ? block_proof<false>(arena_[root_]).in_link() : 0;
}

void Search::run(const BudgetMeter& meter, Rng& rng, std::size_t worker) {
  SolverProof* const solver = solvers_.empty() ? nullptr : solvers_.at(worker).get();
  const Budget& budget = meter.budget();
  const bool no_limit = !budget.time && !budget.simulations && !budget.memory_bytes;
  const std::uint64_t most =
      budget.simulations && (budget.rule == Budget::Rule::kFirstReached || !budget.time)
          ? *budget.simulations
      : no_limit ? kDefaultSimulations
                 : UINT64_MAX;
  const bool memory_only = !budget.time && !budget.simulations && budget.memory_bytes;
  const auto simulate = [&]<bool kShared>(Worker<kShared> hand) {
    // The first chunk is made whatever the budget: no time left is no reason for a blind move.
    while (simulations() == 0 || !meter.exhausted(simulations())) {
      if (!root_proof().open()) break;
      if (memory_only && next_block_.load() >= most_blocks_) break;
      if (only_one_choice() && simulations() >= kForcedSimulations) break;
      const std::uint64_t claimed = simulations_.fetch_add(kChunk);
      const std::uint64_t end = std::min(most, claimed + kChunk);
      if (end < claimed + kChunk) simulations_.fetch_sub(claimed + kChunk - std::max(end, claimed));
      if (claimed >= most) break;
      for (std::uint64_t done = claimed; done < end;) {
        const std::uint64_t flight = 1 + done / kSimulationsPerFlight;
        const std::uint64_t batch =
            std::min({flight, end - done, static_cast<std::uint64_t>(std::max(1, options_.batch))});
        hand.simulate(static_cast<std::size_t>(batch));
        done += batch;
      }
    }
    int deepest = depth_.load();
    while (deepest < hand.depth() && !depth_.compare_exchange_weak(deepest, hand.depth())) {
    }
  };
  if (workers_ > 1) {
    simulate(Worker<true>(*this, rng, solver));
  } else {
    simulate(Worker<false>(*this, rng, solver));
  }
}

bool Search::only_one_choice() {
  if (!options_.proofs) return false;
  int choices = 0;
  for (std::uint32_t& field : arena_[root_].visits) {
    choices += std::atomic_ref(field).load(std::memory_order_relaxed) < kClosed ? 1 : 0;
  }
  return choices == 1;
}

Proof Search::root_proof() const { return Proof::of_link(root_proof_.load()); }

std::vector<RootMove> Search::root_moves() const {
  std::vector<RootMove> moves;
  const Block& block = arena_[root_];
  const Bits blocks = position_.opponent_threats() & position_.legal_moves();
  for (std::size_t i = 0; i < kMoves; ++i) {
    const Proof proof = Proof::of_link(block.link[i]);
    if (proof.is_full_column()) continue;
    moves.push_back({.column = Column(static_cast<int>(i)),
                     .visits = visits_of(block.visits[i]),
                     .points = block.points[i],
                     .proof = proof,
                     .stops_win = (blocks & game::column_mask(static_cast<int>(i))) != 0});
  }
  return moves;
}

/// The block of a position one or two moves after the root, if the tree has it.
BlockIndex Search::known_block(const Position& position) const {
  if (root_ == 0) return 0;
  const int played = position.discs() - position_.discs();
  if (played == 0) return position == position_ ? root_ : 0;
  if (played < 0 || played > 2) return 0;
  for (const Column first : game::kAllColumns) {
    if (!position_.can_play(first)) continue;
    const Position after_first = position_.after(first);
    const BlockIndex next =
        arena_[root_].link[static_cast<std::size_t>(first.index())] & kBlockMask;
    if (played == 1 && after_first == position) return next;
    if (played == 1 || next == 0) continue;
    for (const Column second : game::kAllColumns) {
      if (!after_first.can_play(second) || !(after_first.after(second) == position)) continue;
      return arena_[next].link[static_cast<std::size_t>(second.index())] & kBlockMask;
    }
  }
  return 0;
}

/// Copies what hangs below `root` to the front of a second arena and forgets the rest.
void Search::keep_subtree(BlockIndex root) {
  if (!spare_) spare_.emplace(arena_.room_bytes());
  Arena& to = *spare_;
  BlockIndex next = 2;
  to[1] = arena_[root];
  // Blocks behind `done` still link into the old arena.
  for (BlockIndex done = 1; done < next; ++done) {
    for (std::uint32_t& link : to[done].link) {
      const BlockIndex child = link & kBlockMask;
      if (child == 0) continue;
      to[next] = arena_[child];
      link = (link & ~kBlockMask) | next;
      ++next;
    }
  }
  std::swap(arena_, to);
  to.release();
  root_ = 1;
  next_block_ = next;
}

}  // namespace rowbot::agents::mcts
