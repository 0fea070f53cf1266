#include "engine/solver/score.h"

namespace rowbot::solver {

std::string in_words(Score score, int discs) {
  if (score.value() == 0) return "draw";
  const bool first = (discs % 2 == 0) == (score.value() > 0);
  const int plies = plies_to_end(score, discs);
  const int moves = score.value() > 0 ? (plies + 1) / 2 : plies / 2;
  std::string text = first ? "first player wins in " : "second player wins in ";
  text += std::to_string(moves);
  text += moves == 1 ? " move" : " moves";
  return text;
}

}  // namespace rowbot::solver
