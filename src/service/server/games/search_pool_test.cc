#include "service/server/games/search_pool.h"

#include <future>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace rowbot::server {
namespace {

/// Keeps the only thread of a lane busy until it is let go.
class Blocked {
 public:
  Blocked(SearchPool& pool, Lane lane) {
    std::promise<void> begun;
    auto running = begun.get_future();
    const Room room = pool.submit(
        lane, "blocker", [&begun, go = go_.get_future().share()](Tools&, StopToken) mutable {
          begun.set_value();
          go.wait();
        });
    EXPECT_EQ(room, Room::kFree);
    running.wait();
  }
  void release() { go_.set_value(); }

 private:
  std::promise<void> go_;
};

TEST(SearchPool, LetsClientsTakeTurnsHoweverMuchOneAsksFor) {
  SearchPool pool({.solver = {.threads = 1, .queue = 20, .per_client = 8}});
  Blocked blocked(pool, Lane::kSolver);
  std::string order;  // of the lane's one thread
  std::promise<void> all;
  const auto job = [&order, &all](char name) {
    return [&order, &all, name](Tools&, StopToken) {
      order += name;
      if (order.size() == 11) all.set_value();
    };
  };
  for (int i = 0; i < 8; ++i) EXPECT_EQ(pool.submit(Lane::kSolver, "a", job('a')), Room::kFree);
  EXPECT_EQ(pool.room(Lane::kSolver, "a"), Room::kClientFull);
  EXPECT_EQ(pool.submit(Lane::kSolver, "a", job('a')), Room::kClientFull);
  for (int i = 0; i < 2; ++i) EXPECT_EQ(pool.submit(Lane::kSolver, "b", job('b')), Room::kFree);
  EXPECT_EQ(pool.submit(Lane::kSolver, "c", job('c')), Room::kFree);
  EXPECT_EQ(pool.waiting(Lane::kSolver), 11U);
  blocked.release();
  all.get_future().wait();
  EXPECT_EQ(order, "abcabaaaaaa");
}

TEST(SearchPool, SaysWhenALaneIsFullAndLeavesTheOthersFree) {
  SearchPool pool({.background = {.threads = 1, .queue = 3, .per_client = 2}});
  Blocked blocked(pool, Lane::kBackground);
  const auto nothing = [](Tools&, StopToken) {};
  for (const char* client : {"a", "b", "local"}) {
    EXPECT_EQ(pool.submit(Lane::kBackground, client, nothing), Room::kFree);
  }
  EXPECT_EQ(pool.room(Lane::kBackground, "d"), Room::kLaneFull);
  EXPECT_EQ(pool.submit(Lane::kBackground, "d", nothing), Room::kLaneFull);
  EXPECT_EQ(pool.room(Lane::kSolver, "d"), Room::kFree);
  blocked.release();
}

TEST(SearchPool, GivesThisMachineTheWholeQueue) {
  SearchPool pool({.shorts = {.threads = 1, .queue = 5, .per_client = 1}});
  Blocked blocked(pool, Lane::kShort);
  const auto nothing = [](Tools&, StopToken) {};
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(pool.submit(Lane::kShort, std::string(kLocalClient), nothing), Room::kFree);
  }
  EXPECT_EQ(pool.room(Lane::kShort, std::string(kLocalClient)), Room::kLaneFull);
  blocked.release();
}

}  // namespace
}  // namespace rowbot::server
