#include "base/text.h"

#include <array>
#include <chrono>
#include <string_view>

#include "gtest/gtest.h"

namespace rowbot {
namespace {

using namespace std::chrono_literals;

TEST(Text, ReadsTimesWithTheirUnits) {
  EXPECT_EQ(*parse_duration("250us"), 250us);
  EXPECT_EQ(*parse_duration("100ms"), 100ms);
  EXPECT_EQ(*parse_duration("1.5s"), 1500ms);
  EXPECT_EQ(*parse_duration("2min"), 2min);
}

TEST(Text, RefusesTimesWithoutAUnitOrANumber) {
  for (const char* bad :
       {"", "100", "ms", "-5ms", "1e3s", "1..5s", "5 ms", "nan", "999999999min"}) {
    EXPECT_FALSE(parse_duration(bad).has_value()) << bad;
  }
}

TEST(Text, PrintsTimesSoThatTheyReadBack) {
  for (const auto time : {0ns, 1ns, 1500ns, 15'000'000ns, 1'500'000'000ns, 60'000'000'000ns}) {
    EXPECT_EQ(*parse_duration(duration_text(time)), time) << duration_text(time);
  }
}

TEST(Text, ReadsCountsExactlyAndWithSuffix) {
  EXPECT_EQ(*parse_count("18446744073709551615"), UINT64_MAX);
  EXPECT_EQ(*parse_count("10k"), 10'000U);
  EXPECT_EQ(*parse_count("2.5M"), 2'500'000U);
  EXPECT_FALSE(parse_count("-1").has_value());
  EXPECT_FALSE(parse_count("18446744073709551616").has_value());
}

TEST(Text, ReadsSizesInPowersOf1024) {
  EXPECT_EQ(*parse_bytes("64MB"), 64U * 1024 * 1024);
  EXPECT_EQ(*parse_bytes("12"), 12U);
  EXPECT_FALSE(parse_bytes("12XB").has_value());
}

TEST(Text, ReadsNumbersAndSwitches) {
  EXPECT_DOUBLE_EQ(*parse_number("-0.25"), -0.25);
  EXPECT_FALSE(parse_number("inf").has_value());
  EXPECT_FALSE(parse_number("1,5").has_value());
  EXPECT_TRUE(*parse_switch("on"));
  EXPECT_FALSE(*parse_switch("no"));
  EXPECT_FALSE(parse_switch("maybe").has_value());
}

TEST(Text, SuggestsWhatWasProbablyMeant) {
  constexpr std::array<std::string_view, 4> kNames{"random", "forward", "mcts", "minimax"};
  EXPECT_EQ(nearest("randm", kNames), "random");
  EXPECT_EQ(nearest("mtcs", kNames), "mcts");
  EXPECT_EQ(nearest("mini", kNames), "minimax");
  EXPECT_EQ(nearest("zzzzzz", kNames), std::nullopt);
  EXPECT_EQ(nearest("", kNames), std::nullopt);
}

TEST(Text, QuotesWhatCannotBePrinted) {
  EXPECT_EQ(in_quotes('a'), "'a'");
  EXPECT_EQ(in_quotes('\n'), "character number 10");
  EXPECT_EQ(in_quotes(std::string_view("a\tb")), "'a\\x09b'");
  EXPECT_LT(in_quotes(std::string_view(std::string(5000, 'x'))).size(), 100U);
}

TEST(Text, SplitsAndTrims) {
  EXPECT_EQ(split("a,,b", ',').size(), 3U);
  EXPECT_EQ(split("", ',').size(), 1U);
  EXPECT_EQ(trimmed("  a b \r\n"), "a b");
  EXPECT_EQ(trimmed(" \t"), "");
}

}  // namespace
}  // namespace rowbot
