// Small, fast, seeded randomness: the same seed gives the same numbers on every machine, which
// the standard distributions do not promise.
// Thread safety: none; each thread has its own Rng.
#pragma once

#include <cassert>
#include <cstdint>

namespace rowbot {

/// SplitMix64 (Steele, Lea, Flood 2014): a bijection that turns related seeds into unrelated ones.
constexpr std::uint64_t mix_seed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

/// xoroshiro128++ (Blackman, Vigna 2019). Also a standard UniformRandomBitGenerator.
class Rng {
 public:
  using result_type = std::uint64_t;  // NOLINT(readability-identifier-naming): a standard name

  explicit constexpr Rng(std::uint64_t seed) : a_(mix_seed(seed)), b_(mix_seed(seed + 1)) {
    if ((a_ | b_) == 0) a_ = 1;  // the one state that never leaves itself
  }

  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return UINT64_MAX; }

  constexpr result_type operator()() {
    const std::uint64_t result = rotate(a_ + b_, 17) + a_;
    const std::uint64_t mixed = b_ ^ a_;
    a_ = rotate(a_, 49) ^ mixed ^ (mixed << 21);
    b_ = rotate(mixed, 28);
    return result;
  }

  /// Uniform in 0..bound-1; requires bound > 0. Unbiased (Lemire 2019: multiply, reject the few
  /// values that would make the first results more likely).
  constexpr std::uint32_t below(std::uint32_t bound) {
    assert(bound > 0);
    while (true) {
      const std::uint64_t product = ((*this)() >> 32) * bound;
      const auto low = static_cast<std::uint32_t>(product);
      if (low >= bound || low >= (0U - bound) % bound) {
        return static_cast<std::uint32_t>(product >> 32);
      }
    }
  }

  /// Uniform in [0, 1).
  constexpr double uniform() { return static_cast<double>((*this)() >> 11) * 0x1.0p-53; }

 private:
  static constexpr std::uint64_t rotate(std::uint64_t x, int by) {
    return (x << by) | (x >> (64 - by));
  }

  std::uint64_t a_;
  std::uint64_t b_;
};

}  // namespace rowbot
