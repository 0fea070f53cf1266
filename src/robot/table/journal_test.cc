#include "robot/table/journal.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "game/moves_text.h"

namespace rowbot::table {
namespace {

using game::Column;
using game::EndReason;
using game::GameResult;
using testing::HasSubstr;

class JournalFile : public testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(file_); }
  [[nodiscard]] std::unique_ptr<Journal> open() const {
    auto journal = Journal::open(file_);
    EXPECT_TRUE(journal.has_value()) << journal.error().message;
    return *std::move(journal);
  }
  void write(const std::string& text) const { std::ofstream(file_, std::ios::app) << text; }

  std::string file_ = std::filesystem::temp_directory_path() /
                      ("rowbot_journal_" + std::to_string(::getpid()) + ".log");
};

LoggedGame game_numbered(std::uint64_t number) {
  LoggedGame game{.number = number, .robot = "panda", .record = {}};
  game.record.first.name = "human";
  game.record.second.name = "perfect";
  return game;
}

TEST_F(JournalFile, ReadsBackWhatWasWritten) {
  {
    const auto journal = open();
    ASSERT_TRUE(journal->begin_game(game_numbered(1), 0).has_value());
    ASSERT_TRUE(journal->state("waiting", "Your move \"now\"\n", 0.1).has_value());
    int ply = 0;
    for (const char c : std::string("1212121")) {
      ASSERT_TRUE(journal->move(1, ply++, *Column::from_digit(c), 1.5).has_value());
    }
    ASSERT_TRUE(
        journal->end_game(1, GameResult::kFirstWins, EndReason::kFourInARow, 9).has_value());
    ASSERT_TRUE(journal->begin_game(game_numbered(2), 10).has_value());
    ASSERT_TRUE(journal->move(2, 0, Column(3), 11).has_value());
  }
  const auto games = open()->games();
  ASSERT_EQ(games.size(), 2U);
  EXPECT_EQ(game::moves_text(games[0].record.moves), "1212121");
  EXPECT_EQ(games[0].record.result, GameResult::kFirstWins);
  EXPECT_EQ(games[0].robot, "panda");
  EXPECT_EQ(games[1].record.reason, EndReason::kOngoing);
  EXPECT_EQ(games[1].record.moves.size(), 1U);
}

TEST_F(JournalFile, CutsOffATornLastLineAndGoesOn) {
  {
    const auto journal = open();
    ASSERT_TRUE(journal->begin_game(game_numbered(1), 0).has_value());
  }
  write(R"({"event":"move","game":1,"pl)");
  {
    const auto journal = open();
    ASSERT_EQ(journal->games().size(), 1U);
    EXPECT_TRUE(journal->games()[0].record.moves.empty());
    ASSERT_TRUE(journal->move(1, 0, Column(2), 1).has_value());
  }
  EXPECT_EQ(open()->games()[0].record.moves.size(), 1U);
}

TEST_F(JournalFile, LeavesAFileThatIsNoLogUntouched) {
  write("dear diary\n");
  const auto refused = Journal::open(file_);
  ASSERT_FALSE(refused.has_value());
  EXPECT_THAT(refused.error().message, HasSubstr("line 1"));
  EXPECT_EQ(std::filesystem::file_size(file_), 11U);
}

TEST(Journal, RefusesWhatContradictsItself) {
  const std::string begin =
      R"({"event":"game","game":1,"first":"human","second":"x","robot":"panda","t":0})"
      "\n";
  const auto wrong = [&begin](const std::string& lines) {
    const auto games = parse_journal(begin + lines);
    return games ? std::string() : games.error().message;
  };
  EXPECT_EQ(wrong(""), "");
  EXPECT_THAT(wrong(R"({"event":"move","game":1,"ply":1,"column":4})"
                    "\n"),
              HasSubstr("line 2"));
  EXPECT_THAT(wrong(R"({"event":"move","game":2,"ply":0,"column":4})"
                    "\n"),
              HasSubstr("no open"));
  EXPECT_THAT(wrong(R"({"event":"move","game":1,"ply":0,"column":8})"
                    "\n"),
              HasSubstr("1 to 7"));
  EXPECT_THAT(wrong(R"({"event":"end","game":1,"result":"first","reason":"four_in_a_row"})"
                    "\n"),
              HasSubstr("line 2"));
  EXPECT_THAT(wrong(begin), HasSubstr("has not ended"));
  EXPECT_THAT(wrong("[]\n"), HasSubstr("no event"));
}

TEST(Journal, AGameEndsOnce) {
  const std::string log =
      R"({"event":"game","game":1,"first":"human","second":"x","robot":"","t":0})"
      "\n"
      R"({"event":"end","game":1,"result":"ongoing","reason":"interrupted","t":1})"
      "\n";
  ASSERT_TRUE(parse_journal(log).has_value()) << parse_journal(log).error().message;
  const std::string twice =
      log + R"({"event":"end","game":1,"result":"ongoing","reason":"interrupted","t":1})"
            "\n";
  EXPECT_FALSE(parse_journal(twice).has_value());
}

TEST(Journal, WithoutAFileKeepsNothing) {
  const auto journal = Journal::open("");
  ASSERT_TRUE(journal.has_value());
  EXPECT_TRUE((*journal)->begin_game(game_numbered(1), 0).has_value());
}

}  // namespace
}  // namespace rowbot::table
