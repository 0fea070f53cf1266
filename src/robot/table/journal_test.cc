#include "robot/table/journal.h"

#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iostream>
#include <unistd.h>

#include "base/disk_recording.h"
#include "base/fault_point.h"
#include "base/faulty_disk.h"
#include "base/temporary_folder.h"
#include "game/moves_text.h"
#include "nlohmann/json.hpp"

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

TEST_F(JournalFile, HasOneWriterAtATime) {
  {
    const auto journal = open();
    const auto second = Journal::open(file_);
    ASSERT_FALSE(second.has_value());
    EXPECT_THAT(second.error().message, HasSubstr("another program writes"));
    EXPECT_THAT(second.error().message, HasSubstr("--log"));
  }
  EXPECT_TRUE(Journal::open(file_).has_value());
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

TEST_F(JournalFile, CutsOffTheZerosThatAPowerCutLeft) {
  {
    const auto journal = open();
    ASSERT_TRUE(journal->begin_game(game_numbered(1), 0).has_value());
    ASSERT_TRUE(journal->move(1, 0, Column(2), 1).has_value());
  }
  const auto whole = std::filesystem::file_size(file_);
  const std::string zeros(40, '\0');
  const std::string state = R"({"event":"state","state":"waiting","message":"","t":2})"
                            "\n";
  write(state.substr(0, 5) + zeros + "\n" + state + zeros);
  {
    const auto journal = open();
    EXPECT_EQ(std::filesystem::file_size(file_), whole);
    ASSERT_TRUE(journal->move(1, 1, Column(2), 3).has_value());
  }
  EXPECT_EQ(open()->games()[0].record.moves.size(), 2U);

  write(zeros + "\n" + R"({"event":"move","game":1,"ply":2,"column":4,"t":4})" + "\n");
  const auto size = std::filesystem::file_size(file_);
  const auto refused = Journal::open(file_);
  ASSERT_FALSE(refused.has_value()) << "a move was lost in the middle";
  EXPECT_EQ(std::filesystem::file_size(file_), size);
}

std::string content_of(const std::vector<LoggedGame>& games) {
  std::string all;
  for (const LoggedGame& game : games) {
    all += fmt::format("{} {} {}\n", game.number, game::moves_text(game.record.moves),
                       static_cast<int>(game.record.reason));
  }
  return all;
}

TEST_F(JournalFile, LeavesNoHalfLineWhenTheDiskWasFull) {
  rowbot::disk_testing::FaultPoint point;
  rowbot::disk_testing::FaultyDisk disk(point);
  {
    auto opened = Journal::open(file_, disk);
    ASSERT_TRUE(opened);
    Journal& journal = **opened;
    ASSERT_TRUE(journal.begin_game(game_numbered(1), 0));
    point.set(rowbot::disk_testing::Fault{.at = 0, .persistent = true});
    EXPECT_FALSE(journal.move(1, 0, Column(2), 1));
    EXPECT_FALSE(journal.state("waiting", "", 1));
    point.clear();
    EXPECT_TRUE(journal.move(1, 0, Column(3), 2));
  }
  const auto games = open()->games();
  ASSERT_EQ(games.at(0).record.moves.size(), 1U);
  EXPECT_EQ(games[0].record.moves[0], Column(3));
}

/// Three games in three runs of the program; every call that fails is made once more.
std::string run_table(rowbot::disk_testing::FaultPoint& point) {
  rowbot::disk_testing::FaultyDisk disk(point);
  const TemporaryFolder folder(rowbot::disk_testing::memory_folder());
  const std::string file = folder.file("table.log");
  std::string wrong;
  const auto attempt = [&](const auto& call) {
    if (wrong.empty()) wrong = rowbot::disk_testing::told_and_survived(point, call);
  };
  for (std::uint64_t number = 1; number <= 3; ++number) {
    Result<std::unique_ptr<Journal>> journal = std::unique_ptr<Journal>();
    attempt([&]() -> Result<void> {
      journal = Journal::open(file, disk);
      return journal ? Result<void>() : journal.error();
    });
    if (!wrong.empty()) return wrong;
    attempt([&] { return (*journal)->begin_game(game_numbered(number), 0); });
    int ply = 0;
    for (const char c : std::string("1212121")) {
      attempt([&] { return (*journal)->state("waiting", "Your move.", 1); });
      attempt([&] { return (*journal)->move(number, ply, *Column::from_digit(c), 1.5); });
      ++ply;
    }
    attempt([&] {
      return (*journal)->end_game(number, GameResult::kFirstWins, EndReason::kFourInARow, 9);
    });
  }
  if (!wrong.empty()) return wrong;
  const auto games = read_journal(file);
  if (!games) return games.error().message;
  const std::string all = content_of(*games);
  const auto reason = static_cast<int>(EndReason::kFourInARow);
  return all == fmt::format("1 1212121 {0}\n2 1212121 {0}\n3 1212121 {0}\n", reason) ? "" : all;
}

TEST(FaultSweep, TheLogOfATableTellsAndSurvivesAFaultAtAnyCall) {
  rowbot::disk_testing::FaultPoint point;
  for (const bool full_disk : {true, false}) {
    const auto report = rowbot::disk_testing::sweep_faults(point, {.full_disk = full_disk},
                                                           [&] { return run_table(point); });
    std::cout << fmt::format("{}: {} calls, {} runs\n", full_disk ? "full disk" : "failing disk",
                             report.calls, report.runs);
    EXPECT_EQ(report.failure, "");
    EXPECT_GT(report.calls, 40U);
  }
}

TEST(PowerCut, LosesNoMoveThatTheTableHasWrittenDown) {
  rowbot::disk_testing::DiskRecording recording;
  std::vector<std::string> states{""};
  {
    rowbot::disk_testing::RecordedDisk disk(recording);
    const TemporaryFolder folder(rowbot::disk_testing::memory_folder());
    const std::string file = folder.file("table.log");
    for (std::uint64_t number = 1; number <= 12; ++number) {
      auto journal = Journal::open(file, disk);
      ASSERT_TRUE(journal) << journal.error().message;
      const auto acknowledge = [&](const Result<void>& done) {
        ASSERT_TRUE(done) << done.error().message;
        recording.acknowledge();
        states.push_back(content_of(*read_journal(file)));
      };
      acknowledge((*journal)->begin_game(game_numbered(number), 0));
      int ply = 0;
      for (const char c : std::string("1212121")) {
        for (int i = 0; i < 3; ++i) {
          ASSERT_TRUE(
              (*journal)->state("waiting", std::string(static_cast<std::size_t>(200 * i), 'm'), 1));
        }
        acknowledge((*journal)->move(number, ply++, *Column::from_digit(c), 1.5));
      }
      acknowledge((*journal)->end_game(number, GameResult::kFirstWins, EndReason::kFourInARow, 9));
    }
  }
  const auto report = rowbot::disk_testing::make_power_cuts(
      recording, rowbot::disk_testing::cuts_to_make(0.1), 5,
      [&](const std::string& folder, std::size_t acknowledged) {
        const std::string file = folder + "/table.log";
        auto journal = Journal::open(file);
        if (!journal) return journal.error().message;
        const std::string content = content_of((*journal)->games());
        const bool in_flight =
            acknowledged + 1 < states.size() && content == states[acknowledged + 1];
        if (content != states.at(acknowledged) && !in_flight) {
          return fmt::format("after {} events there is\n{}", acknowledged, content);
        }
        if (!(*journal)->state("waiting", "", 1)) return std::string("it does not go on");
        const auto again = read_journal(file);
        return again && content_of(*again) == content ? std::string() : "it does not read again";
      });
  std::cout << fmt::format("journal: {} calls, {} syncs, {} power cuts\n", recording.size(),
                           recording.syncs(), report.cuts);
  EXPECT_THAT(report.failures, testing::IsEmpty());
}

TEST(Journal, WithoutAFileKeepsNothing) {
  const auto journal = Journal::open("");
  ASSERT_TRUE(journal.has_value());
  EXPECT_TRUE((*journal)->begin_game(game_numbered(1), 0).has_value());
}

TEST(Journal, ReadsTheLogOfTheProgramBefore) {
  const std::string folder = ROWBOT_SOURCE_DIR "/tests/fixtures/version-3/";
  const auto games = read_journal(folder + "table.log");
  ASSERT_TRUE(games) << games.error().message;
  ASSERT_EQ(games->size(), 2U);
  const std::string shown = bytes_of(folder + "table.jsonl");  // by that program's `rowbot replay`
  for (const LoggedGame& game : *games) {
    EXPECT_EQ(game.robot, "eezybot");
    EXPECT_THAT(shown, ::testing::HasSubstr(game::record_json(game.record).dump().substr(1)));
  }
}

}  // namespace
}  // namespace rowbot::table
