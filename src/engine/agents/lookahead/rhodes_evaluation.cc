#include "engine/agents/lookahead/rhodes_evaluation.h"

#include <array>
#include <cstddef>
#include <cstdlib>

namespace rowbot::agents::lookahead {
namespace {

using game::Bits;

constexpr int weight_of(int column, int row) {
  const int from_centre = column < 3 ? 3 - column : column - 3;
  const int height = row < 2 ? 3 : row < 4 ? 2 : 1;
  return (4 - from_centre) * height;
}

/// The squares of each weight, so that a sum takes a few population counts.
struct WeightClass {
  int weight;
  Bits squares;
};

constexpr std::size_t kClasses = 8;

constexpr std::array<WeightClass, kClasses> weight_classes() {
  constexpr std::array<int, kClasses> kWeights{1, 2, 3, 4, 6, 8, 9, 12};
  std::array<WeightClass, kClasses> classes{};
  for (std::size_t i = 0; i < kClasses; ++i) {
    classes.at(i).weight = kWeights.at(i);
    for (int c = 0; c < game::kColumns; ++c) {
      for (int r = 0; r < game::kRows; ++r) {
        if (weight_of(c, r) == kWeights.at(i)) classes.at(i).squares |= game::square(c, r);
      }
    }
  }
  return classes;
}

int weighted_sum(Bits discs) {
  constexpr auto kWeightClasses = weight_classes();
  int sum = 0;
  for (const auto& [weight, squares] : kWeightClasses) sum += weight * game::count(discs & squares);
  return sum;
}

}  // namespace

bool has_stacked_holes(Bits discs, Bits filled) {
  const Bits holes = game::completing_squares(discs, filled);
  return (holes & (holes << 1)) != 0;
}

int rhodes_score(const game::Position& position) {
  if (position.winning_moves() != 0) return kRhodesWinning;
  if (position.non_losing_moves() == 0) return -kRhodesWinning;
  // "Unless the opponent forces a similar win first": with such holes on both sides nothing is
  // decided.
  const bool mine = has_stacked_holes(position.mover(), position.filled());
  const bool theirs = has_stacked_holes(position.opponent(), position.filled());
  if (mine != theirs) return mine ? kRhodesWinning : -kRhodesWinning;
  return weighted_sum(position.mover()) - weighted_sum(position.opponent());
}

int rhodes_weight(int column, int row) { return weight_of(column, row); }

}  // namespace rowbot::agents::lookahead
