// Compiled with the flags of its instruction set; see lanes.h for what that forbids.
#include "engine/agents/playout/lanes.h"

namespace rowbot::agents::playout {

const Kernel kAvx512Kernel{"avx512", tally_with<8>, finish_with<8>};

}  // namespace rowbot::agents::playout
