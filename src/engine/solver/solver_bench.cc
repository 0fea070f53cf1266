// What solving costs. The signatures are node counts: they change with every change of the search,
// and a change that was not meant to alter it shows here.

#include <array>
#include <cstdint>
#include <string_view>

#include "benchmark/benchmark.h"
#include "engine/solver/book.h"
#include "engine/solver/solver.h"
#include "game/moves_text.h"
#include "signature.h"

namespace rowbot::solver {
namespace {

// From the classic sets: middle-easy and middle-medium, begin-medium.
constexpr std::array<std::string_view, 3> kMiddle{"52753311433677442422121", "271713432331713132",
                                                  "5455174361263362"};
constexpr std::array<std::string_view, 3> kBegin{"335662333565", "157564142155", "2541266355551"};

template <std::size_t kCount>
std::uint64_t nodes_of(const std::array<std::string_view, kCount>& games) {
  Solver solver({.table_mb = 64});
  std::uint64_t nodes = 0;
  for (const std::string_view moves : games) {
    solver.forget();
    nodes += solver.score(*game::parse_moves(moves))->nodes;
  }
  return nodes;
}

std::uint64_t middle_nodes() { return nodes_of(kMiddle); }
std::uint64_t begin_nodes() { return nodes_of(kBegin); }

template <std::size_t kCount>
void solve(benchmark::State& state, const std::array<std::string_view, kCount>& games) {
  Solver solver({.table_mb = 64});
  std::uint64_t nodes = 0;
  for (auto _ : state) {
    for (const std::string_view moves : games) {
      solver.forget();
      nodes += solver.score(*game::parse_moves(moves))->nodes;
    }
  }
  state.counters["nodes/s"] =
      benchmark::Counter(static_cast<double>(nodes), benchmark::Counter::kIsRate);
}

void BM_Middle(benchmark::State& state) { solve(state, kMiddle); }
BENCHMARK(BM_Middle)->Unit(benchmark::kMicrosecond);

void BM_Begin(benchmark::State& state) { solve(state, kBegin); }
BENCHMARK(BM_Begin)->Unit(benchmark::kMillisecond);

void BM_Book(benchmark::State& state) {
  const Book& book = Book::built_in();
  const game::Position position = *game::parse_moves("44");
  for (auto _ : state) benchmark::DoNotOptimize(book.find(position));
}
BENCHMARK(BM_Book);

}  // namespace
}  // namespace rowbot::solver

int main(int argc, char** argv) {
  using namespace rowbot::solver;
  return rowbot::bench::run(argc, argv,
                            {{"nodes of middle positions", 8'782, middle_nodes},
                             {"nodes of begin positions", 21'251, begin_nodes}});
}
