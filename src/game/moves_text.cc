#include "game/moves_text.h"

#include <cstddef>
#include <utility>

#include "base/text.h"
#include "fmt/core.h"
#include "game/game.h"

namespace rowbot::game {

Result<PlayedMoves> parse_played(std::string_view digits) {
  Game game;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    const auto column = Column::from_digit(digits[i]);
    if (!column) {
      return Error{fmt::format("character {} is {}: a move is a column digit from 1 to 7", i + 1,
                               in_quotes(digits[i]))};
    }
    const Verdict verdict = game.play(*column);
    if (verdict == Verdict::kGameOver) {
      return Error{
          fmt::format("character {} ('{}') is a move after the end: the game was over "
                      "after {} moves",
                      i + 1, digits[i], i)};
    }
    if (verdict != Verdict::kFine) {
      return Error{
          fmt::format("character {} ('{}') plays into a full column: column {} already "
                      "holds {} discs",
                      i + 1, digits[i], column->number(), kRows)};
    }
  }
  return PlayedMoves{.moves = {game.moves().begin(), game.moves().end()},
                     .position = game.position()};
}

Result<Position> parse_moves(std::string_view digits) {
  auto played = parse_played(digits);
  if (!played) return played.error();
  return played->position;
}

std::string moves_text(std::span<const Column> moves) {
  std::string text;
  text.reserve(moves.size());
  for (const Column c : moves) text += c.digit();
  return text;
}

}  // namespace rowbot::game
