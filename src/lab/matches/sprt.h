// The sequential test of the chess engines' testing grounds: play pairs of games, colours swapped,
// until one of two claims about the strength is believed.
//
// A pair gives 0, 1/2, 1, 3/2 or 2 points: the pentanomial model, which knows that two games from
// one opening are not independent. The generalised likelihood ratio of the hypotheses 'the mean
// score of a game is s1' and '... is s0' is
//   LLR = sum n_i log(q1_i / q0_i),   q_i = p_i / (1 + t (x_i - s)),
// p the observed shares, x_i = i/4, and t such that q has mean s: the likeliest distribution with
// that mean (Owen 1988; Van den Bergh's notes for fishtest).
// Thread safety: plain values and pure functions.
#pragma once

#include <array>
#include <cstdint>

namespace rowbot::lab {

/// How often a pair of games brought 0, 1/2, 1, 3/2 and 2 points.
using PairCounts = std::array<std::uint64_t, 5>;

struct SprtClaims {
  double elo0 = 0;      ///< H0: A is this much stronger than B (or less)
  double elo1 = 5;      ///< H1: A is this much stronger (or more)
  double alpha = 0.05;  ///< how often H1 may be accepted although H0 holds
  double beta = 0.05;   ///< how often H0 may be accepted although H1 holds

  [[nodiscard]] double lower_bound() const;
  [[nodiscard]] double upper_bound() const;
};

enum class SprtVerdict : std::uint8_t { kUndecided, kAcceptH0, kAcceptH1 };

[[nodiscard]] double log_likelihood_ratio(const PairCounts& pairs, double elo0, double elo1);

/// Undecided before 8 pairs, because the theory is one of large numbers.
[[nodiscard]] SprtVerdict sprt_verdict(const PairCounts& pairs, const SprtClaims& claims);

}  // namespace rowbot::lab
