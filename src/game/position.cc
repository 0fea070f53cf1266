#include "game/position.h"

#include <string>

#include "fmt/core.h"

namespace rowbot::game {
namespace {

/// The topmost disc of each column.
Bits top_discs(Bits filled) { return filled & ~(filled >> 1); }

/// Whether the winner's last disc can have ended the game: taken away, no line remains.
bool some_last_disc_ends_it(Bits winner, Bits filled) {
  Bits candidates = top_discs(filled) & winner;
  while (candidates != 0) {
    const Bits disc = candidates & (~candidates + 1);
    candidates ^= disc;
    if (!has_four(winner ^ disc)) return true;
  }
  return false;
}

std::string square_name(Bits squares) {
  const int column = lowest_column(squares);
  const int row = std::countr_zero(squares) % kColumnBits;
  return fmt::format("column {}, row {} from below", column + 1, row + 1);
}

}  // namespace

Result<Position> Position::from_discs(Bits first, Bits second) {
  if (((first | second) & ~kBoard) != 0) {
    return Error{"there is a disc outside the 7 columns and 6 rows"};
  }
  if (const Bits both = first & second; both != 0) {
    return Error{fmt::format("{} holds a disc of either side", square_name(both))};
  }
  const Bits filled = first | second;
  if (const Bits floating = floating_discs(filled); floating != 0) {
    return Error{fmt::format("floating disc at {}: nothing lies below it", square_name(floating))};
  }
  const int firsts = count(first);
  const int seconds = count(second);
  if (firsts != seconds && firsts != seconds + 1) {
    return Error{fmt::format(
        "impossible counts: {} discs of the first player and {} of the second; the first must have "
        "as many as the second or one more",
        firsts, seconds)};
  }
  const bool first_won = has_four(first);
  const bool second_won = has_four(second);
  if (first_won && second_won) {
    return Error{"two winners: both sides have four in a row, but the game ends with the first"};
  }
  const bool second_moved_last = firsts == seconds;
  if ((first_won && second_moved_last) || (second_won && !second_moved_last)) {
    return Error{fmt::format(
        "move after the end: the {} player has four in a row, yet the other one moved last",
        first_won ? "first" : "second")};
  }
  if ((first_won || second_won) && !some_last_disc_ends_it(first_won ? first : second, filled)) {
    return Error{"move after the end: no single last disc can have closed all these lines"};
  }
  Position position;
  position.mover_ = second_moved_last ? first : second;
  position.filled_ = filled;
  return position;
}

}  // namespace rowbot::game
