// Tree search from the empty board. Signature: the visits of the seven root moves, as one number.
#include <cstdint>

#include "engine/agents/mcts/search.h"
#include "signature.h"

namespace rowbot::agents::mcts {
namespace {

std::uint64_t visits_signature(const Options& options) {
  Search search(options, 1);
  search.begin(game::Position());
  Rng rng(7);
  search.run(BudgetMeter({.simulations = 20'000}, {}), rng);
  std::uint64_t mixed = 0;
  for (const RootMove& move : search.root_moves()) mixed = mixed * 31 + move.visits;
  return mixed;
}

void BM_Search(benchmark::State& state, const Options& options) {
  const auto simulations = static_cast<std::uint64_t>(state.range(0));
  Search search(options, 1);
  for (auto _ : state) {
    Rng rng(7);
    search.begin(game::Position());
    search.run(BudgetMeter({.simulations = simulations}, {}), rng);
  }
  state.counters["sims"] = benchmark::Counter(static_cast<double>(simulations),
                                              benchmark::Counter::kIsIterationInvariantRate);
  state.counters["bytes/sim"] =
      static_cast<double>(search.blocks() * sizeof(Block)) / static_cast<double>(simulations);
}

}  // namespace
}  // namespace rowbot::agents::mcts

int main(int argc, char** argv) {
  using namespace rowbot::agents::mcts;
  const auto add = [](const char* name, const Options& options) {
    benchmark::RegisterBenchmark(name, BM_Search, options)
        ->Arg(10'000)
        ->Arg(100'000)
        ->Arg(1'000'000)
        ->Unit(benchmark::kMillisecond);
  };
  add("plain", plain_preset());
  add("default", Options{});
  return rowbot::bench::run(
      argc, argv,
      {{"plain", 773'939'494'280, [] { return visits_signature(plain_preset()); }},
       {"carlo", 199'901'899'850, [] { return visits_signature(carlo_preset()); }},
       {"boehm", 296'750'673'950, [] { return visits_signature(boehm_preset()); }},
       {"default", 1'272'867'361'820, [] { return visits_signature(Options{}); }}});
}
