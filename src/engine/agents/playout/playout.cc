#include "engine/agents/playout/playout.h"

#include <array>
#include <cassert>
#include <cstddef>
#include <vector>

namespace rowbot::agents::playout {
namespace {

std::vector<const Kernel*> runnable_kernels() {
  std::vector<const Kernel*> kernels{&kScalarKernel};
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2")) {
    kernels.push_back(&kAvx2Kernel);
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw")) {
      kernels.push_back(&kAvx512Kernel);
    }
  }
#elif defined(__aarch64__)
  kernels.push_back(&kNeonKernel);
#endif
  return kernels;
}

}  // namespace

std::span<const Kernel* const> available_kernels() {
  static const std::vector<const Kernel*> kKernels = runnable_kernels();
  return kKernels;
}

const Kernel& fastest_kernel() { return *available_kernels().back(); }

Tally run(const Kernel& kernel, Policy policy, const game::Position& position,
          std::uint64_t playouts, Rng& rng) {
  assert(!position.outcome().finished());
  std::array<std::uint64_t, kStreams> streams{};
  for (std::uint64_t& stream : streams) stream = rng() | 1;
  Tally tally = kernel.tally(policy, position.mover(), position.filled(), playouts / kStreams,
                             streams.data());
  const std::size_t rest = playouts % kStreams;
  std::array<Job, kStreams> jobs{};
  std::array<std::uint8_t, kStreams> points{};
  for (std::size_t i = 0; i < rest; ++i) {
    jobs.at(i) = {.mover = position.mover(), .filled = position.filled(), .seed = rng()};
  }
  kernel.finish(policy, jobs.data(), rest, points.data());
  for (std::size_t i = 0; i < rest; ++i) {
    tally.mover_wins += points.at(i) == kWonPoints ? 1U : 0U;
    tally.draws += points.at(i) == kDrawnPoints ? 1U : 0U;
  }
  tally.playouts += rest;
  return tally;
}

}  // namespace rowbot::agents::playout
