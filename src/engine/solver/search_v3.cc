// The search for x86-64 processors of the last ten years (AVX2, BMI, POPCNT). Compiled with
// -march=x86-64-v3; must define nothing that another file could be linked to.
#include "engine/solver/search_tree.h"

namespace rowbot::solver {

struct ProcessorV3 {};

int tree_value_v3(SearchThread& thread, const Node& node, int alpha) {
  return Tree<ProcessorV3>(thread).root(node, alpha);
}

}  // namespace rowbot::solver
