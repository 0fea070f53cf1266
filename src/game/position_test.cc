#include "game/position.h"

#include <cstdlib>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "base/rng.h"
#include "game/moves_text.h"
#include "game/random_game.h"
#include "game/referee_2d.h"
#include "gtest/gtest.h"

namespace rowbot::game {
namespace {

using testing::random_moves;
using testing::random_position;
using testing::Referee2d;

Position played(std::string_view digits) {
  const auto position = parse_moves(digits);
  EXPECT_TRUE(position.has_value()) << position.error().message;
  return position.value_or(Position());
}

Bits bits_of(const std::set<std::pair<int, int>>& squares) {
  Bits bits = 0;
  for (const auto& [column, row] : squares) bits |= square(column, row);
  return bits;
}

GameResult result_of(Referee2d::State state) {
  switch (state) {
    case Referee2d::State::kGoing:
      return GameResult::kOngoing;
    case Referee2d::State::kFirstWon:
      return GameResult::kFirstWins;
    case Referee2d::State::kSecondWon:
      return GameResult::kSecondWins;
    case Referee2d::State::kDrawn:
      return GameResult::kDraw;
  }
  return GameResult::kOngoing;
}

/// Squares where one more disc of `discs` would make four, found by trying each.
Bits completing_by_trial(Bits discs, Bits filled) {
  Bits squares = 0;
  for (int c = 0; c < kColumns; ++c) {
    for (int r = 0; r < kRows; ++r) {
      const Bits at = square(c, r);
      if ((filled & at) == 0 && has_four(discs | at)) squares |= at;
    }
  }
  return squares;
}

TEST(Position, StartsEmptyWithTheFirstPlayerToMove) {
  const Position empty;
  EXPECT_EQ(empty.discs(), 0);
  EXPECT_EQ(empty.to_move(), Side::kFirst);
  EXPECT_EQ(empty.outcome().result, GameResult::kOngoing);
  EXPECT_EQ(count(empty.legal_moves()), 7);
}

TEST(Position, EndsOnFourInAnyDirection) {
  EXPECT_EQ(played("4141414").outcome().result, GameResult::kFirstWins);
  EXPECT_EQ(played("1122334").outcome().result, GameResult::kFirstWins);
  EXPECT_EQ(played("71122334").outcome().result, GameResult::kSecondWins);
  EXPECT_EQ(played("12233434474").outcome().result, GameResult::kFirstWins);
  EXPECT_EQ(played("76655454414").outcome().result, GameResult::kFirstWins);
  EXPECT_EQ(played("7171726").outcome().result, GameResult::kOngoing);
  EXPECT_EQ(played("61717171").outcome().result, GameResult::kSecondWins);
}

TEST(Position, KnowsEverySquareOfSeveralLinesClosedAtOnce) {
  // The last disc joins a row of three on its left with a row of three on its right.
  const Position win = played("1122335566774");
  EXPECT_EQ(win.outcome().result, GameResult::kFirstWins);
  EXPECT_EQ(win.outcome().winning_squares, kBottomRow);
}

TEST(Position, IsDrawnWhenFullWithoutALine) {
  const Position drawn = played("121212212121343434434343565656656565777777");
  EXPECT_EQ(drawn.discs(), 42);
  EXPECT_EQ(drawn.outcome().result, GameResult::kDraw);
  EXPECT_EQ(drawn.legal_moves(), 0U);
}

TEST(Position, AgreesWithTheSlowRefereeOnAMillionRandomGames) {
  // ROWBOT_GAMES shortens it under sanitizers, where each step costs many times more.
  const char* wanted = std::getenv("ROWBOT_GAMES");
  const int games = wanted != nullptr ? std::stoi(wanted) : 1'000'000;
  Rng rng(20'261'115);
  for (int game = 0; game < games; ++game) {
    Position position;
    Referee2d referee;
    while (true) {
      const Outcome outcome = position.outcome();
      // The referee's own scan is the slow part: the end of each game and a sample of its middle.
      const bool look = outcome.finished() || game % 64 == 0;
      if (look) {
        const auto squares = referee.winning_squares();
        ASSERT_EQ(outcome.result, result_of(referee.state(squares)));
        ASSERT_EQ(outcome.winning_squares, bits_of(squares));
      }
      if (outcome.finished()) break;
      const Column move = testing::random_move(position, rng);
      position = position.after(move);
      referee.play(move.index());
    }
    for (int c = 0; c < kColumns; ++c) {
      ASSERT_FALSE(position.can_play(Column(c)));
      for (int r = 0; r < kRows; ++r) {
        const Bits at = square(c, r);
        const int cell = referee.cell(c, r);
        ASSERT_EQ((position.discs_of(Side::kFirst) & at) != 0, cell == 1);
        ASSERT_EQ((position.discs_of(Side::kSecond) & at) != 0, cell == 2);
      }
    }
  }
}

TEST(Position, FindsThreatsAsTrialDoes) {
  Rng rng(2);
  for (int i = 0; i < 20'000; ++i) {
    const Position p = random_position(rng);
    if (p.outcome().finished()) continue;
    ASSERT_EQ(p.mover_threats(), completing_by_trial(p.mover(), p.filled()));
    ASSERT_EQ(p.opponent_threats(), completing_by_trial(p.opponent(), p.filled()));
  }
}

TEST(Position, NonLosingMovesAreThoseAfterWhichTheOpponentCannotWinAtOnce) {
  Rng rng(3);
  for (int i = 0; i < 20'000; ++i) {
    const Position p = random_position(rng);
    if (p.outcome().finished() || p.winning_moves() != 0) continue;
    Bits expected = 0;
    for (const Column c : kAllColumns) {
      if (p.can_play(c) && p.after(c).winning_moves() == 0) {
        expected |= p.legal_moves() & column_mask(c.index());
      }
    }
    ASSERT_EQ(p.non_losing_moves(), expected);
  }
}

TEST(Position, MirrorCommutesWithPlayAndKeepsTheOutcome) {
  Rng rng(4);
  for (int i = 0; i < 5'000; ++i) {
    Position p;
    Position m;
    for (const Column c : random_moves(rng)) {
      p = p.after(c);
      m = m.after(c.mirrored());
      ASSERT_EQ(p.mirrored(), m);
      ASSERT_EQ(p.symmetric_key(), m.symmetric_key());
      ASSERT_EQ(p.outcome().result, m.outcome().result);
      ASSERT_EQ(mirror(p.outcome().winning_squares), m.outcome().winning_squares);
    }
  }
}

TEST(Position, KeyIsUniqueAndFitsIn49Bits) {
  Rng rng(5);
  std::unordered_set<std::uint64_t> keys;
  std::unordered_set<std::string> boards;
  for (int i = 0; i < 50'000; ++i) {
    const Position p = random_position(rng);
    ASSERT_LT(p.key(), std::uint64_t{1} << 49);
    keys.insert(p.key());
    boards.insert(std::to_string(p.discs_of(Side::kFirst)) + "," +
                  std::to_string(p.discs_of(Side::kSecond)));
  }
  EXPECT_EQ(keys.size(), boards.size());
}

TEST(Position, FromDiscsRebuildsEveryReachablePosition) {
  Rng rng(6);
  for (int i = 0; i < 20'000; ++i) {
    const Position p = random_position(rng);
    const auto again = Position::from_discs(p.discs_of(Side::kFirst), p.discs_of(Side::kSecond));
    ASSERT_TRUE(again.has_value()) << again.error().message;
    ASSERT_EQ(*again, p);
  }
}

TEST(Position, FromDiscsNamesTheRuleThatIsBroken) {
  const auto message = [](Bits first, Bits second) {
    const auto result = Position::from_discs(first, second);
    return result.has_value() ? std::string("accepted") : result.error().message;
  };
  EXPECT_NE(message(square(0, 0), square(0, 0)).find("either side"), std::string::npos);
  EXPECT_NE(message(square(3, 1), 0).find("floating disc at column 4, row 2"), std::string::npos);
  EXPECT_NE(message(0, square(0, 0)).find("impossible counts"), std::string::npos);
  EXPECT_NE(message(column_mask(0) & ~(square(0, 4) | square(0, 5)),
                    column_mask(6) & ~(square(6, 4) | square(6, 5)))
                .find("two winners"),
            std::string::npos);
  const Bits four_up = square(0, 0) | square(0, 1) | square(0, 2) | square(0, 3);
  const Bits four_apart = square(2, 0) | square(2, 1) | square(4, 0) | square(4, 1);
  EXPECT_NE(message(four_up, four_apart).find("move after the end"), std::string::npos);
  EXPECT_NE(message(Bits{1} << 6, 0).find("outside"), std::string::npos);
}

TEST(Position, FromDiscsRefusesTwoLinesThatNoSingleDiscCloses) {
  // Two separate columns of four for the first player, with enough discs of the second.
  const Bits first = (square(0, 0) * 15) | (square(6, 0) * 15);
  const Bits second = (square(2, 0) * 3) | (square(3, 0) * 3) | (square(4, 0) * 7);
  const auto result = Position::from_discs(first, second);
  ASSERT_FALSE(result.has_value());
  EXPECT_NE(result.error().message.find("no single last disc"), std::string::npos);
}

}  // namespace
}  // namespace rowbot::game
