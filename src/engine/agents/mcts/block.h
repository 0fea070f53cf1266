// What workers do with one block: its counters, its first contents, and what its moves prove.
// Thread safety: Counter<true> from several threads at once; the rest as it says.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <utility>

#include "engine/agents/mcts/options.h"
#include "engine/agents/mcts/prior.h"
#include "engine/agents/mcts/tree.h"
#include "game/bits.h"

namespace rowbot::agents::mcts {

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

/// A block of a position: closed moves are out of the question. With proofs, moves that lose at
/// once are closed too.
inline void fill_block(Block& block, game::Bits mover, game::Bits filled, const Options& options) {
  block = {};
  const bool proofs = options.proofs;
  const auto known = options.prior != nullptr ? options.prior->look(mover, filled) : std::nullopt;
  const game::Bits legal = game::playable_squares(filled);
  const game::Bits wins = proofs ? game::winning_squares(mover, filled) : 0;
  const game::Bits kept = proofs ? game::safe_squares(mover, filled) | wins : legal;
  for (std::size_t i = 0; i < kMoves; ++i) {
    const game::Bits column = game::column_mask(static_cast<int>(i));
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

}  // namespace rowbot::agents::mcts
