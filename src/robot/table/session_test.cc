#include "robot/table/session.h"

#include <vector>

#include "base/rng.h"
#include "game/moves_text.h"
#include "gtest/gtest.h"

namespace rowbot::table {
namespace {

using game::Column;
using game::EndReason;
using game::GameResult;
using game::Side;

std::vector<Column> moves_of(std::string_view digits) {
  return game::parse_played(digits).value().moves;
}

Session against_agent(std::string_view start = "") {
  return Session({.second = {.agent = "forward"}, .start = moves_of(start)});
}

void play_all(Session& session, std::string_view digits) {
  for (const char digit : digits) {
    const Side side = session.snapshot()->game.position().to_move();
    ASSERT_EQ(session.play({.side = side, .column = *Column::from_digit(digit)}).verdict,
              Verdict::kFine);
  }
}

TEST(Session, EndsWithFourInARow) {
  Session session = against_agent();
  play_all(session, "1212121");
  EXPECT_EQ(session.snapshot()->game.result(), GameResult::kFirstWins);
  EXPECT_EQ(session.snapshot()->game.reason(), EndReason::kFourInARow);
  EXPECT_EQ(session.snapshot()->turn(), std::nullopt);
  EXPECT_EQ(session.play({.side = Side::kSecond, .column = Column(2)}).verdict, Verdict::kGameOver);
  EXPECT_EQ(session.take_back(Side::kFirst), Verdict::kGameOver);
  EXPECT_EQ(session.resign(Side::kFirst), Verdict::kGameOver);
}

TEST(Session, MakesARepeatedMoveOnceAndRefusesAStaleOne) {
  Session session = against_agent();
  const Play first{.side = Side::kFirst, .column = Column(3), .ply = 0};
  EXPECT_FALSE(session.play(first).repeated);
  const auto version = session.snapshot()->version;
  EXPECT_TRUE(session.play(first).repeated);
  EXPECT_EQ(session.snapshot()->version, version);
  EXPECT_EQ(session.play({.side = Side::kFirst, .column = Column(2), .ply = 0}).verdict,
            Verdict::kStale);
  EXPECT_EQ(session.play({.side = Side::kSecond, .column = Column(3), .ply = 0}).verdict,
            Verdict::kStale);
  EXPECT_EQ(session.play({.side = Side::kSecond, .column = Column(3), .ply = -1}).verdict,
            Verdict::kStale);
  EXPECT_EQ(game::moves_text(session.snapshot()->game.moves()), "4");
}

TEST(Session, TakesBackToTheLastTurnOfTheSideButNotTheStart) {
  Session session = against_agent("44");
  EXPECT_EQ(session.take_back(Side::kFirst), Verdict::kNothingToUndo);
  play_all(session, "1234");
  EXPECT_EQ(session.take_back(Side::kFirst), Verdict::kFine);
  EXPECT_EQ(game::moves_text(session.snapshot()->game.moves()), "4412");
  EXPECT_TRUE(session.snapshot()->game.had_undo());
  play_all(session, "7");  // while the agent thinks only the person's own move comes back
  EXPECT_EQ(session.take_back(Side::kFirst), Verdict::kFine);
  EXPECT_EQ(game::moves_text(session.snapshot()->game.moves()), "4412");
  play_all(session, "5566");
}

TEST(Session, LetsNobodyTakeBackWhatAPersonElsewhereHasAnswered) {
  Session session({.remote_players = true});
  play_all(session, "44");
  EXPECT_EQ(session.take_back(Side::kFirst), Verdict::kNothingToUndo);
  EXPECT_EQ(session.take_back(Side::kSecond), Verdict::kFine);
}

TEST(Session, OldSnapshotsNeverChange) {
  Session session = against_agent();
  const auto before = session.snapshot();
  play_all(session, "4");
  EXPECT_TRUE(before->game.moves().empty());
  EXPECT_GT(session.snapshot()->version, before->version);
}

TEST(Session, ResumedFromItsRecordIsTheSameGame) {
  Rng rng(1);
  for (int i = 0; i < 200; ++i) {
    Session played = against_agent("4");
    while (!played.snapshot()->over() && rng.below(30) > 0) {
      const Side side = *played.snapshot()->turn();
      static_cast<void>(
          played.play({.side = side, .column = Column(static_cast<int>(rng.below(7)))}));
    }
    if (!played.snapshot()->over() && rng.below(2) == 0) {
      ASSERT_EQ(played.resign(Side::kSecond), Verdict::kFine);
    }
    const Snapshot& was = *played.snapshot();
    const auto resumed = Session::resume(was.setup, was.game.record());
    ASSERT_TRUE(resumed) << resumed.error().message;
    EXPECT_EQ(game::moves_text(resumed->snapshot()->game.moves()),
              game::moves_text(was.game.moves()));
    EXPECT_EQ(resumed->snapshot()->game.position(), was.game.position());
    EXPECT_EQ(resumed->snapshot()->game.result(), was.game.result());
    EXPECT_EQ(resumed->snapshot()->game.reason(), was.game.reason());
  }
}

TEST(Session, RefusesARecordThatContradictsItself) {
  const auto resume = [](std::string_view moves, GameResult result, EndReason reason) {
    return Session::resume({}, {.moves = moves_of(moves), .result = result, .reason = reason})
        .has_value();
  };
  EXPECT_TRUE(resume("1212121", GameResult::kFirstWins, EndReason::kFourInARow));
  EXPECT_FALSE(resume("1212121", GameResult::kSecondWins, EndReason::kResigned));
  EXPECT_FALSE(resume("1212121", GameResult::kOngoing, EndReason::kOngoing));
  EXPECT_FALSE(resume("121212", GameResult::kFirstWins, EndReason::kFourInARow));
}

}  // namespace
}  // namespace rowbot::table
