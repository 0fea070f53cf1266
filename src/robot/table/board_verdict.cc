#include "robot/table/board_verdict.h"

#include <algorithm>
#include <fmt/format.h>
#include <vector>

#include "game/bits.h"

namespace rowbot::table {
namespace {

using cell::BoardCells;
using cell::CellContent;
using game::Bits;
using game::Column;
using game::Position;
using game::Side;
using Seen = ReadingVerdict::Kind;

struct Discs {
  Bits first = 0;
  Bits second = 0;

  friend bool operator==(const Discs&, const Discs&) = default;
};

Discs discs_of(const Position& position) {
  return {.first = position.discs_of(Side::kFirst), .second = position.discs_of(Side::kSecond)};
}

CellContent opposite(CellContent content) {
  return content == CellContent::kFirst ? CellContent::kSecond : CellContent::kFirst;
}

Discs discs_of(const BoardCells& cells, CellContent first_is) {
  return {.first = cells.squares_with(first_is), .second = cells.squares_with(opposite(first_is))};
}

/// The first of one or two legal moves that lead from the game to what is seen.
std::optional<Column> explaining_move(const Position& known, const Discs& seen) {
  for (const Column c : game::kAllColumns) {
    if (!known.can_play(c)) continue;
    const Position one = known.after(c);
    if (discs_of(one) == seen) return c;
  }
  for (const Column c : game::kAllColumns) {
    if (!known.can_play(c)) continue;
    const Position one = known.after(c);
    for (const Column d : game::kAllColumns) {
      if (one.can_play(d) && discs_of(one.after(d)) == seen) return c;
    }
  }
  return std::nullopt;
}

std::optional<Column> column_of(Bits squares) {
  for (const Column c : game::kAllColumns) {
    if ((squares & game::column_mask(c.index())) != 0) return c;
  }
  return std::nullopt;
}

std::string columns_text(Bits squares) {
  std::string text;
  for (const Column c : game::kAllColumns) {
    if ((squares & game::column_mask(c.index())) == 0) continue;
    text += fmt::format("{}{}", text.empty() ? "" : ", ", c.number());
  }
  return text;
}

ReadingVerdict foul(Foul foul, Bits squares, MessageId id) {
  return {.kind = Seen::kFoul,
          .column = column_of(squares),
          .foul = foul,
          .what = {.id = id, .arguments = {columns_text(squares)}}};
}

ReadingVerdict unclear(MessageId id) { return {.kind = Seen::kUnclear, .what = {.id = id}}; }

}  // namespace

std::string_view foul_code(Foul foul) {
  switch (foul) {
    case Foul::kOutOfTurn:
      return "out_of_turn";
    case Foul::kTwoDiscs:
      return "two_discs";
    case Foul::kDiscTaken:
      return "disc_taken";
    case Foul::kOtherBoard:
      return "other_board";
  }
  return "other_board";
}

BoardCells cells_of(const Position& position, CellContent first_is) {
  BoardCells cells{};
  cells.set(position.discs_of(Side::kFirst), first_is);
  cells.set(position.discs_of(Side::kSecond), opposite(first_is));
  return cells;
}

ReadingVerdict judge_reading(const Position& known, const cell::BoardReading& reading,
                             CellContent first_is) {
  switch (reading.sight) {
    case cell::Sight::kGood:
      break;
    case cell::Sight::kPartial:
      return unclear(MessageId::kHidden);
    case cell::Sight::kMoving:
      return unclear(MessageId::kMovement);
    case cell::Sight::kNone:
      return unclear(MessageId::kNoBoard);
  }
  const Discs seen = discs_of(reading.board, first_is);
  const Discs was = discs_of(known);
  if (seen == was) return {};
  if (const auto column = explaining_move(known, seen)) {
    return {.kind = Seen::kMove, .column = column};
  }
  if (game::floating_discs(seen.first | seen.second) != 0) {
    return unclear(MessageId::kDiscHangs);
  }
  const Bits lost = (was.first | was.second) & ~(seen.first | seen.second);
  const Bits changed = (was.first & seen.second) | (was.second & seen.first);
  if (changed != 0) return foul(Foul::kOtherBoard, changed, MessageId::kOtherBoard);
  if (lost != 0) return foul(Foul::kDiscTaken, lost, MessageId::kDiscMissing);
  const bool first_moves = known.to_move() == Side::kFirst;
  const Bits movers = (first_moves ? seen.first & ~was.first : seen.second & ~was.second);
  const Bits others = (first_moves ? seen.second & ~was.second : seen.first & ~was.first);
  if (movers == 0 && game::count(others) == 1) {
    return foul(Foul::kOutOfTurn, others, MessageId::kOutOfTurn);
  }
  return foul(Foul::kTwoDiscs, movers | others, MessageId::kTooManyDiscs);
}

}  // namespace rowbot::table
