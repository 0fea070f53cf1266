// Databases of older versions keep every game, result, survey and match. tests/fixtures/version-3
// was made by the program of that version, with what it answered about its games.
#include <array>
#include <csignal>
#include <iostream>
#include <map>
#include <sys/wait.h>
#include <unistd.h>

#include "base/disk_recording.h"
#include "base/fault_point.h"
#include "base/sqlite/power_cut_vfs.h"
#include "base/sqlite/sqlite_sweep.h"
#include "base/temporary_folder.h"
#include "base/text.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "service/store/sample_match.h"
#include "service/store/sample_run.h"
#include "service/store/schema.h"
#include "service/store/server_lock.h"
#include "service/store/sqlite_store.h"

namespace rowbot::store {
namespace {

using rowbot::disk_testing::DiskRecording;
using rowbot::disk_testing::FaultPoint;
using rowbot::disk_testing::memory_folder;
using rowbot::disk_testing::PowerCutVfs;

std::string fixture(const std::string& name) {
  return bytes_of(ROWBOT_SOURCE_DIR "/tests/fixtures/version-3/" + name);
}

/// The old program's database in a new file.
Result<void> restore_fixture(const std::string& path) {
  auto database = sqlite::Database::open(path, {});
  if (!database) return database.error();
  return database->execute(fixture("database.sql"));
}

/// Every game in the order of the table, one a line.
std::string all_games(const std::string& path) {
  auto archive = Archive::open(path);
  if (!archive) return archive.error().message;
  std::string all;
  const auto read = archive->each_game({}, [&](const Result<StoredGame>& game) -> Result<void> {
    if (!game) return game.error();
    all += fmt::format("{} {}", game->head.token, game::record_json(game->record).dump());
    all += '\n';
    return {};
  });
  return read ? all + sample::content_of(*archive) : read.error().message;
}

TEST(Migration, KeepsEveryGameOfTheWebsite) {
  const TemporaryFolder folder;
  ASSERT_TRUE(restore_fixture(folder.file("old.db")));
  auto store = SqliteStore::open(folder.file("old.db"));
  ASSERT_TRUE(store) << store.error().message;
  const auto old = nlohmann::json::parse(fixture("website.json"));
  ASSERT_EQ(old["games"].size(), 11U);
  const std::map<std::string, game::EndReason> reasons{
      {"four in a row", game::EndReason::kFourInARow},
      {"board full", game::EndReason::kBoardFull},
      {"resigned", game::EndReason::kResigned}};
  for (const auto& [token, was] : old["games"].items()) {
    const auto found = (*store)->game(token);
    ASSERT_TRUE(found && *found) << token;
    const game::GameRecord& record = (*found)->record;
    EXPECT_EQ(game::moves_text(record.moves), was["moves"]);
    EXPECT_EQ((*found)->head.level.value_or(""), was["level"].is_null() ? "" : was["level"]);
    EXPECT_EQ(record.first.name == "human", was["first"]["type"] == "human");
    EXPECT_EQ(record.second.name == "human", was["second"]["type"] == "human");
    EXPECT_EQ(record.reason,
              was["reason"].is_null() ? game::EndReason::kOngoing : reasons.at(was["reason"]));
    EXPECT_EQ(game::result_text(record.result),
              was["result"].is_null() ? "ongoing" : was["result"].get<std::string>());
    EXPECT_EQ(record.had_undo, was["moves"] == "14" || was["moves"] == "33");
    EXPECT_EQ(record.start_moves, was["moves"] == "4455616" ? 4U : 0U);
  }
  const auto statistics = (*store)->statistics();
  ASSERT_TRUE(statistics);
  EXPECT_EQ(statistics->games, old["statistics"]["games"]);
  ASSERT_EQ(statistics->tally.size(), 1U);
  EXPECT_EQ(statistics->tally[0].games, old["statistics"]["easy_agent_wins"]);
  EXPECT_EQ(statistics->surveys.size(), old["statistics"]["survey_answers"]);
}

TEST(Migration, KeepsEveryGameOfAMatchAndLetsOldGamesGoOn) {
  const TemporaryFolder folder;
  ASSERT_TRUE(restore_fixture(folder.file("old.db")));
  auto archive = Archive::open(folder.file("old.db"));
  ASSERT_TRUE(archive) << archive.error().message;
  int games = 0;
  const std::string exported = fixture("exported.jsonl");
  for (const std::string_view line : split(exported, '\n')) {
    if (line.empty()) continue;
    ++games;
    const auto was = nlohmann::json::parse(line);
    auto expected = game::parse_record_json(line);
    ASSERT_TRUE(expected) << expected.error().message;
    // What the old program computed when it wrote the line, and kept beside the record.
    expected->first.seed = expected->second.seed = std::nullopt;
    expected->first.thinking = std::chrono::microseconds(was["first_us"].get<std::int64_t>());
    expected->second.thinking = std::chrono::microseconds(was["second_us"].get<std::int64_t>());
    const auto found = sample::games_of(*archive, was["match"]);
    const std::uint64_t number = was["number"];
    ASSERT_LT(number, found.size());
    expected->start_moves = was["match"] == 1 ? 4 : 0;
    EXPECT_EQ(found[number].record, *expected) << line;
  }
  EXPECT_EQ(games, 40);
  EXPECT_TRUE(*archive->report("boehm-5.2"));
  auto store = SqliteStore::open(folder.file("old.db"));
  ASSERT_TRUE(store);
  auto raw = open_database(folder.file("old.db"));
  ASSERT_TRUE(raw);
  auto row = raw->prepare("SELECT token FROM games WHERE moves = '14'");
  ASSERT_TRUE(row && *row->step());
  ASSERT_TRUE(write_and_wait(
      **store, {AddMove{.token = row->text(0), .ply = 2, .column = game::Column(0)}}));
}

TEST(Migration, KeepsTheGamesOfEachOlderVersionAndTheMovesBeforeAGap) {
  for (std::size_t version = 1; version < migrations().size(); ++version) {
    const TemporaryFolder folder;
    const std::string path = folder.file("old.db");
    {
      auto old = sqlite::Database::open(path, migrations().first(version));
      ASSERT_TRUE(old) << old.error().message;
      ASSERT_TRUE(old->execute(
          "INSERT INTO games (token, kind, first, second, start, created, helped) VALUES"
          " ('aa', 'human-agent', 'human', 'easy', '44', 5, 1),"
          " ('bb', 'human-human', 'human', 'human', '', 6, 0);"
          "INSERT INTO moves VALUES (1, 2, 1, NULL), (1, 3, 2, 77), (1, 5, 7, 8), (2, 1, 1, 1);"
          "INSERT INTO surveys (game, feel, age, answered) VALUES (1, 'good', 'old', 7)"));
      if (version > 1) {
        ASSERT_TRUE(old->execute(
            "INSERT INTO lab_matches VALUES (3, 'k', 'x', 'y', 1, 0, 'b', 10, '');"
            "INSERT INTO lab_games VALUES (3, 0, '4141414', 'first', 1, 10, 20, 'n')"));
      }
    }
    auto store = SqliteStore::open(path);
    ASSERT_TRUE(store) << store.error().message;
    const auto game = (*store)->game("aa");
    ASSERT_TRUE(game && *game);
    EXPECT_EQ(game::moves_text((*game)->record.moves), "4412");
    EXPECT_EQ(game::thinking_text((*game)->record.thinking), "- - - 77");
    EXPECT_TRUE((*game)->record.had_undo);
    EXPECT_TRUE((**(*store)->game("bb")).record.moves.empty());
    EXPECT_EQ((*store)->statistics()->games, 2);
    EXPECT_EQ((*store)->statistics()->surveys.size(), 1U);
    auto archive = Archive::open(path);
    ASSERT_TRUE(archive);
    const auto games = sample::games_of(*archive, 3);
    ASSERT_EQ(games.size(), version > 1 ? 1U : 0U);
    if (version == 1) continue;
    EXPECT_EQ(games[0].record.first.name, "y");
    EXPECT_EQ(games[0].record.first.thinking, std::chrono::microseconds(20));
    EXPECT_EQ(games[0].record.note, "n");
  }
}

TEST(Migration, IsWholeOrNotThereAfterAPowerCut) {
  std::string expected;
  DiskRecording recording;
  {
    const PowerCutVfs vfs(recording);
    const TemporaryFolder folder(memory_folder());
    ASSERT_TRUE(restore_fixture(folder.file("a.db")));
    recording.acknowledge();
    ASSERT_TRUE(open_database(folder.file("a.db")));
    recording.acknowledge();
    expected = all_games(folder.file("a.db"));
  }
  ASSERT_GT(split(expected, '\n').size(), 50U);
  int old_versions = 0;
  const auto report = disk_testing::make_power_cuts(
      recording, disk_testing::cuts_to_make(0.1), 3,
      [&](const std::string& folder, std::size_t acknowledged) -> std::string {
        if (acknowledged == 0) return "";  // the old database is not there yet
        const std::string path = folder + "/a.db";
        {
          auto raw = sqlite::Database::open(path, migrations().first(3));
          if (raw) ++old_versions;  // else it is too new for a program of version 3
          if (raw && acknowledged > 1) return "what was acknowledged is gone";
          if (raw && !raw->execute("SELECT * FROM moves, lab_games")) return "half a migration";
        }
        if (const std::string now = all_games(path); now != expected) return "there is " + now;
        return sample::integrity_of(path);
      });
  std::cout << fmt::format("migration: {} calls, {} power cuts, {} before its commit\n",
                           recording.size(), report.cuts, old_versions);
  EXPECT_GT(old_versions, 0);
  EXPECT_THAT(report.failures, ::testing::IsEmpty());
}

TEST(Migration, TellsAndSurvivesAFaultAtAnyCall) {
  std::string expected;
  const auto sweep = disk_testing::sweep_sqlite([&](FaultPoint& point) -> std::string {
    const TemporaryFolder folder(memory_folder());
    const std::string path = folder.file("a.db");
    const auto fault = point.release();
    if (const auto restored = restore_fixture(path); !restored) return restored.error().message;
    point.set(fault);
    const auto open = [&]() -> Result<void> {
      const auto opened = open_database(path);
      if (!opened) return opened.error();
      return {};
    };
    if (auto wrong = disk_testing::told_and_survived(point, open); !wrong.empty()) return wrong;
    point.clear();
    const std::string now = all_games(path);
    if (expected.empty()) expected = now;
    return now == expected ? sample::integrity_of(path) : "there is " + now;
  });
  std::cout << sweep.figures;
  EXPECT_EQ(sweep.failure, "");
}

TEST(Migration, WaitsForAnotherProgramAndSaysSo) {
  const TemporaryFolder folder;
  const std::string path = folder.file("old.db");
  ASSERT_TRUE(restore_fixture(path));
  auto other = sqlite::Database::open(path, migrations().first(3));
  ASSERT_TRUE(other);
  {
    auto writing = sqlite::Transaction::begin(*other);
    ASSERT_TRUE(writing);
    const auto refused = open_database(path, {.busy_timeout = std::chrono::milliseconds(50)});
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, ::testing::HasSubstr("brought up to date"));
  }
  EXPECT_TRUE(open_database(path));
}

TEST(Migration, IsRefusedWhileAnOlderServerRuns) {
  const TemporaryFolder folder;
  const std::string path = folder.file("old.db");
  ASSERT_TRUE(restore_fixture(path));
  std::array<int, 2> ready{};
  ASSERT_EQ(::pipe(ready.data()), 0);
  const pid_t server = ::fork();
  if (server == 0) {
    const auto lock = ServerLock::take(path);
    [[maybe_unused]] const auto told = ::write(ready[1], "x", 1);
    ::pause();
    ::_exit(0);
  }
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  const auto refused = open_database(path);
  ::kill(server, SIGKILL);
  ASSERT_EQ(::waitpid(server, nullptr, 0), server);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message,
              ::testing::HasSubstr(fmt::format("another server (process {})", server)));
  EXPECT_TRUE(sqlite::Database::open(path, migrations().first(3))) << "it was left as it is";
  const auto lock = ServerLock::take(path);  // the server itself, of this version
  ASSERT_TRUE(lock);
  EXPECT_TRUE(open_database(path));
}

}  // namespace
}  // namespace rowbot::store
