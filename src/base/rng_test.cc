#include "base/rng.h"

#include <array>
#include <cstdint>

#include "gtest/gtest.h"

namespace rowbot {
namespace {

TEST(Rng, RepeatsItselfForTheSameSeed) {
  Rng a(7);
  Rng b(7);
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(a(), b());
}

TEST(Rng, DiffersForNeighbouringSeeds) {
  Rng a(7);
  Rng b(8);
  int equal = 0;
  for (int i = 0; i < 1000; ++i) equal += a() == b() ? 1 : 0;
  EXPECT_EQ(equal, 0);
}

TEST(Rng, IsUniformBelowABound) {
  constexpr int kDraws = 700'000;
  Rng rng(1);
  std::array<int, 7> counts{};
  for (int i = 0; i < kDraws; ++i) ++counts.at(rng.below(7));
  double chi_square = 0;
  for (const int n : counts) chi_square += (n - kDraws / 7.0) * (n - kDraws / 7.0) / (kDraws / 7.0);
  EXPECT_LT(chi_square, 22.5);  // 6 degrees of freedom: passed by a fair source 999 times in 1,000
}

TEST(Rng, UniformStaysInItsInterval) {
  Rng rng(3);
  double sum = 0;
  for (int i = 0; i < 100'000; ++i) {
    const double x = rng.uniform();
    ASSERT_GE(x, 0.0);
    ASSERT_LT(x, 1.0);
    sum += x;
  }
  EXPECT_NEAR(sum / 100'000, 0.5, 0.005);
}

}  // namespace
}  // namespace rowbot
