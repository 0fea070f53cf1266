#include "lab/matches/elo.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

#include "lab/matches/interval.h"

namespace rowbot::lab {
namespace {

constexpr double kEloPerNat = 173.71779276130073;  // 400 / ln 10
constexpr double kPriorGames = 1;

/// A symmetric positive definite matrix and what Newton's method asks of it.
class Information {
 public:
  explicit Information(std::size_t size) : size_(size), cells_(size * size, 0.0) {}

  [[nodiscard]] double& at(std::size_t row, std::size_t column) {
    return cells_[row * size_ + column];
  }

  /// Replaces itself by its Cholesky factor.
  void factor() {
    for (std::size_t j = 0; j < size_; ++j) {
      for (std::size_t k = 0; k < j; ++k) at(j, j) -= at(j, k) * at(j, k);
      at(j, j) = std::sqrt(at(j, j));
      for (std::size_t i = j + 1; i < size_; ++i) {
        for (std::size_t k = 0; k < j; ++k) at(i, j) -= at(i, k) * at(j, k);
        at(i, j) /= at(j, j);
      }
    }
  }

  /// The solution of A x = b; requires factor() before.
  [[nodiscard]] std::vector<double> solve(std::vector<double> b) {
    for (std::size_t i = 0; i < size_; ++i) {
      for (std::size_t k = 0; k < i; ++k) b[i] -= at(i, k) * b[k];
      b[i] /= at(i, i);
    }
    for (std::size_t i = size_; i-- > 0;) {
      for (std::size_t k = i + 1; k < size_; ++k) b[i] -= at(k, i) * b[k];
      b[i] /= at(i, i);
    }
    return b;
  }

 private:
  std::size_t size_;
  std::vector<double> cells_;
};

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

/// The gradient of the log-likelihood at these strengths (in nats), and its information.
std::vector<double> gradient(std::span<const double> strengths,
                             std::span<const Encounter> encounters, Information& information) {
  std::vector<double> slope(strengths.size());
  for (std::size_t i = 0; i < strengths.size(); ++i) {
    const double p = logistic(strengths[i]);
    slope[i] = kPriorGames * (0.5 - p);
    information.at(i, i) = kPriorGames * p * (1 - p);
  }
  for (const Encounter& e : encounters) {
    const double p = logistic(strengths[e.a] - strengths[e.b]);
    const double surplus = e.a_points - e.games * p;
    const double weight = e.games * p * (1 - p);
    slope[e.a] += surplus;
    slope[e.b] -= surplus;
    information.at(e.a, e.a) += weight;
    information.at(e.b, e.b) += weight;
    information.at(e.a, e.b) -= weight;
    information.at(e.b, e.a) -= weight;
  }
  return slope;
}

/// The standard deviation of each strength minus the mean of all.
std::vector<double> spreads_around_mean(Information& factored, std::size_t players) {
  const auto n = static_cast<double>(players);
  std::vector<double> spreads;
  for (std::size_t i = 0; i < players; ++i) {
    std::vector<double> contrast(players, -1 / n);
    contrast[i] += 1;
    const std::vector<double> image = factored.solve(contrast);
    spreads.push_back(
        std::sqrt(std::inner_product(contrast.begin(), contrast.end(), image.begin(), 0.0)));
  }
  return spreads;
}

}  // namespace

double score_of_elo(double elo) { return logistic(elo / kEloPerNat); }

double elo_of_score(double score) {
  assert(score > 0 && score < 1);
  return kEloPerNat * std::log(score / (1 - score));
}

Elo elo_of_points(double points, double games) {
  assert(games > 0);
  const double least = 0.5 / (games + 1);
  const auto elo = [least](double score) {
    return elo_of_score(std::clamp(score, least, 1 - least));
  };
  const Interval interval = wilson(points, games);
  return {.value = elo(points / games), .error = (elo(interval.high) - elo(interval.low)) / 2};
}

std::vector<Elo> joint_ratings(std::size_t players, std::span<const Encounter> encounters) {
  constexpr int kMostSteps = 200;
  constexpr double kLongestStep = 2;  // nats; far from the maximum Newton's step overshoots
  std::vector<double> strengths(players, 0.0);
  for (int i = 0; i < kMostSteps; ++i) {
    Information information(players);
    const std::vector<double> slope = gradient(strengths, encounters, information);
    information.factor();
    const std::vector<double> step = information.solve(slope);
    double longest = 0;
    for (const double s : step) longest = std::max(longest, std::abs(s));
    const double factor = std::min(1.0, kLongestStep / std::max(longest, 1e-300));
    for (std::size_t k = 0; k < players; ++k) strengths[k] += factor * step[k];
    if (longest < 1e-12) break;
  }
  Information information(players);
  (void)gradient(strengths, encounters, information);
  information.factor();
  const std::vector<double> spreads = spreads_around_mean(information, players);
  const double mean = std::accumulate(strengths.begin(), strengths.end(), 0.0) /
                      static_cast<double>(std::max<std::size_t>(players, 1));
  std::vector<Elo> ratings;
  for (std::size_t i = 0; i < players; ++i) {
    ratings.push_back(
        {.value = kEloPerNat * (strengths[i] - mean), .error = kZ95 * kEloPerNat * spreads[i]});
  }
  return ratings;
}

}  // namespace rowbot::lab
