#include "engine/solver/table.h"

#include <cstdint>
#include <thread>
#include <unordered_map>
#include <vector>

#include "base/rng.h"
#include "gtest/gtest.h"

namespace rowbot::solver {
namespace {

constexpr std::uint64_t kKeyMask = (std::uint64_t{1} << 49) - 1;

TEST(Table, TakesTheLargestPowerOfTwoThatFits) {
  EXPECT_EQ(Table(1).bytes(), std::size_t{1} << 20);
  EXPECT_EQ(Table(3).bytes(), std::size_t{2} << 20);
  EXPECT_EQ(Table(64).bytes(), std::size_t{64} << 20);
}

TEST(Table, KnowsNothingAtFirst) {
  const Table table(1);
  Bounds bounds{};
  Rng rng(1);
  for (int i = 0; i < 1000; ++i) EXPECT_FALSE(table.probe(table.hash(rng() & kKeyMask), bounds));
}

TEST(Table, GivesDifferentKeysDifferentHashes) {
  const Table table(1);
  std::unordered_map<std::uint64_t, std::uint64_t> key_of;
  Rng rng(2);
  for (int i = 0; i < 200'000; ++i) {
    const std::uint64_t key = rng() & kKeyMask;
    const auto [at, fresh] = key_of.emplace(table.hash(key), key);
    if (!fresh) {
      EXPECT_EQ(at->second, key);
    }
  }
}

TEST(Table, NeverAnswersForAnotherPosition) {
  // Many more keys than entries: whatever is found must be what was stored for that key.
  Table table(1);
  const auto bounds_for = [](std::uint64_t key) {
    const int lower = static_cast<int>(key % 20) - 20;
    return Bounds{.lower = lower, .upper = lower + static_cast<int>(key % 7)};
  };
  Rng rng(3);
  std::vector<std::uint64_t> keys;
  for (int i = 0; i < 400'000; ++i) {
    keys.push_back(rng() & kKeyMask);
    table.store(table.hash(keys.back()), bounds_for(keys.back()), i % 30);
  }
  int found = 0;
  for (const std::uint64_t key : keys) {
    Bounds bounds{};
    if (!table.probe(table.hash(key), bounds)) continue;
    ++found;
    ASSERT_EQ(bounds.lower, bounds_for(key).lower);
    ASSERT_EQ(bounds.upper, bounds_for(key).upper);
  }
  EXPECT_GT(found, 100'000);
}

TEST(Table, JoinsWhatItLearnsAboutAPosition) {
  Table table(1);
  const std::uint64_t hash = table.hash(12345);
  table.store(hash, {.lower = -3, .upper = Table::kNoUpper}, 1);
  table.store(hash, {.lower = Table::kNoLower, .upper = 5}, 1);
  Bounds bounds{};
  ASSERT_TRUE(table.probe(hash, bounds));
  EXPECT_EQ(bounds.lower, -3);
  EXPECT_EQ(bounds.upper, 5);
}

TEST(Table, ForgetsWithEveryGeneration) {
  Table table(1);
  for (int generation = 0; generation < 600; ++generation) {
    const std::uint64_t hash = table.hash(77);
    Bounds bounds{};
    ASSERT_FALSE(table.probe(hash, bounds)) << generation;
    table.store(hash, {.lower = 0, .upper = 1}, 3);
    ASSERT_TRUE(table.probe(hash, bounds)) << generation;
    table.next_generation();
  }
}

TEST(Table, NeverTearsAnEntryUnderManyThreads) {
  Table table(1);
  constexpr std::uint64_t kKeys = 64;
  std::vector<std::jthread> threads;
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    threads.emplace_back([&table, seed] {
      Rng rng(seed);
      for (int i = 0; i < 50'000; ++i) {
        const std::uint64_t key = rng.below(kKeys);
        const int value = static_cast<int>(key % 40) - 20;
        table.store(table.hash(key), {.lower = value, .upper = value}, static_cast<int>(i % 20));
        Bounds bounds{};
        if (table.probe(table.hash(key), bounds)) {
          ASSERT_EQ(bounds.lower, value);
          ASSERT_EQ(bounds.upper, value);
        }
      }
    });
  }
}

}  // namespace
}  // namespace rowbot::solver
