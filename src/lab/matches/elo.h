// Strength as a number: a difference of 400 Elo is odds of ten to one,
//   score = 1 / (1 + 10^(-elo / 400)).
// Thread safety: pure functions.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace rowbot::lab {

[[nodiscard]] double score_of_elo(double elo);
/// Requires 0 < score < 1.
[[nodiscard]] double elo_of_score(double score);

/// An Elo difference or rating, with the half-width of its 95 % interval.
struct Elo {
  double value = 0;
  double error = 0;
};

/// From the points (a draw is a half) of some games. All won or all lost has no finite Elo: half a
/// point is then given to the other side, so the value is a lower bound of the truth. Requires
/// games > 0.
[[nodiscard]] Elo elo_of_points(double points, double games);

/// Points that `a` took from `b` in some games.
struct Encounter {
  std::size_t a = 0;
  std::size_t b = 0;
  double a_points = 0;
  double games = 0;
};

/// Ratings of all players jointly: the maximum of the Bradley-Terry likelihood (draws as half a
/// win, half a loss), shifted to mean 0. One game drawn against a player of rating 0 is added for
/// each, so that a player who won everything stays finite and groups that never met stay
/// comparable. Errors come from the Fisher information, for the distance to the mean rating.
[[nodiscard]] std::vector<Elo> joint_ratings(std::size_t players,
                                             std::span<const Encounter> encounters);

}  // namespace rowbot::lab
