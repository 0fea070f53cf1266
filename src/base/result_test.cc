#include "base/result.h"

#include <memory>
#include <string>

#include "gtest/gtest.h"

namespace rowbot {
namespace {

Result<int> half(int n) {
  if (n % 2 != 0) return Error{"odd"};
  return n / 2;
}

TEST(Result, HoldsAValue) {
  const auto r = half(8);
  ASSERT_TRUE(r.has_value());
  EXPECT_EQ(*r, 4);
  EXPECT_EQ(r.value_or(7), 4);
}

TEST(Result, HoldsAnError) {
  const auto r = half(9);
  ASSERT_FALSE(r.has_value());
  EXPECT_EQ(r.error().message, "odd");
  EXPECT_EQ(r.value_or(7), 7);
}

TEST(Result, CarriesAStringWithoutConfusingItForAnError) {
  const Result<std::string> good(std::string("fine"));
  const Result<std::string> bad(Error{"broken"});
  EXPECT_TRUE(good.has_value());
  EXPECT_FALSE(bad.has_value());
}

TEST(Result, GivesAwayWhatCanOnlyBeMoved) {
  Result<std::unique_ptr<int>> r(std::make_unique<int>(3));
  const std::unique_ptr<int> taken = *std::move(r);
  EXPECT_EQ(*taken, 3);
}

TEST(Result, OfVoidSaysOnlyWhetherItWorked) {
  const Result<void> good;
  const Result<void> bad = Error{"no"};
  EXPECT_TRUE(good.has_value());
  ASSERT_FALSE(bad.has_value());
  EXPECT_EQ(bad.error().message, "no");
}

}  // namespace
}  // namespace rowbot
