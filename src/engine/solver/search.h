// The search behind the Solver: one null window on one thread.
// Thread safety: a SearchThread belongs to one thread; threads share the table.
#pragma once

#include <cstdint>

#include "base/clock.h"
#include "base/stop.h"
#include "engine/solver/ordering.h"
#include "engine/solver/table.h"
#include "game/position.h"

namespace rowbot::solver {

struct SearchThread {
  Table* table = nullptr;
  // Polled every few thousand nodes, which takes no time that could be measured.
  Deadline deadline;
  StopToken stop;                         // the caller's
  StopToken overtaken;                    // another thread has the answer
  std::uint64_t node_limit = UINT64_MAX;  // gives up after so many nodes of its own
  std::uint64_t jitter = 0;               // not 0: a seed that shuffles the order of moves a little

  std::uint64_t nodes = 0;  // positions whose moves were searched, since the thread was made
  bool gave_up = false;     // for one of the reasons above; nothing returned since then is true
  History history;
};

/// Whether the score of `position` exceeds alpha. The result is a bound: if it exceeds alpha, the
/// score is at least the result, else at most. Requires an unfinished game in which the side to
/// move cannot win at once, and -22 < alpha < 22.
[[nodiscard]] int search_null_window(SearchThread& thread, const game::Position& position,
                                     int alpha);

/// Whether the caller, the clock or a faster thread ends the search. Compiled once, for any
/// processor.
[[nodiscard]] bool told_to_stop(const SearchThread& thread);

/// The name of the variant in use: "x86-64-v3" or "generic".
[[nodiscard]] const char* search_variant();

}  // namespace rowbot::solver
