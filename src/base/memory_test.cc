#include "base/memory.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace rowbot {
namespace {

namespace fs = std::filesystem;

/// A folder that looks like the kernel's, with 800 MB free on the machine.
class Memory : public testing::Test {
 protected:
  void SetUp() override {
    top_ = fs::temp_directory_path() / ("rowbot-memory-" + std::to_string(::getpid()));
    files_ = {.meminfo = (top_ / "meminfo").string(),
              .own_groups = (top_ / "self").string(),
              .groups = (top_ / "groups").string()};
    put("meminfo", "MemTotal:  1000000 kB\nMemFree:  100 kB\nMemAvailable:  819200 kB\n");
  }
  void TearDown() override { fs::remove_all(top_); }
  void put(const std::string& file, const std::string& text) const {
    fs::create_directories((top_ / file).parent_path());
    std::ofstream(top_ / file) << text;
  }
  [[nodiscard]] std::uint64_t free_mb() const { return free_memory_bytes(files_) >> 20; }

  fs::path top_;
  MemoryFiles files_;
};

TEST_F(Memory, IsWhatTheMachineCanGive) { EXPECT_EQ(free_mb(), 800U); }

TEST_F(Memory, IsNoMoreThanTheServiceMayTake) {
  put("self", "0::/system.slice/rowbot.service\n");
  put("groups/system.slice/memory.max", "max\n");
  put("groups/system.slice/memory.current", "900000000\n");
  put("groups/system.slice/rowbot.service/memory.max", "268435456\n");
  put("groups/system.slice/rowbot.service/memory.current", "67108864\n");
  EXPECT_EQ(free_mb(), 192U);
}

TEST_F(Memory, IsNoMoreThanAnyGroupAroundItMayTake) {
  put("self", "0::/small/inner\n");
  put("groups/small/memory.max", "104857600\n");
  put("groups/small/memory.current", "104857600\n");
  put("groups/small/inner/memory.max", "268435456\n");
  put("groups/small/inner/memory.current", "1048576\n");
  EXPECT_EQ(free_mb(), 0U);
}

TEST_F(Memory, KnowsTheOlderGroupsToo) {
  put("self", "12:cpu:/other\n9:memory:/box\n0::/\n");
  put("groups/memory/box/memory.limit_in_bytes", "134217728\n");
  put("groups/memory/box/memory.usage_in_bytes", "33554432\n");
  put("groups/memory/memory.limit_in_bytes", "9223372036854771712\n");
  put("groups/memory/memory.usage_in_bytes", "33554432\n");
  EXPECT_EQ(free_mb(), 96U);
}

TEST_F(Memory, IsAGuessWhereNobodyKnows) {
  put("meminfo", "nothing that anybody could read\n");
  EXPECT_EQ(free_mb(), 512U);
}

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define ROWBOT_ADDRESS_SANITIZER 1
#endif
#endif

TEST_F(Memory, IsNoMoreThanTheProcessMayTake) {
#ifdef ROWBOT_ADDRESS_SANITIZER
  GTEST_SKIP() << "the address sanitizer's own memory is beyond any limit";
#endif
  // In a child: limits do not go up again.
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const rlimit limit{.rlim_cur = rlim_t{256} << 20, .rlim_max = rlim_t{256} << 20};
    ::setrlimit(RLIMIT_DATA, &limit);
    const std::uint64_t free = free_mb();
    ::_exit(free > 0 && free < 256 ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

TEST_F(Memory, OfThisMachineIsMoreThanNothing) {
  EXPECT_GT(free_memory_bytes(), std::uint64_t{1} << 20);
  EXPECT_GE(machine_resources().threads, 1);
  EXPECT_GT(machine_resources().memory_bytes, std::uint64_t{1} << 20);
}

}  // namespace
}  // namespace rowbot
