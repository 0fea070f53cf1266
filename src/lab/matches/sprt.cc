#include "lab/matches/sprt.h"

#include <cmath>
#include <cstddef>
#include <numeric>

#include "lab/matches/elo.h"

namespace rowbot::lab {
namespace {

constexpr std::uint64_t kFewestPairs = 8;
constexpr double kUnseen = 1e-3;  // a result not seen yet is rare, not impossible

using Shares = std::array<double, 5>;

constexpr double points_per_game(std::size_t i) { return static_cast<double>(i) / 4; }

/// t of the header's formula, by bisection: the mean falls as t rises.
double tilt(const Shares& shares, double mean) {
  // Beyond these the denominators of the worst and the best result would not be positive.
  double low = -1 / (1 - mean);
  double high = 1 / mean;
  for (int i = 0; i < 100; ++i) {
    const double t = (low + high) / 2;
    double surplus = 0;
    for (std::size_t k = 0; k < shares.size(); ++k) {
      const double distance = points_per_game(k) - mean;
      surplus += shares[k] * distance / (1 + t * distance);
    }
    (surplus > 0 ? low : high) = t;
  }
  return (low + high) / 2;
}

}  // namespace

double SprtClaims::lower_bound() const { return std::log(beta / (1 - alpha)); }
double SprtClaims::upper_bound() const { return std::log((1 - beta) / alpha); }

double log_likelihood_ratio(const PairCounts& pairs, double elo0, double elo1) {
  Shares weights{};
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    weights[i] = pairs[i] == 0 ? kUnseen : static_cast<double>(pairs[i]);
  }
  const double n = std::accumulate(weights.begin(), weights.end(), 0.0);
  Shares shares{};
  for (std::size_t i = 0; i < pairs.size(); ++i) shares[i] = weights[i] / n;
  const double s0 = score_of_elo(elo0);
  const double s1 = score_of_elo(elo1);
  const double t0 = tilt(shares, s0);
  const double t1 = tilt(shares, s1);
  double ratio = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const double x = points_per_game(i);
    ratio += weights[i] * std::log((1 + t0 * (x - s0)) / (1 + t1 * (x - s1)));
  }
  return ratio;
}

SprtVerdict sprt_verdict(const PairCounts& pairs, const SprtClaims& claims) {
  if (std::accumulate(pairs.begin(), pairs.end(), std::uint64_t{0}) < kFewestPairs) {
    return SprtVerdict::kUndecided;
  }
  const double ratio = log_likelihood_ratio(pairs, claims.elo0, claims.elo1);
  if (ratio >= claims.upper_bound()) return SprtVerdict::kAcceptH1;
  if (ratio <= claims.lower_bound()) return SprtVerdict::kAcceptH0;
  return SprtVerdict::kUndecided;
}

}  // namespace rowbot::lab
