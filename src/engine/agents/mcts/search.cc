#include "engine/agents/mcts/search.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <utility>
#include <vector>

#include "engine/agents/mcts/block.h"
#include "engine/agents/mcts/worker.h"

namespace rowbot::agents::mcts {
namespace {

using game::Bits;
using game::Column;
using game::Position;

/// The simulations of a budget without any limit.
constexpr std::uint64_t kDefaultSimulations = 10'000;
/// Simulations between two looks at the clock.
constexpr std::uint64_t kChunk = 64;
/// Simulations that show how a position stands when there is nothing to decide.
constexpr std::uint64_t kForcedSimulations = 256;
/// A batch grows to its full size as the tree does: at most one simulation in so many is in flight.
constexpr std::uint64_t kSimulationsPerFlight = 64;

/// The tree's part of the memory, if its budget names none.
std::uint64_t default_bytes(const Resources& resources) {
  constexpr std::uint64_t kLeast = std::uint64_t{16} << 20;
  constexpr std::uint64_t kMost = std::uint64_t{1} << 30;
  return std::clamp(resources.memory_bytes / 4, kLeast, kMost);
}

}  // namespace

Search::Search(const Options& options, int workers)
    : options_(options),
      workers_(workers),
      arena_(options.budget.memory_bytes.value_or(default_bytes(options.resources))) {
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
