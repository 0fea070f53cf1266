#include "engine/solver/search.h"

#include <cassert>

#include "engine/solver/search_tree.h"

namespace rowbot::solver {

#ifdef ROWBOT_SOLVER_V3
int tree_value_v3(SearchThread& thread, const Node& node, int alpha);
#endif

namespace {

struct ProcessorGeneric {};

int tree_value_generic(SearchThread& thread, const Node& node, int alpha) {
  return Tree<ProcessorGeneric>(thread).root(node, alpha);
}

using TreeValue = int (*)(SearchThread&, const Node&, int);

struct Variant {
  TreeValue run;
  const char* name;
};

Variant choose_variant() {
#ifdef ROWBOT_SOLVER_V3
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2")) {
    return {.run = tree_value_v3, .name = "x86-64-v3"};
  }
#endif
  return {.run = tree_value_generic, .name = "generic"};
}

const Variant& variant() {
  static const Variant chosen = choose_variant();
  return chosen;
}

}  // namespace

int search_null_window(SearchThread& thread, const game::Position& position, int alpha) {
  assert(!position.outcome().finished() && position.winning_moves() == 0);
  const Node node{.mover = position.mover(),
                  .filled = position.filled(),
                  .mover_threats = completing(position.mover()),
                  .opponent_threats = completing(position.opponent()),
                  .discs = position.discs()};
  return variant().run(thread, node, alpha);
}

bool told_to_stop(const SearchThread& thread) {
  return thread.stop.stop_requested() || thread.overtaken.stop_requested() ||
         thread.deadline.passed();
}

const char* search_variant() { return variant().name; }

}  // namespace rowbot::solver
