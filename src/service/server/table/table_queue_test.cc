#include "service/server/table/table_queue.h"

#include <gtest/gtest.h>

#include "service/server/token.h"

namespace rowbot::server {
namespace {

using std::chrono::seconds;
using Moment = TableQueue::Moment;

class TableQueueTest : public ::testing::Test {
 protected:
  std::string join(const std::string& client = "a") {
    const auto token = queue_.join(client, now_);
    EXPECT_TRUE(token) << token.error().message;
    return *token;
  }
  /// Time passes; these visitors give signs of life.
  bool after(seconds time, const Moment& moment, const std::vector<std::string>& alive) {
    now_ += time;
    for (const std::string& token : alive) queue_.heard_of(token, now_);
    return queue_.update(moment, now_);
  }

  TableQueue queue_{{.places = 5, .places_per_client = 4}};
  TableQueue::Clock::time_point now_{};
};

TEST_F(TableQueueTest, TheFirstSitsDownAndTheOthersWait) {
  const std::string one = join();
  const std::string two = join();
  EXPECT_TRUE(is_token(one));
  EXPECT_NE(one, two);
  EXPECT_TRUE(queue_.update({}, now_)) << "somebody new at the table";
  EXPECT_FALSE(queue_.update({}, now_));
  EXPECT_EQ(queue_.place(one), 0U);
  EXPECT_EQ(queue_.place(two), 1U);
  EXPECT_EQ(queue_.place("stranger"), std::nullopt);
  EXPECT_EQ(queue_.waiting(), 1U);
  EXPECT_TRUE(queue_.leave(one));
  EXPECT_FALSE(queue_.leave(one));
  EXPECT_TRUE(queue_.update({}, now_));
  EXPECT_EQ(queue_.place(two), 0U);
}

TEST_F(TableQueueTest, WhoIsNotHeardOfForFifteenSecondsIsGone) {
  const std::string one = join();
  const std::string two = join();
  EXPECT_TRUE(after(seconds(0), {}, {}));
  EXPECT_FALSE(after(seconds(14), {}, {two}));
  EXPECT_EQ(queue_.place(one), 0U);
  EXPECT_TRUE(after(seconds(2), {}, {two}));
  EXPECT_EQ(queue_.place(one), std::nullopt);
  EXPECT_EQ(queue_.place(two), 0U);
}

TEST_F(TableQueueTest, WhoLetsTheTurnPassLosesTheSeat) {
  const std::string one = join();
  const std::string two = join();
  const std::vector<std::string> both{one, two};
  const Moment mine{.awaits_move = true, .game = 1, .ply = 0};
  EXPECT_TRUE(after(seconds(0), mine, both));
  for (int i = 0; i < 6; ++i) EXPECT_FALSE(after(seconds(10), mine, both));
  EXPECT_EQ(queue_.left(now_), seconds(0));
  EXPECT_TRUE(after(seconds(1), mine, both));
  EXPECT_EQ(queue_.place(one), std::nullopt);
  EXPECT_FALSE(after(seconds(0), mine, both));
  EXPECT_EQ(queue_.left(now_), seconds(60)) << "the next has all the time";
}

TEST_F(TableQueueTest, TimeCountsForEachMoveAndNotWhileTheRobotPlays) {
  const std::string one = join();
  EXPECT_TRUE(after(seconds(0), {.awaits_move = true, .game = 1, .ply = 0}, {one}));
  for (std::size_t ply = 0; ply < 12; ply += 2) {
    for (int i = 0; i < 5; ++i) {
      EXPECT_FALSE(after(seconds(10), {.awaits_move = true, .game = 1, .ply = ply}, {one}));
    }
    for (int i = 0; i < 9; ++i) {
      EXPECT_FALSE(after(seconds(10), {.game = 1, .ply = ply + 1}, {one}));
      EXPECT_EQ(queue_.left(now_), std::nullopt);
    }
  }
  EXPECT_EQ(queue_.place(one), 0U);
}

TEST_F(TableQueueTest, AfterAGameTheNextPlays) {
  const std::string one = join();
  const Moment over{.over = true, .game = 1, .ply = 9};
  EXPECT_TRUE(after(seconds(0), {.game = 1}, {one}));
  queue_.played(1);
  EXPECT_FALSE(after(seconds(1), over, {one})) << "nobody waits: play on";
  const std::string two = join();
  const std::string three = join();
  EXPECT_FALSE(after(seconds(1), over, {one, two, three})) << "they see how it ended";
  EXPECT_EQ(queue_.place(one), 0U);
  EXPECT_TRUE(after(seconds(3), over, {one, two, three}));
  EXPECT_EQ(queue_.place(one), std::nullopt);
  EXPECT_EQ(queue_.place(two), 0U);
  EXPECT_FALSE(after(seconds(1), over, {two, three})) << "it was not the game of this visitor";
  EXPECT_EQ(queue_.place(two), 0U);
}

TEST_F(TableQueueTest, WhenTheNextGameBeginsTheNextPlays) {
  for (const bool seen : {true, false}) {  // whether the end of the game was noticed
    queue_ = TableQueue({});
    const std::string one = join();
    const std::string two = join();
    EXPECT_TRUE(after(seconds(0), {.game = 1}, {one, two}));
    queue_.played(1);
    if (seen) {
      EXPECT_FALSE(after(seconds(1), {.over = true, .game = 1, .ply = 9}, {one, two}));
    }
    EXPECT_TRUE(after(seconds(1), {.game = seen ? 1U : 2U}, {one, two}));
    EXPECT_EQ(queue_.place(two), 0U);
  }
}

TEST_F(TableQueueTest, WhoHasBegunAnotherGameBecauseNobodyWaitedPlaysItToItsEnd) {
  const std::string one = join();
  EXPECT_TRUE(after(seconds(0), {.game = 1}, {one}));
  queue_.played(1);
  EXPECT_FALSE(after(seconds(1), {.over = true, .game = 1, .ply = 9}, {one}));
  EXPECT_FALSE(after(seconds(1), {.game = 2}, {one}));
  const std::string two = join();
  EXPECT_FALSE(after(seconds(9), {.awaits_move = true, .game = 2}, {one, two}));
  EXPECT_EQ(queue_.place(one), 0U);
}

TEST_F(TableQueueTest, NobodyTakesAllPlaces) {
  for (int i = 0; i < 4; ++i) join("a");
  EXPECT_FALSE(queue_.join("a", now_));
  join("b");
  const auto full = queue_.join("c", now_);
  ASSERT_FALSE(full);
  EXPECT_EQ(full.error().status, 503);
}

}  // namespace
}  // namespace rowbot::server
