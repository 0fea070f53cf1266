// Playouts of every policy and kernel. Signature: wins and plies of fixed seeds, equal for all
// kernels.
#include <cstdint>
#include <string>
#include <utility>

#include "engine/agents/playout/playout.h"
#include "signature.h"

namespace rowbot::agents::playout {
namespace {

Tally fixed_run(const Kernel& kernel, Policy policy) {
  Rng rng(2024);
  return run(kernel, policy, game::Position(), 16'000, rng);
}

template <Policy kPolicy>
std::uint64_t signature() {
  const Tally expected = fixed_run(kScalarKernel, kPolicy);
  for (const Kernel* kernel : available_kernels()) {
    if (!(fixed_run(*kernel, kPolicy) == expected)) return 0;
  }
  return expected.plies * 100'000 + expected.mover_wins;
}

void BM_Playouts(benchmark::State& state, const Kernel* kernel, Policy policy) {
  Rng rng(1);
  std::uint64_t playouts = 0;
  for (auto _ : state) {
    playouts += run(*kernel, policy, game::Position(), 16'000, rng).playouts;
  }
  state.counters["playouts"] =
      benchmark::Counter(static_cast<double>(playouts), benchmark::Counter::kIsRate);
}

void register_all() {
  constexpr std::pair<const char*, Policy> kPolicies[] = {{"uniform", Policy::kUniform},
                                                          {"win", Policy::kWin},
                                                          {"win-block", Policy::kWinBlock},
                                                          {"careful", Policy::kCareful}};
  for (const Kernel* kernel : available_kernels()) {
    for (const auto& [name, policy] : kPolicies) {
      benchmark::RegisterBenchmark((std::string(kernel->name) + "/" + name).c_str(), BM_Playouts,
                                   kernel, policy);
    }
  }
}

}  // namespace
}  // namespace rowbot::agents::playout

int main(int argc, char** argv) {
  using namespace rowbot::agents::playout;
  register_all();
  return rowbot::bench::run(argc, argv,
                            {{"uniform", 34'094'508'859, signature<Policy::kUniform>},
                             {"win", 22'472'309'591, signature<Policy::kWin>},
                             {"win-block", 40'899'308'157, signature<Policy::kWinBlock>},
                             {"careful", 47'352'407'624, signature<Policy::kCareful>}});
}
