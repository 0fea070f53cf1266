// Nothing on the network's thread may wait for the database.
#include <atomic>
#include <mutex>
#include <sqlite3.h>
#include <string>
#include <thread>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "service/server/test_server.h"

namespace rowbot::server {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Every statement that SQLite runs in this process from the first use on, by thread.
class Statements {
 public:
  static Statements& all() {
    static Statements statements;
    return statements;
  }
  std::vector<std::string> of(std::thread::id thread) {
    const std::lock_guard lock(mutex_);
    std::vector<std::string> found;
    for (const auto& [who, sql] : seen_) {
      if (who == thread) found.push_back(sql);
    }
    return found;
  }
  std::size_t count() {
    const std::lock_guard lock(mutex_);
    return seen_.size();
  }

 private:
  Statements() { sqlite3_auto_extension(reinterpret_cast<void (*)()>(&Statements::opened)); }

  static int opened(sqlite3* database, const char** /*error*/, const void* /*api*/) {
    return sqlite3_trace_v2(database, SQLITE_TRACE_STMT, &Statements::began, nullptr);
  }
  static int began(unsigned /*kind*/, void* /*context*/, void* statement, void* /*text*/) {
    const char* sql = sqlite3_sql(static_cast<sqlite3_stmt*>(statement));
    const std::lock_guard lock(all().mutex_);
    all().seen_.emplace_back(std::this_thread::get_id(), sql == nullptr ? "" : sql);
    return 0;
  }

  std::mutex mutex_;  // guards seen_
  std::vector<std::pair<std::thread::id, std::string>> seen_;
};

TEST(NetworkThread, RunsNoStatementOfTheDatabase) {
  static_cast<void>(Statements::all());
  TestServer server;
  server.options.operator_token = "a long and secret word";
  server.options.laboratory.database = server.database();
  server.start();
  const std::string old = server.new_game(R"({"level":"easy"})");
  EXPECT_EQ(server.play(old, 4).status, 200);
  server.stop();
  server.start();  // nothing is in memory now
  EXPECT_EQ(server.call("GET", old).status, 200);
  server.stop();
  server.start();
  EXPECT_EQ(server.call("GET", old + "/hint").status, 200);
  EXPECT_EQ(server.watch(old)->frame().substr(0, 14), R"({"type":"game")");
  server.stop();
  server.start();
  EXPECT_EQ(server.watch(old)->frame().substr(0, 14), R"({"type":"game")") << "read for a watcher";
  EXPECT_EQ(server.play(old, 3).status, 200);
  EXPECT_EQ(server.call("POST", old + "/undo").status, 200);
  EXPECT_EQ(server.call("POST", old + "/resign").status, 200);
  EXPECT_EQ(server.call("POST", old + "/restart", "{}").status, 201);
  EXPECT_LT(server.call("GET", old + "/review").status, 300);
  EXPECT_EQ(server.call("GET", "/api/v1/games/" + std::string(32, '0')).status, 404);
  EXPECT_EQ(server.call("GET", "/api/v1/statistics").status, 200);
  EXPECT_EQ(server.call("GET", "/api/v1/lab/experiments").status, 200);
  EXPECT_EQ(server.call("GET", "/api/v1/announcement").status, 200);
  EXPECT_EQ(server
                .call("POST", "/api/v1/operator/announcement", R"({"text":"Hello"})",
                      "Authorization: Bearer a long and secret word\r\n")
                .status,
            200);
  EXPECT_EQ(server.call("GET", "/api/v1/announcement").json()["text"], "Hello");
  EXPECT_EQ(server.call("POST", "/api/v1/survey", R"({"feel":"normal","age":"18-24"})").status,
            201);
  EXPECT_EQ(server.call("GET", "/healthz").status, 200);
  const std::thread::id network = server.thread();
  EXPECT_THAT(Statements::all().of(network), IsEmpty());
  EXPECT_GT(Statements::all().count(), 20U) << "the trace sees what others run";
  EXPECT_THAT(server.call("GET", "/metrics").body, HasSubstr("rowbot_loop_longest_seconds 0"))
      << "no piece of work took a second";
}

TEST(NetworkThread, ReadsStatisticsOnceForManyWhoAsk) {
  static_cast<void>(Statements::all());
  TestServer server;
  server.start();
  const std::size_t before = Statements::all().count();
  for (int i = 0; i < 200; ++i) EXPECT_EQ(server.call("GET", "/api/v1/statistics").status, 200);
  // Three statements each, at most once a second.
  EXPECT_LT(Statements::all().count() - before, 150U);
}

}  // namespace
}  // namespace rowbot::server
