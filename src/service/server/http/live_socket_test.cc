#include "service/server/http/live_socket.h"

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/sqlite/database.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "service/server/http/test_server.h"
#include "service/store/schema.h"

namespace rowbot::server {
namespace {

using ::testing::HasSubstr;

std::string upgrade(const std::string& path, std::string_view fields = "") {
  return fmt::format(
      "GET {} HTTP/1.1\r\nHost: test\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n{}\r\n",
      path, fields);
}

/// A table where nothing happens.
class QuietTable final : public table::TableFeed {
 public:
  [[nodiscard]] std::string robot() const override { return "quiet"; }
  table::TableView look() override { return {.table = std::make_shared<table::TableSnapshot>()}; }
  table::Verdict play(const table::MoveWish&) override { return table::Verdict::kStale; }
  void restart() override {}
  void stop() override {}
  void resume() override {}
};

TEST(LiveSocket, CountsOnce) {
  Options options;
  options.connections = 6;
  const RunningServer server{options};
  const std::string path = server.new_game() + "/live";
  std::vector<std::unique_ptr<TestClient>> watchers;
  for (int i = 0; i < 6; ++i) {
    watchers.push_back(std::make_unique<TestClient>(server.port()));
    watchers.back()->send(upgrade(path));
    EXPECT_EQ(watchers.back()->answer().status, 101) << i;
    EXPECT_THAT(watchers.back()->frame(), HasSubstr("\"moves\":\"\""));
  }
  TestClient one_more(server.port());
  const TestAnswer full = one_more.call("GET", "/healthz");
  EXPECT_EQ(full.status, 503);
  EXPECT_THAT(full.head, HasSubstr("Retry-After: "));
  EXPECT_THAT(full.head, HasSubstr("Connection: close"));
}

TEST(LiveSocket, AnswersWhoeverAsksWhetherItIsThere) {
  const RunningServer server{Options{}};
  TestClient watcher(server.port());
  watcher.send(upgrade(server.new_game() + "/live"));
  EXPECT_EQ(watcher.answer().status, 101);
  EXPECT_THAT(watcher.frame(), HasSubstr("\"moves\":\"\""));
  watcher.send(std::string("\x81\x81\0\0\0\0?", 7));  // one masked letter
  EXPECT_EQ(watcher.frame(), R"({"type":"alive"})");
}

TEST(LiveSocket, CountsOnceForItsClientToo) {
  Options options;
  options.local.connections = 2;
  const RunningServer server{options};
  const std::string path = server.new_game() + "/live";
  for (int round = 0; round < 3; ++round) {
    std::vector<std::unique_ptr<TestClient>> watchers;
    for (int i = 0; i < 2; ++i) {
      TestAnswer answer;
      for (int attempt = 0; attempt < 300 && answer.status != 101; ++attempt) {
        // The places of the round before are free as soon as the server has noticed.
        watchers.push_back(std::make_unique<TestClient>(server.port()));
        watchers.back()->send(upgrade(path));
        answer = watchers.back()->answer();
        if (answer.status != 101) watchers.pop_back();
      }
      EXPECT_EQ(answer.status, 101) << round << ' ' << i;
    }
    TestClient one_more(server.port());
    const TestAnswer full = one_more.call("GET", "/healthz");
    EXPECT_EQ(full.status, 429);
    EXPECT_THAT(full.head, HasSubstr("Retry-After: "));
  }
}

TEST(LiveSocket, TellsTheLastWatcherOfTheTableThatItIsFull) {
  QuietTable table;
  Options options;
  options.table.watchers = 2;
  const RunningServer server{options, &table};
  std::vector<std::unique_ptr<TestClient>> watchers;
  for (int i = 0; i < 3; ++i) {
    watchers.push_back(std::make_unique<TestClient>(server.port()));
    watchers.back()->send(upgrade("/api/v1/table/live"));
  }
  EXPECT_EQ(watchers[0]->answer().status, 101);
  EXPECT_EQ(watchers[1]->answer().status, 101);
  const TestAnswer full = watchers[2]->answer();
  EXPECT_EQ(full.status, 503);
  EXPECT_THAT(full.head, HasSubstr("Retry-After: 30"));
}

TEST(LiveSocket, EndsWhenTheStoreFailsSoThatThePageConnectsAgain) {
  const RunningServer server{{}};
  const std::string path = server.new_game();
  const auto watcher = server.watch(path);
  EXPECT_THAT(watcher->frame(), HasSubstr("moves"));
  {
    auto other =
        sqlite::Database::open(server.database(), store::migrations(), {.check_all = false});
    ASSERT_TRUE(other);
    ASSERT_TRUE(other->execute("BEGIN IMMEDIATE"));
    EXPECT_EQ(server.play(path, 4).status, 500);
    ASSERT_TRUE(other->execute("ROLLBACK"));
  }
  // A close frame with code 1013, try again later.
  EXPECT_EQ(watcher->read(4), std::string("\x88\x02\x03\xf5", 4));
  const auto again = server.watch(path);
  EXPECT_THAT(again->frame(), HasSubstr("\"moves\":\"\""));
  EXPECT_EQ(server.play(path, 4).status, 200);
  EXPECT_THAT(again->frame(), HasSubstr("\"moves\":\"4\""));
}

TEST(LiveSocket, CutsAVisitorWhoAnswersNoPing) {
  Options options;
  options.live_silence = std::chrono::milliseconds(300);
  const RunningServer server{options};
  TestClient silent(server.port());
  silent.send(upgrade(server.new_game() + "/live"));
  EXPECT_EQ(silent.answer().status, 101);
  EXPECT_THAT(silent.frame(), HasSubstr("moves"));
  EXPECT_EQ(silent.read(2), std::string("\x89\0", 2)) << "a ping";
  EXPECT_EQ(silent.read(1), "") << "the end";
}

}  // namespace
}  // namespace rowbot::server
