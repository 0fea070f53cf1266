// What opening says of places that cannot be written and of files of other programs.
#include <array>
#include <filesystem>
#include <functional>
#include <sqlite3.h>
#include <string>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/sqlite/database.h"
#include "base/temporary_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace rowbot::sqlite {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::array<std::string_view, 1> kOneTable{"CREATE TABLE fruit (name TEXT PRIMARY KEY)"};

/// What `body` returns in a process without the rights of the superuser, whom permissions do not
/// bind.
std::string as_ordinary_user(const std::function<std::string()>& body) {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) return "no pipe";
  const pid_t child = ::fork();
  if (child == 0) {
    if (::geteuid() == 0 && ::setuid(65'534) != 0) ::_exit(1);
    const std::string text = body();
    ::_exit(::write(ends[1], text.data(), text.size()) < 0 ? 1 : 0);
  }
  ::close(ends[1]);
  std::string text;
  std::array<char, 256> part{};
  for (ssize_t n = 0; (n = ::read(ends[0], part.data(), part.size())) > 0;) {
    text.append(part.data(), static_cast<std::size_t>(n));
  }
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  return text;
}

std::string opening(const std::string& path, const OpenOptions& options = {}) {
  const auto database = Database::open(path, kOneTable, options);
  return database ? "opened" : database.error().message;
}

class OpenPlaces : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directory(folder_.file("in"));
    ASSERT_TRUE(Database::open(path_, kOneTable));
    permit("", 0755);
    permit("in", 0777);
    permit("in/a.db", 0666);
  }
  void permit(const std::string& name, mode_t mode) const {
    ASSERT_EQ(::chmod(folder_.file(name).c_str(), mode), 0);
  }

  TemporaryFolder folder_;
  std::string path_ = folder_.file("in/a.db");
};

TEST_F(OpenPlaces, AreUsedWhenTheyCanBeWritten) {
  EXPECT_EQ(as_ordinary_user([this] { return opening(path_); }), "opened");
}

TEST_F(OpenPlaces, AReadOnlyFileIsRefusedUnlessItIsOnlyRead) {
  permit("in/a.db", 0444);
  EXPECT_THAT(as_ordinary_user([this] { return opening(path_); }),
              AllOf(HasSubstr("read-only"), HasSubstr(path_), Not(HasSubstr("damaged"))));
  EXPECT_EQ(as_ordinary_user([this] { return opening(path_, {.write = false}); }), "opened");
}

TEST_F(OpenPlaces, AReadOnlyFolderIsNotCalledDamage) {
  permit("in", 0555);
  EXPECT_THAT(as_ordinary_user([this] { return opening(path_); }),
              AllOf(HasSubstr("folder"), HasSubstr("write"), Not(HasSubstr("damaged"))));
  EXPECT_THAT(as_ordinary_user([this] { return opening(folder_.file("in/new.db")); }),
              AllOf(HasSubstr("write the folder"), Not(HasSubstr("damaged"))));
}

TEST_F(OpenPlaces, AFileThatCannotBeReadIsNotCalledDamage) {
  permit("in/a.db", 0);
  EXPECT_THAT(as_ordinary_user([this] { return opening(path_); }),
              AllOf(HasSubstr("Permission denied"), Not(HasSubstr("damaged"))));
}

TEST_F(OpenPlaces, ADeviceOrAPipeIsNoDatabase) {
  EXPECT_THAT(opening("/dev/zero"), HasSubstr("name a file"));
  const std::string pipe = folder_.file("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THAT(opening(pipe), HasSubstr("name a file"));
}

TEST_F(OpenPlaces, AnotherProgramsLockIsNamedAndDoesNotHinderOpening) {
  auto holder = Database::open(path_, kOneTable);
  ASSERT_TRUE(holder);
  const auto held = Transaction::begin(*holder);
  ASSERT_TRUE(held);
  auto second = Database::open(path_, kOneTable);
  ASSERT_TRUE(second) << second.error().message;
  ASSERT_TRUE(second->execute("PRAGMA busy_timeout = 1"));
  const auto refused = second->run("INSERT INTO fruit VALUES ('plum')");
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("another program has locked it"));
  EXPECT_TRUE(second->storage_failed());
}

TEST_F(OpenPlaces, AFullFileIsCalledFull) {
  auto database = Database::open(path_, kOneTable);
  ASSERT_TRUE(database && database->execute("PRAGMA max_page_count = 4"));
  auto written = database->run("INSERT INTO fruit VALUES (?1)", std::string(100'000, 'x'));
  ASSERT_FALSE(written);
  EXPECT_THAT(written.error().message, HasSubstr("the disk is full"));
  EXPECT_TRUE(database->storage_failed());
  EXPECT_TRUE(database->run("INSERT INTO fruit VALUES ('plum')"));
  EXPECT_FALSE(database->run("INSERT INTO fruit VALUES ('plum')"));
  EXPECT_FALSE(database->storage_failed()) << "the value is wrong, not the disk";
}

/// A database that another program made, in this journal mode.
void make_foreign(const std::string& path, const std::string& mode) {
  sqlite3* raw = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &raw), SQLITE_OK);
  const std::string sql = "PRAGMA journal_mode = " + mode +
                          "; CREATE TABLE letters (text); INSERT INTO letters VALUES ('dear')";
  EXPECT_EQ(sqlite3_exec(raw, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK);
  sqlite3_close(raw);
}

TEST(OpenForeignDatabase, LeavesTheFileItsModeAndItsFolderAsTheyAre) {
  for (const char* mode : {"DELETE", "WAL", "TRUNCATE", "PERSIST"}) {
    const TemporaryFolder folder;
    const std::string path = folder.file("letters.db");
    make_foreign(path, mode);
    const std::string journal = path + "-journal";
    std::filesystem::remove(journal);
    const std::string before = bytes_of(path);
    for (const bool check_all : {true, false}) {
      EXPECT_THAT(opening(path, {.check_all = check_all}), HasSubstr("not a Rowbot database"));
    }
    EXPECT_EQ(bytes_of(path), before) << mode;
    EXPECT_FALSE(std::filesystem::exists(path + "-wal")) << mode;
    EXPECT_FALSE(std::filesystem::exists(path + "-shm")) << mode;
    EXPECT_FALSE(std::filesystem::exists(journal)) << mode;
  }
}

}  // namespace
}  // namespace rowbot::sqlite
