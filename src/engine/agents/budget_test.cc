#include "engine/agents/budget.h"

#include <chrono>

#include "base/stop.h"
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

TEST(Budget, KeepsToTheClockItIsGiven) {
  SimulatedClock clock;
  const BudgetMeter meter({.time = 10ms}, {}, clock);
  clock.advance(9ms);
  EXPECT_FALSE(meter.exhausted(0));
  EXPECT_FALSE(meter.deadline().passed());
  clock.advance(1ms);
  EXPECT_TRUE(meter.exhausted(0));
  EXPECT_TRUE(meter.deadline().passed());
  EXPECT_EQ(meter.elapsed(), 10ms);
}

TEST(Budget, HasADeadlineOnlyWhereTheTimeAloneDecides) {
  SimulatedClock clock;
  const auto passed = [&clock](const Budget& budget) {
    return BudgetMeter(budget, {}, clock).deadline().passed();
  };
  EXPECT_TRUE(passed({.time = kOver, .simulations = 100}));
  EXPECT_FALSE(passed({.time = kOver, .simulations = 100, .rule = Rule::kAllReached}));
  EXPECT_TRUE(passed({.time = kOver, .rule = Rule::kAllReached}));
  EXPECT_FALSE(passed({.simulations = 100}));
}

TEST(Budget, EndsWhenAStopIsRequestedWhateverTheRule) {
  StopSource source;
  const BudgetMeter meter({.time = kLong, .rule = Rule::kAllReached}, source.get_token());
  EXPECT_FALSE(meter.exhausted(0));
  source.request_stop();
  EXPECT_TRUE(meter.exhausted(0));
}

TEST(Budget, CanBeMeteredInPartsThatShareStartAndStop) {
  StopSource source;
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
