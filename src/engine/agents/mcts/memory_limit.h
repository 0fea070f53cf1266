// For a program with many search trees at once.
// Thread safety: from any thread.
#pragma once

#include <cstdint>

namespace rowbot::agents::mcts {

/// Trees whose budget names no memory reserve no more than this from now on. Without a call each
/// reserves a quarter of what is free, which a few agents under a limit of the address space
/// (ulimit -v) take from everything else.
void limit_default_memory(std::uint64_t bytes);

}  // namespace rowbot::agents::mcts
