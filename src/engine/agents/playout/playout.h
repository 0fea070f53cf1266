// Playouts: games played to their end by chance, on the widest instructions this machine has.
// Thread safety: pure functions; the Rng is the caller's.
#pragma once

#include <cstdint>
#include <span>

#include "base/rng.h"
#include "engine/agents/playout/kernel.h"
#include "game/position.h"

namespace rowbot::agents::playout {

/// The kernels this machine can run, the slowest (scalar) first.
[[nodiscard]] std::span<const Kernel* const> available_kernels();
[[nodiscard]] const Kernel& fastest_kernel();

/// Playouts from one position; the plies of at most 15 of them are not counted when `playouts` is
/// not a multiple of kStreams. Requires an unfinished game.
[[nodiscard]] Tally run(const Kernel& kernel, Policy policy, const game::Position& position,
                        std::uint64_t playouts, Rng& rng);

}  // namespace rowbot::agents::playout
