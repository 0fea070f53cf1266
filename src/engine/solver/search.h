// The search behind the Solver: one null window on one thread.
// Thread safety: a SearchThread belongs to one thread; threads share the table and the stop flag.
#pragma once

#include <atomic>
#include <cstdint>

#include "engine/solver/ordering.h"
#include "engine/solver/table.h"
#include "game/position.h"

namespace rowbot::solver {

struct SearchThread {
  Table* table = nullptr;
  const std::atomic<bool>* stop = nullptr;  // polled every few thousand nodes; may be null
  std::uint64_t node_limit = UINT64_MAX;    // gives up after so many nodes of its own
  std::uint64_t jitter = 0;  // not 0: a seed that shuffles the order of moves a little

  std::uint64_t nodes = 0;  // positions whose moves were searched, since the thread was made
  bool gave_up = false;     // by the stop flag or the limit; nothing returned since then is true
  History history;
};

/// Whether the score of `position` exceeds alpha. The result is a bound: if it exceeds alpha, the
/// score is at least the result, else at most. Requires an unfinished game in which the side to
/// move cannot win at once, and -22 < alpha < 22.
[[nodiscard]] int search_null_window(SearchThread& thread, const game::Position& position,
                                     int alpha);

/// The name of the variant in use: "x86-64-v3" or "generic".
[[nodiscard]] const char* search_variant();

}  // namespace rowbot::solver
