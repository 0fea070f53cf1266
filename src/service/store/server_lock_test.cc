#include "service/store/server_lock.h"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

#include "base/temporary_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace rowbot::store {
namespace {

using ::testing::HasSubstr;

class ServerLockTest : public ::testing::Test {
 protected:
  TemporaryFolder folder_;
  std::string database_ = folder_.file("games.db");
};

TEST_F(ServerLockTest, RefusesASecondServerAndNamesTheFirst) {
  const auto first = ServerLock::take(database_);
  ASSERT_TRUE(first) << first.error().message;
  const auto second = ServerLock::take(database_);
  ASSERT_FALSE(second);
  EXPECT_THAT(second.error().message, HasSubstr("another server"));
  EXPECT_THAT(second.error().message, HasSubstr("process " + std::to_string(::getpid())));
  EXPECT_THAT(second.error().message, HasSubstr(database_));
  EXPECT_THAT(second.error().message, HasSubstr("--db"));
}

TEST_F(ServerLockTest, IsFreeAgainOnceTheFirstIsGone) {
  { ASSERT_TRUE(ServerLock::take(database_)); }
  EXPECT_TRUE(ServerLock::take(database_));
}

TEST_F(ServerLockTest, KnowsTheDatabaseByItsLinks) {
  std::ofstream(database_) << "";
  std::filesystem::create_symlink(database_, folder_.file("link.db"));
  const auto first = ServerLock::take(database_);
  ASSERT_TRUE(first);
  EXPECT_FALSE(ServerLock::take(folder_.file("link.db")));
  EXPECT_FALSE(ServerLock::take(folder_.file("./games.db")));
  EXPECT_TRUE(ServerLock::take(folder_.file("other.db")));
}

TEST_F(ServerLockTest, IsGivenBackByAKilledProcess) {
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const auto lock = ServerLock::take(database_);
    if (lock) std::raise(SIGKILL);
    ::_exit(1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status)) << "the child did not get the lock";
  EXPECT_TRUE(ServerLock::take(database_));
}

TEST_F(ServerLockTest, MakesTheFolderOfANewDatabase) {
  EXPECT_TRUE(ServerLock::take(folder_.file("new/data/games.db")));
}

TEST_F(ServerLockTest, LeavesMemoryAlone) {
  const auto first = ServerLock::take(":memory:");
  const auto second = ServerLock::take(":memory:");
  EXPECT_TRUE(first);
  EXPECT_TRUE(second);
  EXPECT_FALSE(std::filesystem::exists(":memory:.serve-lock"));
}

TEST_F(ServerLockTest, SaysWhyItCannotLock) {
  std::ofstream(database_) << "";
  const auto below_a_file = ServerLock::take(database_ + "/x.db");
  ASSERT_FALSE(below_a_file);
  EXPECT_THAT(below_a_file.error().message, HasSubstr("cannot open"));
  std::filesystem::create_directory(folder_.file("folder"));
  const auto folder = ServerLock::take(folder_.file("folder"));
  ASSERT_FALSE(folder);
  EXPECT_THAT(folder.error().message, HasSubstr("is a folder"));
}

}  // namespace
}  // namespace rowbot::store
