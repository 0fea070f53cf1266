#include "service/server/http/request_costs.h"

#include "gtest/gtest.h"
#include "service/server/http/client_address.h"
#include "service/server/http/rate_limiter.h"

namespace rowbot::server {
namespace {

using std::chrono::hours;
using std::chrono::seconds;

constexpr RequestCosts::Clock::time_point kNow{hours(1'000)};

TEST(RequestCosts, CountsEachKindAndClientByItself) {
  RequestCosts costs({.analysis = {.per_second = 0.5, .burst = 2}}, kAmpleBudgets);
  EXPECT_FALSE(costs.take("a", CostKind::kAnalysis, kNow));
  EXPECT_FALSE(costs.take("a", CostKind::kAnalysis, kNow));
  EXPECT_EQ(costs.take("a", CostKind::kAnalysis, kNow), seconds(2));
  EXPECT_FALSE(costs.take("a", CostKind::kReview, kNow));
  EXPECT_FALSE(costs.take("b", CostKind::kAnalysis, kNow));
}

TEST(RequestCosts, KeepsItsWordAboutTheTime) {
  RequestCosts costs({.review = {.per_second = 0.1, .burst = 1}}, kAmpleBudgets);
  EXPECT_FALSE(costs.take("a", CostKind::kReview, kNow));
  const auto wait = costs.take("a", CostKind::kReview, kNow + seconds(3));
  ASSERT_EQ(wait, seconds(7));
  EXPECT_TRUE(costs.take("a", CostKind::kReview, kNow + seconds(9)));
  EXPECT_FALSE(costs.take("a", CostKind::kReview, kNow + seconds(3) + *wait));
}

TEST(RequestCosts, TakesFewSurveysADayFromThoseWhoDidNotPlay) {
  RequestCosts costs({}, kAmpleBudgets);
  int taken = 0;
  for (int hour = 0; hour < 24; ++hour) {
    for (int i = 0; i < 100; ++i) {
      if (!costs.take("a", CostKind::kSurveyWithoutGame, kNow + hours(hour))) ++taken;
    }
  }
  EXPECT_GE(taken, 5);
  EXPECT_LE(taken, 10);
}

TEST(RequestCosts, ForgetsClientsOnlyWhenTheirBudgetsAreFullAgain) {
  RequestCosts costs({}, kAmpleBudgets);
  for (int i = 0; i < 5; ++i) {
    EXPECT_FALSE(costs.take("patient", CostKind::kSurveyWithoutGame, kNow));
  }
  EXPECT_FALSE(costs.take("short", CostKind::kStatistics, kNow));
  EXPECT_FALSE(costs.take("other", CostKind::kStatistics, kNow + hours(1)));
  EXPECT_EQ(costs.clients(), 2U) << "the short visitor is forgotten";
  EXPECT_TRUE(costs.take("patient", CostKind::kSurveyWithoutGame, kNow + hours(1)));
}

TEST(RequestCosts, KnowsThisMachineByItsKey) {
  EXPECT_EQ(client_key("127.0.0.1"), kLocalClient);
  EXPECT_EQ(client_key("::1"), kLocalClient);
  RequestCosts costs({.live = {}}, kAmpleBudgets);
  EXPECT_FALSE(costs.take(std::string(kLocalClient), CostKind::kLive, kNow));
  EXPECT_TRUE(costs.take("203.0.113.9", CostKind::kLive, kNow)) << "a budget of nothing";
}

}  // namespace
}  // namespace rowbot::server
