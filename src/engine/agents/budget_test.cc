#include "engine/agents/budget.h"

#include <chrono>
#include <stop_token>

#include "gtest/gtest.h"

namespace rowbot::agents {
namespace {

using namespace std::chrono_literals;
using Rule = Budget::Rule;

constexpr auto kLong = 1h;
constexpr auto kOver = 0ns;

bool exhausted(const Budget& budget, std::uint64_t simulations) {
  return BudgetMeter(budget, {}).exhausted(simulations);
}

TEST(Budget, StopsAtTheFirstLimitReached) {
  EXPECT_FALSE(exhausted({.time = kLong, .simulations = 100}, 99));
  EXPECT_TRUE(exhausted({.time = kLong, .simulations = 100}, 100));
  EXPECT_TRUE(exhausted({.time = kOver, .simulations = 100}, 1));
}

TEST(Budget, WaitsForBothWhenAskedTo) {
  EXPECT_FALSE(exhausted({.time = kLong, .simulations = 100, .rule = Rule::kAllReached}, 100));
  EXPECT_FALSE(exhausted({.time = kOver, .simulations = 100, .rule = Rule::kAllReached}, 99));
  EXPECT_TRUE(exhausted({.time = kOver, .simulations = 100, .rule = Rule::kAllReached}, 100));
  EXPECT_TRUE(exhausted({.simulations = 100, .rule = Rule::kAllReached}, 100));
}

TEST(Budget, WithoutLimitsNeverEndsByItself) {
  EXPECT_FALSE(exhausted({}, UINT64_MAX));
  EXPECT_FALSE(exhausted({.rule = Rule::kAllReached}, UINT64_MAX));
}

TEST(Budget, EndsWhenAStopIsRequestedWhateverTheRule) {
  std::stop_source source;
  const BudgetMeter meter({.time = kLong, .rule = Rule::kAllReached}, source.get_token());
  EXPECT_FALSE(meter.exhausted(0));
  source.request_stop();
  EXPECT_TRUE(meter.exhausted(0));
}

TEST(Budget, CanBeMeteredInPartsThatShareStartAndStop) {
  std::stop_source source;
  const BudgetMeter whole({.simulations = 100}, source.get_token());
  const BudgetMeter part = whole.with({.simulations = 10});
  EXPECT_TRUE(part.exhausted(10));
  EXPECT_FALSE(whole.exhausted(10));
  EXPECT_TRUE(whole.with({.time = kOver}).exhausted(0));
  EXPECT_FALSE(part.exhausted(9));
  source.request_stop();
  EXPECT_TRUE(part.exhausted(9));
}

}  // namespace
}  // namespace rowbot::agents
