#include "base/parallel.h"

#include <array>
#include <atomic>

#include "gtest/gtest.h"

namespace rowbot {
namespace {

TEST(RunParallel, DoesEveryPartOnce) {
  std::array<std::atomic<int>, 5> done{};
  run_parallel(done.size(), [&done](std::size_t i) { ++done.at(i); });
  for (const auto& times : done) EXPECT_EQ(times, 1);
  run_parallel(0, [](std::size_t) { FAIL() << "there is nothing to do"; });
}

}  // namespace
}  // namespace rowbot
