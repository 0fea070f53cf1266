#include "robot/table/board_verdict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/rng.h"
#include "game/moves_text.h"

namespace rowbot::table {
namespace {

using cell::CellContent;
using game::Column;
using game::Position;
using Seen = ReadingVerdict::Kind;
using testing::HasSubstr;

cell::BoardReading reading_of(const Position& position,
                              CellContent first_is = CellContent::kFirst) {
  cell::BoardReading reading;
  reading.sight = cell::Sight::kGood;
  reading.board = cells_of(position, first_is);
  return reading;
}

CellContent& cell_at(cell::BoardReading& reading, int column, int row) {
  return reading.board[cell::cell_index(column, cell::kBoardRows - 1 - row)];
}

ReadingVerdict judged(const char* known, const cell::BoardReading& reading) {
  return judge_reading(*game::parse_moves(known), reading, CellContent::kFirst);
}

TEST(BoardVerdict, EveryLegalMoveOfRandomGamesIsSeenAsThatMove) {
  Rng rng(7);
  for (int game = 0; game < 300; ++game) {
    const CellContent first_is = game % 2 == 0 ? CellContent::kFirst : CellContent::kSecond;
    Position position;
    while (!position.outcome().finished()) {
      const Column column(static_cast<int>(rng.below(7)));
      if (!position.can_play(column)) continue;
      const Position next = position.after(column);
      EXPECT_EQ(judge_reading(position, reading_of(position, first_is), first_is).kind,
                Seen::kNothingNew);
      const auto verdict = judge_reading(position, reading_of(next, first_is), first_is);
      EXPECT_EQ(verdict.kind, Seen::kMove);
      EXPECT_EQ(verdict.column, column);
      position = next;
    }
  }
}

TEST(BoardVerdict, TwoMovesInARowAreTakenOneByOne) {
  const auto verdict = judged("44", reading_of(*game::parse_moves("4435")));
  EXPECT_EQ(verdict.kind, Seen::kMove);
  EXPECT_EQ(verdict.column, Column(2));
}

TEST(BoardVerdict, ADiscOutOfTurnIsAFoulThatNamesItsColumn) {
  auto reading = reading_of(*game::parse_moves("44"));
  cell_at(reading, 5, 0) = CellContent::kSecond;
  const auto verdict = judged("44", reading);
  EXPECT_EQ(verdict.foul, Foul::kOutOfTurn);
  EXPECT_EQ(verdict.column, Column(5));
  EXPECT_THAT(sentence(verdict.what), HasSubstr("column 6"));
}

TEST(BoardVerdict, TwoDiscsOfOneSideAreAFoul) {
  auto reading = reading_of(*game::parse_moves("44"));
  cell_at(reading, 0, 0) = CellContent::kFirst;
  cell_at(reading, 1, 0) = CellContent::kFirst;
  EXPECT_EQ(judged("44", reading).foul, Foul::kTwoDiscs);
}

TEST(BoardVerdict, AMissingDiscIsAFoul) {
  const auto verdict = judged("445", reading_of(*game::parse_moves("44")));
  EXPECT_EQ(verdict.foul, Foul::kDiscTaken);
  EXPECT_THAT(sentence(verdict.what), HasSubstr("column 5"));
}

TEST(BoardVerdict, DiscsOfTheOtherColourAreAnotherGame) {
  EXPECT_EQ(judged("44", reading_of(*game::parse_moves("44"), CellContent::kSecond)).foul,
            Foul::kOtherBoard);
}

TEST(BoardVerdict, AFallingDiscIsNotYetAnything) {
  auto reading = reading_of(*game::parse_moves("44"));
  cell_at(reading, 2, 4) = CellContent::kFirst;
  EXPECT_EQ(judged("44", reading).kind, Seen::kUnclear);
}

TEST(BoardVerdict, NothingIsDecidedFromAnUnclearLook) {
  for (const cell::Sight sight :
       {cell::Sight::kPartial, cell::Sight::kMoving, cell::Sight::kNone}) {
    auto reading = reading_of(*game::parse_moves("4411"));
    reading.sight = sight;
    const auto verdict = judged("44", reading);
    EXPECT_EQ(verdict.kind, Seen::kUnclear);
    EXPECT_FALSE(sentence(verdict.what).empty());
  }
}

}  // namespace
}  // namespace rowbot::table
