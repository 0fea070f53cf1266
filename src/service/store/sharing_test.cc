// Several programs on one database. POSIX locks belong to the process and end with any close of the
// file (https://www.sqlite.org/howtocorrupt.html, 2.2): a program that opens the file with a stream
// of its own would give up the locks of its SQLite connections, and the next program to close the
// database would delete the log that the first one still writes.
#include <array>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <poll.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "base/sqlite/database.h"
#include "base/temporary_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "service/store/archive.h"
#include "service/store/schema.h"
#include "service/store/sqlite_store.h"

namespace rowbot::store {
namespace {

constexpr int kGamesEach = 20;

bool write_games(Store& store, const std::string& prefix, int games) {
  for (int i = 0; i < games; ++i) {
    const std::string token = prefix + std::to_string(i);
    const auto written = write_and_wait(
        store, {NewGame{.head = {.token = token},
                        .record = {.first = {.name = "human"}, .second = {.name = "x"}}},
                AddMove{.token = token, .ply = 0, .column = game::Column(3)}});
    if (!written) return false;
  }
  return true;
}

/// A copy of this process that runs `body` and ends without tidying up, with 0 if it returned true.
pid_t start(const std::function<bool()>& body) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(body() ? 0 : 1);
  return child;
}

bool ended_well(pid_t child) {
  int status = 0;
  return ::waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/// The files that a process has open or mapped although they were deleted.
std::vector<std::string> deleted_files(pid_t process) {
  const std::string folder = "/proc/" + std::to_string(process);
  std::vector<std::string> deleted;
  for (const auto& entry : std::filesystem::directory_iterator(folder + "/fd")) {
    std::error_code ignored;
    const std::string target = std::filesystem::read_symlink(entry, ignored).string();
    if (target.find(".db") != std::string::npos && target.ends_with("(deleted)")) {
      deleted.push_back(target);
    }
  }
  const std::string maps = bytes_of(folder + "/maps");
  if (maps.find(".db-shm (deleted)") != std::string::npos) deleted.emplace_back("-shm, mapped");
  return deleted;
}

/// A pipe on which one process rings and another waits, for two minutes at most.
class Bell {
 public:
  Bell() {
    if (::pipe(ends_.data()) != 0) std::abort();
  }
  Bell(const Bell&) = delete;
  Bell& operator=(const Bell&) = delete;
  Bell(Bell&&) = delete;
  Bell& operator=(Bell&&) = delete;
  ~Bell() {
    ::close(ends_[0]);
    ::close(ends_[1]);
  }
  [[nodiscard]] bool ring() const { return ::write(ends_[1], "x", 1) == 1; }
  [[nodiscard]] bool wait() const {
    pollfd readable{.fd = ends_[0], .events = POLLIN, .revents = 0};
    char byte = 0;
    return ::poll(&readable, 1, 120'000) == 1 && ::read(ends_[0], &byte, 1) == 1;
  }

 private:
  std::array<int, 2> ends_{};
};

TEST(SharedDatabase, KeepsTheLogOfAServerWhenOtherProgramsOpenAndCloseTheFile) {
  const TemporaryFolder folder;
  const std::string path = folder.file("rowbot.db");
  { ASSERT_TRUE(SqliteStore::open(path)); }  // servers usually start on a file that is there

  const Bell looked_around;
  const Bell others_are_gone;
  const Bell all_written;
  const pid_t server = start([&] {
    auto store = SqliteStore::open(path);
    if (!store || !write_games(**store, "first ", kGamesEach)) return false;
    { auto lab = Archive::open(path); }  // the laboratory's page, opened and closed
    if (!looked_around.ring() || !others_are_gone.wait()) return false;
    if (!write_games(**store, "second ", kGamesEach) || !all_written.ring()) return false;
    ::pause();
    return true;
  });
  ASSERT_TRUE(looked_around.wait());
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(ended_well(start([&] {
      {
        auto other = Archive::open(path);
        if (!other || !other->matches()) return false;
      }
      auto second_server = SqliteStore::open(path);
      return second_server && write_games(**second_server, std::to_string(::getpid()) + " ", 1);
    })));
    EXPECT_TRUE(ended_well(start([&] {
      auto other = SqliteStore::open(path);
      if (!other) return false;
      other->reset();  // closes in order, as sqlite3's .backup does
      return true;
    })));
  }
  ASSERT_TRUE(others_are_gone.ring());
  ASSERT_TRUE(all_written.wait());
  EXPECT_THAT(deleted_files(server), ::testing::IsEmpty());
  ASSERT_EQ(::kill(server, SIGKILL), 0);
  int status = 0;
  ASSERT_EQ(::waitpid(server, &status, 0), server);

  auto store = SqliteStore::open(path);
  ASSERT_TRUE(store) << store.error().message;
  for (const char* prefix : {"first ", "second "}) {
    for (int i = 0; i < kGamesEach; ++i) {
      const auto game = (*store)->game(prefix + std::to_string(i));
      ASSERT_TRUE(game) << game.error().message;
      ASSERT_TRUE(*game) << prefix << i;
      EXPECT_EQ((*game)->record.moves.size(), 1U);
    }
  }
  EXPECT_EQ((*store)->statistics()->games, 2 * kGamesEach + 2);
  auto database = open_database(path);
  ASSERT_TRUE(database) << database.error().message;
  auto check = database->prepare("PRAGMA integrity_check");
  ASSERT_TRUE(check && *check->step());
  EXPECT_EQ(check->text(0), "ok");
}

}  // namespace
}  // namespace rowbot::store
