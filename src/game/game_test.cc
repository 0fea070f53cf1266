#include "game/game.h"

#include <set>
#include <vector>

#include "base/rng.h"
#include "game/game_record.h"
#include "game/moves_text.h"
#include "game/play_out.h"
#include "game/random_game.h"
#include "game/referee_2d.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace rowbot::game {
namespace {

using ::testing::HasSubstr;
using testing::Referee2d;

Game game_of(std::string_view digits) {
  Game game;
  for (const char digit : digits) EXPECT_EQ(game.play(*Column::from_digit(digit)), Verdict::kFine);
  return game;
}

TEST(Game, IsOneCacheLine) { EXPECT_LE(sizeof(Game), 64U); }

TEST(Game, NamesWhyAMoveIsRefused) {
  const Game full = game_of("444444");
  EXPECT_EQ(full.judge(Side::kFirst, Column(3)), Verdict::kColumnFull);
  EXPECT_EQ(full.judge(Side::kSecond, Column(2)), Verdict::kNotYourTurn);
  EXPECT_EQ(full.judge(Side::kFirst, Column(2)), Verdict::kFine);
  Game won = game_of("1212121");
  EXPECT_EQ(won.play(Side::kSecond, Column(2)), Verdict::kGameOver);
  EXPECT_EQ(won.play(Side::kFirst, Column(2)), Verdict::kGameOver);
  EXPECT_EQ(won, game_of("1212121"));
}

TEST(Game, EndsWhenTheSlowRefereeSaysSo) {
  Rng rng(1);
  std::set<EndReason> seen;
  for (int i = 0; i < 3'000; ++i) {
    Game game;
    Referee2d referee;
    while (!game.over()) {
      const Column column(static_cast<int>(rng.below(kColumns)));
      const bool open = referee.cell(column.index(), kRows - 1) == 0;
      ASSERT_EQ(game.judge(column), open ? Verdict::kFine : Verdict::kColumnFull);
      const auto turn = game.turn();
      ASSERT_EQ(game.play(other(*turn), column), Verdict::kNotYourTurn);
      if (game.play(*turn, column) != Verdict::kFine) continue;
      referee.play(column.index());
      // Both enums: going, first, second, draw.
      ASSERT_EQ(static_cast<int>(game.result()), static_cast<int>(referee.state()));
    }
    EXPECT_EQ(game.turn(), std::nullopt);
    EXPECT_EQ(game.reason(),
              game.result() == GameResult::kDraw ? EndReason::kBoardFull : EndReason::kFourInARow);
    seen.insert(game.reason());
  }
  EXPECT_EQ(seen.size(), 2U);
}

TEST(Game, PlayersEndItOnce) {
  for (const auto& [reason, end] : {std::pair(EndReason::kResigned, &Game::resign),
                                    std::pair(EndReason::kTimedOut, &Game::time_out),
                                    std::pair(EndReason::kFailed, &Game::fail)}) {
    Game game = game_of("44");
    EXPECT_EQ((game.*end)(Side::kSecond), Verdict::kFine);
    EXPECT_EQ(game.result(), GameResult::kFirstWins);
    EXPECT_EQ(game.reason(), reason);
    EXPECT_EQ((game.*end)(Side::kFirst), Verdict::kGameOver);
    EXPECT_EQ(game.interrupt(), Verdict::kGameOver);
    EXPECT_EQ(game.play(Column(0)), Verdict::kGameOver);
    EXPECT_EQ(game.undo(Side::kFirst), Verdict::kGameOver);
    EXPECT_EQ(game.result(), GameResult::kFirstWins);
  }
  Game left = game_of("44");
  EXPECT_EQ(left.interrupt(), Verdict::kFine);
  EXPECT_EQ(left.result(), GameResult::kOngoing);
  EXPECT_TRUE(left.over());
}

TEST(Game, TakesBackToTheLastTurnOfTheSideButNotTheStart) {
  Game game(parse_played("44")->moves);
  EXPECT_EQ(game.undo(Side::kFirst), Verdict::kNothingToUndo);
  for (const int c : {0, 1, 2, 3}) ASSERT_EQ(game.play(Column(c)), Verdict::kFine);
  EXPECT_FALSE(game.had_undo());
  EXPECT_EQ(game.undo_ply(Side::kFirst), 4U);
  EXPECT_EQ(game.undo_ply(Side::kFirst, Undo::kUnansweredOnly), std::nullopt);
  EXPECT_EQ(game.undo_ply(Side::kSecond, Undo::kUnansweredOnly), 5U);
  EXPECT_EQ(game.undo(Side::kFirst), Verdict::kFine);
  EXPECT_EQ(moves_text(game.moves()), "4412");
  EXPECT_EQ(game.position(), *parse_moves("4412"));
  EXPECT_TRUE(game.had_undo());
  EXPECT_EQ(game.start_moves(), 2U);
}

TEST(Game, RewindsEvenFromItsEnd) {
  Game game = game_of("1212121");
  game.rewind(6);
  EXPECT_EQ(game.turn(), Side::kFirst);
  EXPECT_EQ(game.result(), GameResult::kOngoing);
  Game same = game_of("121212");
  same.rewind(6);
  EXPECT_FALSE(same.had_undo());
}

TEST(Game, ResumesFromItsOwnRecord) {
  Rng rng(2);
  for (int i = 0; i < 2'000; ++i) {
    Game game(testing::random_moves(rng, static_cast<int>(rng.below(4))));
    while (!game.over() && rng.below(30) > 0) {
      (void)game.play(Column(static_cast<int>(rng.below(kColumns))));
      if (rng.below(20) == 0) (void)game.undo(Side::kFirst);
    }
    if (rng.below(3) == 0) (void)game.resign(Side::kFirst);
    const auto resumed = Game::resume(game.record());
    ASSERT_TRUE(resumed) << resumed.error().message;
    ASSERT_EQ(*resumed, game);
  }
}

TEST(Game, RefusesARecordThatContradictsItself) {
  const auto refusal = [](std::string_view moves, GameResult result, EndReason reason,
                          std::size_t start = 0) {
    GameRecord record = game_of(moves).record();
    record.result = result;
    record.reason = reason;
    record.start_moves = start;
    const auto game = Game::resume(record);
    return game ? "accepted" : game.error().message;
  };
  EXPECT_EQ(refusal("1212121", GameResult::kFirstWins, EndReason::kFourInARow), "accepted");
  EXPECT_THAT(refusal("1212121", GameResult::kSecondWins, EndReason::kResigned),
              HasSubstr("contradicts"));
  EXPECT_THAT(refusal("1212121", GameResult::kOngoing, EndReason::kOngoing),
              HasSubstr("contradicts"));
  EXPECT_THAT(refusal("121212", GameResult::kFirstWins, EndReason::kFourInARow),
              HasSubstr("contradicts"));
  EXPECT_THAT(refusal("121", GameResult::kDraw, EndReason::kResigned), HasSubstr("contradicts"));
  EXPECT_THAT(refusal("121", GameResult::kOngoing, EndReason::kOngoing, 4),
              HasSubstr("begins after 4 moves"));
}

TEST(PlayOut, AsksTheSideWhoseTurnItIsUntilTheEnd) {
  Game game;
  std::vector<Side> moved;
  play_out(
      game,
      [](Side side, const Position& /*position*/) {
        return std::optional(Column(side == Side::kFirst ? 0 : 1));
      },
      [&](Side side) { moved.push_back(side); });
  EXPECT_EQ(game, game_of("1212121"));
  ASSERT_EQ(moved.size(), 7U);
  EXPECT_EQ(moved.front(), Side::kFirst);
  EXPECT_EQ(moved.at(1), Side::kSecond);
}

TEST(PlayOut, AnIllegalColumnLosesAndNoAnswerLeavesTheGameOpen) {
  Game game;
  play_out(game,
           [](Side /*side*/, const Position& /*position*/) { return std::optional(Column(3)); });
  EXPECT_EQ(moves_text(game.moves()), "444444");
  EXPECT_EQ(game.reason(), EndReason::kFailed);
  EXPECT_EQ(game.result(), GameResult::kSecondWins);

  Game left;
  play_out(left, [](Side side, const Position& /*position*/) {
    return side == Side::kFirst ? std::optional(Column(3)) : std::nullopt;
  });
  EXPECT_EQ(moves_text(left.moves()), "4");
  EXPECT_EQ(left.turn(), Side::kSecond);
}

}  // namespace
}  // namespace rowbot::game
