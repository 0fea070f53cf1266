// Every 64-bit ARM has these instructions. Four lanes are two registers: while one waits for a
// result, the other goes on.
#include "engine/agents/playout/lanes.h"

namespace rowbot::agents::playout {

const Kernel kNeonKernel{"neon", tally_with<4>, finish_with<4>};

}  // namespace rowbot::agents::playout
