#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "base/rng.h"
#include "gtest/gtest.h"
#include "lab/matches/elo.h"
#include "lab/matches/interval.h"
#include "lab/matches/sprt.h"

namespace rowbot::lab {
namespace {

TEST(Wilson, GivesTheTextbookNumbers) {
  // 81 of 263: Newcombe (1998), Statistics in Medicine 17, table I, method 3.
  const Interval newcombe = wilson(81, 263);
  EXPECT_NEAR(newcombe.low, 0.2553, 5e-5);
  EXPECT_NEAR(newcombe.high, 0.3662, 5e-5);
  const Interval none = wilson(0, 20);
  EXPECT_EQ(none.low, 0);
  EXPECT_NEAR(none.high, 0.1611, 5e-5);
}

TEST(Wilson, IsSymmetricAndHoldsTheShare) {
  for (int n = 1; n < 60; n += 7) {
    for (int k = 0; k <= n; ++k) {
      const Interval here = wilson(k, n);
      const Interval there = wilson(n - k, n);
      EXPECT_NEAR(here.low, 1 - there.high, 1e-12);
      EXPECT_LE(here.low, static_cast<double>(k) / n);
      EXPECT_GE(here.high, static_cast<double>(k) / n);
    }
  }
  EXPECT_EQ(wilson(0, 0), Interval{});
}

TEST(Wilson, CoversTheTruthAboutAsOftenAsItSays) {
  // Coverage swings with the truth, because counts are whole; over many truths it averages out.
  Rng rng(1);
  int covered = 0;
  constexpr int kExperiments = 5000;
  for (int i = 0; i < kExperiments; ++i) {
    const double truth = 0.05 + 0.9 * rng.uniform();
    int hits = 0;
    for (int k = 0; k < 100; ++k) hits += rng.uniform() < truth ? 1 : 0;
    const Interval interval = wilson(hits, 100);
    covered += interval.low <= truth && truth <= interval.high ? 1 : 0;
  }
  EXPECT_NEAR(covered / double{kExperiments}, 0.95, 0.012);
}

TEST(UpperBoundOfNone, IsTheRuleOfThree) {
  EXPECT_NEAR(upper_bound_of_none(1000), 3.0 / 1000, 1e-5);
  EXPECT_NEAR(std::pow(1 - upper_bound_of_none(20), 20), 0.05, 1e-12);
}

TEST(Elo, HasTenToOneOddsAt400) {
  EXPECT_NEAR(score_of_elo(400), 10.0 / 11, 1e-12);
  EXPECT_NEAR(score_of_elo(0), 0.5, 1e-12);
  for (const double elo : {-700.0, -3.0, 0.0, 120.0}) {
    EXPECT_NEAR(elo_of_score(score_of_elo(elo)), elo, 1e-9);
  }
}

TEST(Elo, StaysFiniteWhenEverythingIsWon) {
  const Elo all = elo_of_points(100, 100);
  EXPECT_GT(all.value, 800);
  EXPECT_LT(all.value, 1000);
  EXPECT_GT(all.error, 100);
  EXPECT_NEAR(elo_of_points(0, 100).value, -all.value, 1e-9);
}

TEST(JointRatings, AgreeWithTheClosedFormForTwoPlayers) {
  const std::array encounters{Encounter{.a = 0, .b = 1, .a_points = 7500, .games = 10000}};
  const std::vector<Elo> ratings = joint_ratings(2, encounters);
  EXPECT_NEAR(ratings[0].value - ratings[1].value, elo_of_score(0.75), 0.1);
  EXPECT_NEAR(ratings[0].value + ratings[1].value, 0, 1e-9);
  // The difference of two ratings around their mean is twice the distance of each to it.
  EXPECT_NEAR(2 * ratings[0].error, elo_of_points(7500, 10000).error, 0.05);
}

TEST(JointRatings, FindTheStrengthsThatMadeTheGames) {
  const std::array truth{-300.0, -50.0, 100.0, 250.0};
  Rng rng(3);
  std::vector<Encounter> encounters;
  for (std::size_t a = 0; a < truth.size(); ++a) {
    for (std::size_t b = a + 1; b < truth.size(); ++b) {
      Encounter met{.a = a, .b = b, .games = 2000};
      for (int i = 0; i < 2000; ++i) {
        met.a_points += rng.uniform() < score_of_elo(truth[a] - truth[b]) ? 1 : 0;
      }
      encounters.push_back(met);
    }
  }
  const std::vector<Elo> ratings = joint_ratings(truth.size(), encounters);
  for (std::size_t i = 0; i < truth.size(); ++i) {
    EXPECT_NEAR(ratings[i].value, truth[i], 1.6 * ratings[i].error);
    EXPECT_LT(ratings[i].error, 15);
  }
}

TEST(JointRatings, RankOneWhoWonEverythingFirstAndStayFinite) {
  const std::array encounters{Encounter{.a = 0, .b = 1, .a_points = 50, .games = 50},
                              Encounter{.a = 1, .b = 2, .a_points = 50, .games = 50}};
  const std::vector<Elo> ratings = joint_ratings(4, encounters);  // the fourth never played
  EXPECT_GT(ratings[0].value, ratings[1].value + 200);
  EXPECT_GT(ratings[1].value, ratings[2].value + 200);
  for (const Elo& rating : ratings) {
    EXPECT_TRUE(std::isfinite(rating.value));
    EXPECT_TRUE(std::isfinite(rating.error));
  }
}

TEST(Sprt, LikelihoodRatioMatchesItsNormalApproximation) {
  // For close hypotheses and many games, with m and v the mean and variance of a game's score in
  // a pair: LLR = n (s1 - s0) (2 m - s0 - s1) / (2 v).
  const PairCounts pairs{100, 900, 2400, 1100, 150};
  double n = 0;
  double mean = 0;
  for (std::size_t i = 0; i < 5; ++i) n += static_cast<double>(pairs[i]);
  for (std::size_t i = 0; i < 5; ++i) {
    mean += static_cast<double>(pairs[i]) * static_cast<double>(i) / 4 / n;
  }
  double variance = 0;
  for (std::size_t i = 0; i < 5; ++i) {
    variance += static_cast<double>(pairs[i]) * std::pow(static_cast<double>(i) / 4 - mean, 2) / n;
  }
  const double s0 = score_of_elo(0);
  const double s1 = score_of_elo(5);
  const double expected = n * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance);
  EXPECT_NEAR(log_likelihood_ratio(pairs, 0, 5), expected, 0.02 * std::abs(expected));
}

TEST(Sprt, IsAntisymmetricInTheTwoPlayers) {
  const PairCounts pairs{10, 40, 120, 70, 20};
  const PairCounts swapped{20, 70, 120, 40, 10};
  EXPECT_NEAR(log_likelihood_ratio(pairs, -5, 10), -log_likelihood_ratio(swapped, -10, 5), 1e-9);
}

TEST(Sprt, DecidesNothingOnAHandfulOfPairs) {
  EXPECT_EQ(sprt_verdict({0, 0, 0, 0, 7}, {.elo0 = 0, .elo1 = 50}), SprtVerdict::kUndecided);
  EXPECT_EQ(sprt_verdict({0, 0, 0, 0, 60}, {.elo0 = 0, .elo1 = 50}), SprtVerdict::kAcceptH1);
  EXPECT_EQ(sprt_verdict({60, 0, 0, 0, 0}, {.elo0 = 0, .elo1 = 50}), SprtVerdict::kAcceptH0);
}

/// How often H1 is accepted when pairs really have this mean score; the games of a pair are
/// correlated: mostly the same side wins both, or each wins one.
double share_of_h1(double elo, const SprtClaims& claims, int matches, std::uint64_t seed) {
  Rng rng(seed);
  int accepted = 0;
  for (int i = 0; i < matches; ++i) {
    PairCounts pairs{};
    SprtVerdict verdict = SprtVerdict::kUndecided;
    while (verdict == SprtVerdict::kUndecided) {
      // Shares 0.2 0.1 0.4 0.1 0.2 have mean 1/2; the ends are tilted to the wanted mean.
      const double tilt = score_of_elo(elo) - 0.5;
      double u = rng.uniform();
      std::size_t result = 0;
      for (const double share : {0.2 - tilt, 0.1, 0.4, 0.1}) {
        if (u < share) break;
        u -= share;
        ++result;
      }
      ++pairs[result];
      verdict = sprt_verdict(pairs, claims);
    }
    accepted += verdict == SprtVerdict::kAcceptH1 ? 1 : 0;
  }
  return static_cast<double>(accepted) / matches;
}

TEST(Sprt, ErrsAtMostAsOftenAsItSays) {
  const SprtClaims claims{.elo0 = 0, .elo1 = 40};
  // 200 matches with a true rate of 5 % stay below 9 % in more than 99 of 100 cases.
  EXPECT_LE(share_of_h1(0, claims, 200, 11), 0.09);
  EXPECT_GE(share_of_h1(40, claims, 200, 12), 0.91);
}

}  // namespace
}  // namespace rowbot::lab
