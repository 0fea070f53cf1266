// What the bitboards cost: counting positions, finding threats, the end of a game.

#include <cstdint>
#include <vector>

#include "base/rng.h"
#include "benchmark/benchmark.h"
#include "game/perft.h"
#include "game/position.h"
#include "game/random_game.h"
#include "signature.h"

namespace rowbot::game {
namespace {

std::uint64_t positions_to_ply_8() {
  std::uint64_t sum = 0;
  count_positions(8, [&](int /*ply*/, std::uint64_t positions) { sum += positions; });
  return sum;
}

std::vector<Position> sample() {
  Rng rng(1);
  std::vector<Position> positions;
  for (int i = 0; i < 4096; ++i) positions.push_back(testing::random_position(rng));
  return positions;
}

std::uint64_t threats_of_sample() {
  std::uint64_t sum = 0;
  for (const Position& p : sample()) {
    sum += static_cast<std::uint64_t>(count(p.mover_threats()) + count(p.opponent_threats()));
  }
  return sum;
}

void BM_CountPositionsToPly8(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(positions_to_ply_8());
}
BENCHMARK(BM_CountPositionsToPly8)->Unit(benchmark::kMillisecond);

template <class Function>
void over_sample(benchmark::State& state, Function function) {
  const auto positions = sample();
  for (auto _ : state) {
    for (const Position& p : positions) benchmark::DoNotOptimize(function(p));
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(positions.size()));
}

void BM_Threats(benchmark::State& state) {
  over_sample(state, [](const Position& p) { return p.mover_threats(); });
}
BENCHMARK(BM_Threats);

void BM_Outcome(benchmark::State& state) {
  over_sample(state, [](const Position& p) { return p.outcome(); });
}
BENCHMARK(BM_Outcome);

void BM_NonLosingMoves(benchmark::State& state) {
  over_sample(state, [](const Position& p) { return p.non_losing_moves(); });
}
BENCHMARK(BM_NonLosingMoves);

}  // namespace
}  // namespace rowbot::game

int main(int argc, char** argv) {
  using namespace rowbot::game;
  return rowbot::bench::run(argc, argv,
                            {{"positions to ply 8", 261'234, positions_to_ply_8},
                             {"threats of 4096 random positions", 7'068, threats_of_sample}});
}
