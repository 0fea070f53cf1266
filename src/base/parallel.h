// Work on several threads at once. parallel.cc is the only file of base, game and engine that knows
// threads: without them (ROWBOT_WITHOUT_THREADS) the parts of the work are done one after the
// other. Thread safety: blocks its caller.
#pragma once

#include <cstddef>
#include <functional>

namespace rowbot {

/// Calls work(0) to work(count - 1), each on a thread of its own, the first on the caller's.
/// Returns when all have ended. `work` must not throw.
void run_parallel(std::size_t count, const std::function<void(std::size_t)>& work);

}  // namespace rowbot
