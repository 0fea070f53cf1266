// What visitors meet when the database cannot be written for a while.
#include <optional>
#include <string>
#include <vector>

#include "base/sqlite/database.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "service/server/test_server.h"
#include "service/store/schema.h"

namespace rowbot::server {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

/// Another program that holds the database's write lock.
class OtherWriter {
 public:
  explicit OtherWriter(const std::string& path) {
    auto opened = sqlite::Database::open(path, store::migrations(), {.check_all = false});
    EXPECT_TRUE(opened);
    database_.emplace(*std::move(opened));
    EXPECT_TRUE(database_->execute("BEGIN IMMEDIATE"));
  }
  void release() { EXPECT_TRUE(database_->execute("ROLLBACK")); }

 private:
  std::optional<sqlite::Database> database_;
};

class StoreFailure : public ::testing::Test {
 protected:
  void SetUp() override {
    server_.database_options.busy_timeout = std::chrono::milliseconds(200);
    server_.start();
  }

  TestServer server_;
};

TEST_F(StoreFailure, OneMoveIsRefusedAndTheGameGoesOn) {
  const std::string path = server_.new_game(R"({"level":"easy"})");
  ASSERT_EQ(server_.play(path, 4).status, 200);
  const std::string before = server_.call("GET", path).json()["moves"];
  OtherWriter writer(server_.database());
  const TestAnswer refused = server_.play(path, 4);
  EXPECT_EQ(refused.status, 500) << refused.body;
  EXPECT_EQ(refused.json()["error"]["code"], "not_stored");
  EXPECT_THAT(refused.head, HasSubstr("Retry-After"));
  writer.release();
  // Were the agent's answer to the refused move under way, it would be stored now.
  ASSERT_TRUE(store::write_and_wait(server_.store(), {}));
  const TestAnswer read = server_.call("GET", path);
  EXPECT_EQ(read.status, 200) << read.body;
  EXPECT_EQ(read.json()["moves"], before);
  const TestAnswer again = server_.play(path, 4);
  EXPECT_EQ(again.status, 200) << again.body;
  EXPECT_EQ(again.json()["moves"].get<std::string>().size(), 4U);
}

TEST_F(StoreFailure, TheAgentsMoveIsMadeOnceMoreAfterwards) {
  const std::string path = server_.new_game(R"({"level":"moderate"})");
  TestClient player(server_.port());
  player.send(
      fmt::format("POST {}/moves HTTP/1.1\r\nHost: t\r\nContent-Length: 12\r\n"
                  "Content-Type: application/json\r\n\r\n{}",
                  path, R"({"column":4})"));
  // As soon as the person's move is stored, the file is locked before the agent answers.
  while (server_.store().game(path.substr(path.size() - 32)).operator*()->record.moves.empty()) {
    std::this_thread::yield();
  }
  OtherWriter writer(server_.database());
  EXPECT_THAT(player.answer().status, AnyOf(500, 200)) << "200: the agent was quicker than we";
  writer.release();
  nlohmann::json game = server_.call("GET", path).json();
  for (int i = 0; i < 600 && game.value("moves", "").size() != 2; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    game = server_.call("GET", path).json();
  }
  EXPECT_THAT(game.value("moves", ""), StartsWith("4"));
  EXPECT_EQ(game.value("moves", "").size(), 2U) << game.dump();
}

TEST_F(StoreFailure, CommandsThatWaitedAreRefusedTogether) {
  const std::string path = server_.new_game(R"({"human":"both"})");
  OtherWriter writer(server_.database());
  TestClient one(server_.port());
  TestClient two(server_.port());
  for (TestClient* client : {&one, &two}) {
    client->send(
        fmt::format("POST {}/moves HTTP/1.1\r\nHost: t\r\nContent-Length: 12\r\n"
                    "Content-Type: application/json\r\n\r\n{}",
                    path, R"({"column":4})"));
  }
  EXPECT_EQ(one.answer().status, 500);
  EXPECT_EQ(two.answer().status, 500);
  writer.release();
  EXPECT_EQ(server_.call("GET", path).json()["moves"], "");
  EXPECT_EQ(server_.play(path, 3).json()["moves"], "3");
}

TEST_F(StoreFailure, ClosesTheConnectionsOfThoseWhoWatch) {
  const std::string path = server_.new_game(R"({"human":"both"})");
  const auto watcher = server_.watch(path);
  EXPECT_THAT(watcher->frame(), HasSubstr("\"moves\":\"\""));
  OtherWriter writer(server_.database());
  EXPECT_EQ(server_.play(path, 4).status, 500);
  writer.release();
  const std::string close = watcher->read(2);
  ASSERT_EQ(close.size(), 2U);
  EXPECT_EQ(static_cast<unsigned char>(close[0]), 0x88) << "a WebSocket close frame";
  EXPECT_EQ(server_.watch(path)->frame().substr(0, 14), R"({"type":"game")") << "begins anew";
}

TEST_F(StoreFailure, IsToldByTheHealthCheckAndTheLog) {
  std::vector<std::string> log;  // of the network's thread, read after each answer
  server_.stop();
  server_.options.error_log = [&log](std::string_view line) { log.emplace_back(line); };
  server_.start();
  EXPECT_EQ(server_.call("GET", "/healthz").status, 200);
  EXPECT_TRUE(log.empty());
  const std::string path = server_.new_game(R"({"human":"both"})");
  OtherWriter writer(server_.database());
  EXPECT_EQ(server_.play(path, 4).status, 500);
  EXPECT_EQ(server_.play(path, 4).status, 500);
  const TestAnswer sick = server_.call("GET", "/healthz");
  EXPECT_EQ(sick.status, 503) << sick.body;
  EXPECT_THAT(sick.body, HasSubstr("another program has locked it"));
  EXPECT_THAT(sick.head, HasSubstr("Retry-After"));
  ASSERT_EQ(log.size(), 1U) << "one line, however often it fails";
  EXPECT_THAT(log[0], HasSubstr("another program has locked it"));
  const std::string metrics = server_.call("GET", "/metrics").body;
  EXPECT_THAT(metrics, HasSubstr("rowbot_store_writable 0"));
  EXPECT_THAT(metrics, HasSubstr("rowbot_store_failures_total 3"));
  writer.release();
  // Nobody has written since: the health check finds out by itself.
  EXPECT_EQ(server_.call("GET", "/healthz").status, 200);
  ASSERT_EQ(log.size(), 2U);
  EXPECT_THAT(log[1], HasSubstr("can be written again"));
  EXPECT_THAT(server_.call("GET", "/metrics").body, HasSubstr("rowbot_store_writable 1"));
}

}  // namespace
}  // namespace rowbot::server
