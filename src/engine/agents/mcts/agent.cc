#include "engine/agents/mcts/agent.h"

#include <algorithm>
#include <cstddef>

#include "base/parallel.h"
#include "engine/agents/mcts/final_choice.h"

namespace rowbot::agents::mcts {
namespace {

using game::Position;

/// Final::kMix plans to stop here and goes on, up to the whole budget, while the two best differ.
constexpr int kMixPlannedPercent = 80;
constexpr int kMixStepPercent = 5;

/// The solver begins with so many nodes, and is not asked again after this part of the time.
constexpr std::uint64_t kFirstSolverNodes = 500;
constexpr int kSolverShare = 10;

Budget percent_of(const Budget& whole, int percent) {
  Budget part = whole;
  if (part.time) part.time = *part.time * percent / 100;
  if (part.simulations) part.simulations = *part.simulations * static_cast<unsigned>(percent) / 100;
  return part;
}

/// A tree for each of `threads` makes its part of the simulations.
Budget share_of(const Budget& whole, std::uint64_t thread, std::uint64_t threads) {
  Budget part = whole;
  if (part.simulations) {
    part.simulations = *part.simulations / threads + (thread < *part.simulations % threads ? 1 : 0);
  }
  return part;
}

}  // namespace

MctsAgent::MctsAgent(const Options& options) : options_(options), rng_(options.seed) {
  options_.threads = std::max(1, options_.threads);
  Options each = options_;
  const int trees = options_.sharing == Sharing::kRoot ? options_.threads : 1;
  if (each.budget.memory_bytes) *each.budget.memory_bytes /= static_cast<unsigned>(trees);
  each.resources.memory_bytes /= static_cast<unsigned>(trees);
  for (int i = 0; i < trees; ++i) {
    searches_.push_back(std::make_unique<Search>(each, options_.threads / trees));
  }
}

Claims MctsAgent::claims() const {
  return {.takes_wins = options_.proofs,
          .blocks_wins = options_.proofs,
          .repeatable = options_.threads == 1 || options_.sharing == Sharing::kRoot};
}

void MctsAgent::start_game(std::uint64_t seed) {
  rng_ = Rng(seed);
  if (solver_) solver_->forget();
  for (const auto& search : searches_) search->forget();
}

std::uint64_t MctsAgent::tree_bytes() const {
  std::uint64_t bytes = 0;
  for (const auto& search : searches_) bytes += search->blocks() * sizeof(Block);
  return bytes;
}

void MctsAgent::run_all(const BudgetMeter& meter) {
  const auto threads = static_cast<std::size_t>(options_.threads);
  std::vector<Rng> rngs;
  for (std::size_t i = 0; i < threads; ++i) rngs.emplace_back(rng_());
  run_parallel(threads, [&](std::size_t i) {
    if (searches_.size() == 1) {
      searches_.front()->run(meter, rngs[i], i);
    } else {
      searches_[i]->run(meter.with(share_of(meter.budget(), i, threads)), rngs[i]);
    }
  });
}

std::vector<RootMove> MctsAgent::root_moves() const {
  std::vector<RootMove> sum = searches_.front()->root_moves();
  for (std::size_t i = 1; i < searches_.size(); ++i) {
    const std::vector<RootMove> more = searches_[i]->root_moves();
    for (std::size_t move = 0; move < sum.size(); ++move) {
      sum[move].visits += more[move].visits;
      sum[move].points += more[move].points;
      // What one tree has proven is true in all.
      if (sum[move].proof.open() || more[move].proof.better_than(sum[move].proof)) {
        sum[move].proof = more[move].proof;
      }
    }
  }
  return sum;
}

/// Asks the solver with more and more nodes, as long as that leaves most of the time to the search.
std::optional<SolverProof::Best> MctsAgent::solve(const Position& position,
                                                  const BudgetMeter& meter) {
  if (options_.solver_nodes == 0) return std::nullopt;
  if (!solver_) solver_.emplace();
  const auto time = meter.budget().time;
  for (std::uint64_t nodes = kFirstSolverNodes;; nodes *= 2) {
    nodes = std::min(nodes, options_.solver_nodes);
    if (auto best = solver_->best(position, nodes, meter.stop_token())) return best;
    const bool late = time && meter.elapsed() * kSolverShare >= *time;
    if (late || meter.stopped() || nodes == options_.solver_nodes) return std::nullopt;
  }
}

Decision MctsAgent::think(const Position& position, const BudgetMeter& meter) {
  if (const auto best = solve(position, meter)) {
    return {.column = best->column,
            .moves = {{.column = best->column, .proven = best->proven}},
            .nodes = best->nodes,
            .depth = best->proven.plies,
            .proven = best->proven};
  }
  auto memory_bytes = meter.budget().memory_bytes;
  if (memory_bytes) *memory_bytes /= searches_.size();
  for (const auto& search : searches_) search->begin(position, memory_bytes);
  if (options_.final_choice == Final::kMix) {
    for (int percent = kMixPlannedPercent; percent <= 100; percent += kMixStepPercent) {
      run_all(meter.with(percent_of(meter.budget(), percent)));
      if (mix_is_settled(root_moves())) break;
    }
  } else {
    run_all(meter);
  }
  const std::vector<RootMove> moves = root_moves();
  Decision decision{.column = final_move(moves, options_.final_choice, options_.secure_a)};
  for (const RootMove& move : moves) {
    MoveEvidence evidence{.column = move.column,
                          .visits = move.visits,
                          .proven = proven_of(move.proof, position.discs())};
    if (evidence.proven) {
      evidence.value = evidence.proven->value == Proven::Value::kWin    ? 1
                       : evidence.proven->value == Proven::Value::kLoss ? -1
                                                                        : 0;
    } else if (move.visits > 0) {
      evidence.value = 2 * move.mean() - 1;
    }
    decision.moves.push_back(evidence);
  }
  for (const auto& search : searches_) {
    decision.simulations += search->simulations();
    decision.nodes += search->blocks();
    decision.depth = std::max(decision.depth, search->depth());
    if (!search->root_proof().open() && !decision.proven) {
      decision.proven = proven_of(search->root_proof(), position.discs());
    }
  }
  return decision;
}

}  // namespace rowbot::agents::mcts
