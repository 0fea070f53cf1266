// How many different positions there are after each number of moves: the classic check of a move
// generator, since the counts are known.
// Thread safety: a pure function.
#pragma once

#include <cstdint>
#include <functional>

namespace rowbot::game {

/// The deepest ply that fits into the memory of an ordinary machine (300 MB).
inline constexpr int kDeepestPerft = 14;

/// Calls `report(ply, positions)` for each ply from 0 to `plies`. Positions that differ count
/// once, however they arise; games stop when won. Requires 0 <= plies <= kDeepestPerft.
void count_positions(int plies, const std::function<void(int, std::uint64_t)>& report);

}  // namespace rowbot::game
