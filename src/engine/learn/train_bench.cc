// Training against random. Signatures: the states and wins of a short training, in memory and with
// a file, where they must be the same.
#include <cstdint>
#include <filesystem>
#include <string>
#include <unistd.h>

#include "engine/agents/random_agent.h"
#include "engine/learn/trainer.h"
#include "signature.h"

namespace rowbot::learn {
namespace {

std::string bench_path() {
  return (std::filesystem::temp_directory_path() /
          ("rowbot-bench-" + std::to_string(::getpid()) + ".db"))
      .string();
}

void remove_file() {
  for (const char* end : {"", "-wal", "-shm"}) std::filesystem::remove(bench_path() + end);
}

std::uint64_t train_some(std::uint64_t episodes, bool with_file) {
  Experience experience;
  if (with_file) {
    remove_file();
    auto opened = Experience::open(bench_path(), Experience::Access::kTrain);
    if (!opened) return 0;
    experience = *std::move(opened);
  }
  agents::RandomAgent opponent{agents::RandomOptions{}};
  const auto report = train(experience, opponent, {.episodes = episodes}, nullptr, {});
  if (!report) return 0;
  const double wins = experience.win_rate(episodes) * static_cast<double>(episodes);
  const std::uint64_t signature =
      report->states * 1'000'000 + static_cast<std::uint64_t>(wins + 0.5);
  if (with_file) {
    experience = Experience();
    remove_file();
  }
  return signature;
}

void BM_Train(benchmark::State& state, bool with_file) {
  const auto episodes = static_cast<std::uint64_t>(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(train_some(episodes, with_file));
  state.counters["episodes"] = benchmark::Counter(static_cast<double>(episodes),
                                                  benchmark::Counter::kIsIterationInvariantRate);
}

}  // namespace
}  // namespace rowbot::learn

int main(int argc, char** argv) {
  using namespace rowbot::learn;
  for (const bool with_file : {false, true}) {
    benchmark::RegisterBenchmark(with_file ? "with a file" : "in memory", BM_Train, with_file)
        ->Arg(50'000)
        ->Arg(250'000)
        ->MeasureProcessCPUTime()
        ->Unit(benchmark::kMillisecond);
  }
  return rowbot::bench::run(argc, argv,
                            {{"memory", 51'728'016'981, [] { return train_some(20'000, false); }},
                             {"file", 51'728'016'981, [] { return train_some(20'000, true); }}});
}
