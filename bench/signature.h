// What every benchmark program shares: before any timing it computes its signatures (counts of
// nodes, visits, positions: the same on every machine) and fails when one has changed. With
// --signatures-only, as the test suite calls it, that is all.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string_view>
#include <vector>

#include "benchmark/benchmark.h"

namespace rowbot::bench {

struct Signature {
  const char* name;
  std::uint64_t expected;
  std::uint64_t (*compute)();
};

inline int run(int argc, char** argv, const std::vector<Signature>& signatures) {
  bool good = true;
  for (const Signature& s : signatures) {
    const std::uint64_t actual = s.compute();
    std::printf("signature %s: %llu\n", s.name, static_cast<unsigned long long>(actual));
    if (actual != s.expected) {
      std::fprintf(stderr, "signature %s changed: expected %llu\n", s.name,
                   static_cast<unsigned long long>(s.expected));
      good = false;
    }
  }
  if (!good) return 1;
  if (argc == 2 && std::string_view(argv[1]) == "--signatures-only") return 0;
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

}  // namespace rowbot::bench
