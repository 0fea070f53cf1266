#include "lab/matches/elo.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cassert>
#include <cmath>

#include "lab/matches/interval.h"

namespace rowbot::lab {
namespace {

constexpr double kEloPerNat = 173.71779276130073;  // 400 / ln 10
constexpr double kPriorGames = 1;

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

/// The log-likelihood at these strengths (in nats): its gradient and its information.
struct Curvature {
  Eigen::VectorXd slope;
  Eigen::MatrixXd information;  // symmetric, positive definite by the prior
};

Curvature curvature(const Eigen::VectorXd& strengths, std::span<const Encounter> encounters) {
  const Eigen::Index n = strengths.size();
  Curvature at{.slope = Eigen::VectorXd::Zero(n), .information = Eigen::MatrixXd::Zero(n, n)};
  for (Eigen::Index i = 0; i < n; ++i) {
    const double p = logistic(strengths[i]);
    at.slope[i] = kPriorGames * (0.5 - p);
    at.information(i, i) = kPriorGames * p * (1 - p);
  }
  for (const Encounter& e : encounters) {
    const auto a = static_cast<Eigen::Index>(e.a);
    const auto b = static_cast<Eigen::Index>(e.b);
    const double p = logistic(strengths[a] - strengths[b]);
    const double surplus = e.a_points - e.games * p;
    const double weight = e.games * p * (1 - p);
    at.slope[a] += surplus;
    at.slope[b] -= surplus;
    at.information(a, a) += weight;
    at.information(b, b) += weight;
    at.information(a, b) -= weight;
    at.information(b, a) -= weight;
  }
  return at;
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
  if (players == 0) return {};
  const auto n = static_cast<Eigen::Index>(players);
  Eigen::VectorXd strengths = Eigen::VectorXd::Zero(n);
  for (int i = 0; i < kMostSteps; ++i) {
    const Curvature at = curvature(strengths, encounters);
    const Eigen::VectorXd step = at.information.llt().solve(at.slope);
    const double longest = step.cwiseAbs().maxCoeff();
    strengths += std::min(1.0, kLongestStep / std::max(longest, 1e-300)) * step;
    if (longest < 1e-12) break;
  }
  // The variance of each strength minus the mean of all.
  const Eigen::MatrixXd around_mean =
      Eigen::MatrixXd::Identity(n, n) -
      Eigen::MatrixXd::Constant(n, n, 1 / static_cast<double>(players));
  const Eigen::VectorXd variances =
      (around_mean * curvature(strengths, encounters).information.llt().solve(around_mean))
          .diagonal();
  std::vector<Elo> ratings;
  for (Eigen::Index i = 0; i < n; ++i) {
    ratings.push_back({.value = kEloPerNat * (strengths[i] - strengths.mean()),
                       .error = kZ95 * kEloPerNat * std::sqrt(variances[i])});
  }
  return ratings;
}

}  // namespace rowbot::lab
