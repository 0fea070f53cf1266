#include "base/sqlite/database.h"

#include <array>
#include <optional>
#include <string>

#include "base/fault_point.h"
#include "base/sqlite/faulty_memory.h"
#include "base/temporary_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace rowbot::sqlite {
namespace {

using ::testing::HasSubstr;

constexpr std::array<std::string_view, 2> kSteps{
    "CREATE TABLE fruit (name TEXT PRIMARY KEY, weight REAL)",
    "ALTER TABLE fruit ADD COLUMN colour TEXT"};
constexpr std::span kFirstStep(kSteps.data(), 1);

TEST(Database, GivesBackWhatWasBound) {
  auto database = Database::open(":memory:", kSteps);
  ASSERT_TRUE(database) << database.error().message;
  const std::string odd("a\0'\"b", 5);
  ASSERT_TRUE(database->run("INSERT INTO fruit VALUES (?1, ?2, ?3)", odd, 1.5,
                            std::optional<std::string>()));
  EXPECT_EQ(database->changes(), 1);
  auto row = database->prepare("SELECT name, weight, colour FROM fruit");
  ASSERT_TRUE(row);
  ASSERT_TRUE(*row->step());
  EXPECT_EQ(row->text(0), odd);
  EXPECT_EQ(row->number(1), 1.5);
  EXPECT_TRUE(row->is_null(2));
  EXPECT_EQ(row->optional_text(2), std::nullopt);
  EXPECT_FALSE(*row->step());
}

TEST(Database, SaysWhichStatementIsWrong) {
  auto database = Database::open(":memory:", kSteps);
  const auto statement = database->prepare("SELECT nonsense FROM fruit");
  ASSERT_FALSE(statement);
  EXPECT_THAT(statement.error().message, HasSubstr("no such column: nonsense"));
  EXPECT_FALSE(database->run("SELECT 1", 5)) << "a value for which there is no parameter";
}

TEST(Database, BringsAnOlderFileUpToDateAndKeepsItsRows) {
  const TemporaryFolder folder;
  const std::string path = folder.file("deep/in/a.db");
  {
    auto old = Database::open(path, kFirstStep);
    ASSERT_TRUE(old) << old.error().message;
    ASSERT_TRUE(old->run("INSERT INTO fruit VALUES ('plum', 2)"));
  }
  auto database = Database::open(path, kSteps);
  ASSERT_TRUE(database) << database.error().message;
  auto row = database->prepare("SELECT name, colour FROM fruit");
  ASSERT_TRUE(*row->step());
  EXPECT_EQ(row->text(0), "plum");
}

TEST(Database, RefusesANewerFileAndLeavesItUntouched) {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.db");
  { ASSERT_TRUE(Database::open(path, kSteps)); }
  const std::string before = bytes_of(path);
  const auto refused = Database::open(path, kFirstStep);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("newer Rowbot"));
  EXPECT_EQ(bytes_of(path), before);
}

TEST(Database, RefusesAnUpgradeThatIsStillInTheLog) {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.db");
  { ASSERT_TRUE(Database::open(path, kFirstStep)); }
  const auto upgraded = Database::open(path, kSteps);  // stays open: its log is not copied yet
  ASSERT_TRUE(upgraded);
  const std::string before = bytes_of(path);
  EXPECT_FALSE(Database::open(path, kFirstStep));
  EXPECT_EQ(bytes_of(path), before);
}

TEST(Database, RefusesWhatIsNotItsOwnAndLeavesItUntouched) {
  const TemporaryFolder folder;
  const std::string text = folder.file("letter.txt");
  write_bytes(text, "Dear reader, this is no database. " + std::string(200, '.'));
  const std::string before = bytes_of(text);
  const auto refused = Database::open(text, kSteps);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("not a Rowbot database"));
  EXPECT_EQ(bytes_of(text), before);

  // A database of somebody else: ours with another mark in its header.
  const std::string other = folder.file("other.db");
  { ASSERT_TRUE(Database::open(other, kSteps)); }
  std::string bytes = bytes_of(other);
  bytes.at(68) = 'X';
  write_bytes(other, bytes);
  ASSERT_FALSE(Database::open(other, kSteps));
  EXPECT_EQ(bytes_of(other), bytes);

  EXPECT_FALSE(Database::open("/", kSteps));
}

TEST(Database, RefusesADamagedFileAndLeavesItUntouched) {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.db");
  {
    auto database = Database::open(path, kSteps);
    auto transaction = Transaction::begin(*database);
    for (int i = 0; i < 500; ++i) {
      ASSERT_TRUE(database->run("INSERT INTO fruit VALUES (?1, 1, 'red')",
                                "a fruit with a long name, number " + std::to_string(i)));
    }
    ASSERT_TRUE(transaction->commit());
  }
  const std::string whole = bytes_of(path);
  ASSERT_GT(whole.size(), 3 * 4096U);
  std::string scribbled = whole;
  for (std::size_t i = 4096; i < 4096 + 2048; ++i) scribbled[i] = '\x5a';
  for (const std::string& bytes : {scribbled, whole.substr(0, 50), whole.substr(0, 4096 + 100)}) {
    write_bytes(path, bytes);
    const auto refused = Database::open(path, kSteps);
    ASSERT_FALSE(refused) << bytes.size();
    EXPECT_THAT(refused.error().message, HasSubstr("damaged"));
    EXPECT_EQ(bytes_of(path), bytes);
  }
}

TEST(Database, KeepsNothingOfATransactionThatWasNotCommitted) {
  auto database = Database::open(":memory:", kSteps);
  {
    const auto transaction = Transaction::begin(*database);
    ASSERT_TRUE(transaction);
    ASSERT_TRUE(database->run("INSERT INTO fruit VALUES ('plum', 2, 'blue')"));
  }
  EXPECT_FALSE(*database->prepare("SELECT * FROM fruit")->step());
}

TEST(Database, EndsATransactionWithoutMemoryToo) {
  disk_testing::FaultPoint point;
  const disk_testing::FaultyMemory memory(point);
  std::uint64_t failed = 0;
  const auto sweep = disk_testing::sweep_faults(point, {}, [&]() -> std::string {
    const auto fault = point.release();
    auto database = Database::open(":memory:", kSteps);
    if (!database) return database.error().message;
    point.set(fault);
    {
      auto transaction = Transaction::begin(*database);
      if (transaction) {
        const bool written =
            database->run("INSERT INTO fruit VALUES ('plum', ?1, ?2)", 1, "blue").has_value();
        if (!written && !database->storage_failed()) return "the reason is not told";
        failed += written ? 0 : 1;
      }
    }
    const bool early = database->run("INSERT INTO fruit VALUES ('pear', 1, '')").has_value();
    point.clear();
    if (!early && !database->run("INSERT INTO fruit VALUES ('pear', 1, '')")) return "it ends";
    if (database->in_transaction()) return "what was acknowledged is in an open transaction";
    auto row = database->prepare("SELECT group_concat(name) FROM fruit");
    return row && row->step() && row->text(0) == "pear" ? "" : "there is more than a pear";
  });
  EXPECT_EQ(sweep.failure, "");
  EXPECT_GT(failed, 10U);
}

TEST(Database, ReadsATextWholeOrNotAtAllWithoutMemory) {
  disk_testing::FaultPoint point;
  const disk_testing::FaultyMemory memory(point);
  const std::string name(3'000, 'x');  // on pages of its own
  const auto sweep = disk_testing::sweep_faults(point, {}, [&]() -> std::string {
    const auto fault = point.release();
    auto database = Database::open(":memory:", kSteps);
    if (!database) return database.error().message;
    if (!database->run("INSERT INTO fruit VALUES (?1, 1, 'green')", name)) return "not written";
    point.set(fault);
    auto row = database->prepare("SELECT name, colour FROM fruit");
    if (!row) return "";
    const auto found = row->step();
    if (!found) return "";
    return *found && row->text(0) == name && row->text(1) == "green" ? "" : "another text";
  });
  EXPECT_EQ(sweep.failure, "");
}

TEST(Database, TellsOneKindOfFileFromAnother) {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.db");
  ASSERT_TRUE(Database::open(path, kSteps, {.application_id = 77}));
  const std::string before = bytes_of(path);
  const auto other = Database::open(path, kSteps);
  ASSERT_FALSE(other);
  EXPECT_THAT(other.error().message, HasSubstr("is not a Rowbot database"));
  EXPECT_EQ(bytes_of(path), before);
  EXPECT_TRUE(Database::open(path, kSteps, {.application_id = 77, .check_all = false}));
}

}  // namespace
}  // namespace rowbot::sqlite
