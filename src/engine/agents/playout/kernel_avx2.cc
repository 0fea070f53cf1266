// Compiled with the flags of its instruction set; see lanes.h for what that forbids.
#include "engine/agents/playout/lanes.h"

namespace rowbot::agents::playout {

const Kernel kAvx2Kernel{"avx2", tally_with<4>, finish_with<4>};

}  // namespace rowbot::agents::playout
