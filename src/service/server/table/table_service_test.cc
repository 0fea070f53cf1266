#include "service/server/table/table_service.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <mutex>
#include <thread>
#include <vector>

#include "base/temporary_folder.h"
#include "service/server/http/test_client.h"
#include "service/server/server.h"
#include "service/store/sqlite_store.h"

namespace rowbot::server {
namespace {

using game::Column;
using nlohmann::json;
using table::Request;
using table::TableState;
using ::testing::HasSubstr;

/// A table in memory: the record is a real one, and the robot answers in column 1 at once.
class PaperTable final : public table::TableFeed {
 public:
  PaperTable() { begin(); }

  [[nodiscard]] std::string robot() const override { return "paper"; }
  [[nodiscard]] table::TableView look() override {
    return {.table = table_,
            .trouble = {},
            .scene = std::make_shared<const std::string>(R"({"bodies":[]})"),
            .poses = poses_,
            .camera = std::make_shared<const std::string>("picture"),
            .camera_number = 1};
  }
  table::Verdict play(const table::MoveWish& wish) override {
    const table::Verdict verdict = judge_wish(*table_, wish);
    if (verdict != table::Verdict::kFine) return verdict;
    for (const Column c : {wish.column, Column(0)}) {
      if (session_->snapshot()->over()) break;
      static_cast<void>(session_->play(
          {.side = session_->snapshot()->game.position().to_move(), .column = c, .ply = {}}));
    }
    const bool over = session_->snapshot()->over();
    show(over ? TableState::kOver : TableState::kWaiting,
         over ? Request::kNothing : Request::kPlay);
    return verdict;
  }
  void restart() override {
    if (under_way(*table_)) begin();
  }
  void stop() override { show(TableState::kStopped, Request::kResume); }
  void resume() override { show(TableState::kWaiting, Request::kPlay); }

 private:
  void begin() {
    session_.emplace(table::Setup{.first = {}, .second = {.agent = "paper"}, .start = {}});
    ++game_;
    show(TableState::kWaiting, Request::kPlay);
  }
  void show(TableState state, Request request) {
    table::TableSnapshot next{.state = state, .message = "As it is.", .request = request};
    next.game = game_;
    next.record = session_->snapshot();
    table_ = std::make_shared<const table::TableSnapshot>(std::move(next));
    poses_ = std::make_shared<const std::string>(fmt::format(R"({{"time":{}}})", ++shown_));
  }

  std::optional<table::Session> session_;
  std::uint64_t game_ = 0;
  int shown_ = 0;
  std::shared_ptr<const table::TableSnapshot> table_;
  std::shared_ptr<const std::string> poses_;
};

/// A real server with a paper table.
class TableServiceTest : public ::testing::Test {
 protected:
  void SetUp() override { start(&table_); }
  void TearDown() override { stop(); }

  void start(table::TableFeed* feed) {
    auto store = store::SqliteStore::open(folder_.file("games.db"));
    ASSERT_TRUE(store);
    store_ = *std::move(store);
    options_.port = 0;
    options_.operator_token = "an operator's secret";
    auto server = Server::open(options_, *store_, feed);
    ASSERT_TRUE(server);
    server_ = *std::move(server);
    running_ = std::jthread([this] { server_->run(); });
  }
  void stop() {
    server_->stop();
    running_.join();
    server_.reset();
    store_.reset();
  }

  TestAnswer call(std::string_view method, std::string_view path, std::string_view body = "",
                  std::string_view fields = "") {
    TestClient client(server_->port());
    return client.call(method, fmt::format("/api/v1/table{}", path), body, fields);
  }
  std::string join() {
    const TestAnswer answer = call("POST", "/join");
    EXPECT_EQ(answer.status, 201) << answer.body;
    return answer.json()["token"];
  }
  TestAnswer play(const std::string& token, int column) {
    return call("POST", "/play", json{{"token", token}, {"column", column}}.dump());
  }
  json look(const std::string& token = "") {
    return call("GET", token.empty() ? "" : "?token=" + token).json();
  }
  void watch(TestClient& client, const std::string& token) {
    client.send(
        fmt::format("GET /api/v1/table/live?token={} HTTP/1.1\r\nHost: test\r\n"
                    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                    "Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n",
                    token));
    EXPECT_EQ(client.answer().status, 101);
  }
  /// The next message that is as wanted.
  static json news(TestClient& client, const std::function<bool(const json&)>& wanted) {
    for (int i = 0; i < 400; ++i) {
      const json message = json::parse(client.frame(), nullptr, false);
      if (message.is_discarded()) break;
      if (wanted(message["data"]["table"])) return message["data"];
    }
    ADD_FAILURE() << "no such news";
    return json::object();
  }

  PaperTable table_;
  TemporaryFolder folder_;
  Options options_;
  std::unique_ptr<store::Store> store_;
  std::unique_ptr<Server> server_;
  std::jthread running_;
};

TEST_F(TableServiceTest, OnlyTheVisitorAtTheTablePlays) {
  EXPECT_FALSE(look()["visitor"]);
  const std::string one = join();
  const std::string two = join();
  EXPECT_EQ(look(one)["place"], 0);
  EXPECT_EQ(look(two)["place"], 1);
  EXPECT_TRUE(look()["place"].is_null());
  EXPECT_EQ(look()["waiting"], 1);
  EXPECT_EQ(play(two, 4).status, 403);
  EXPECT_EQ(play(std::string(32, 'a'), 4).status, 403);
  EXPECT_EQ(play("no token", 4).status, 400);
  EXPECT_EQ(play(one, 8).status, 400);
  EXPECT_EQ(play(one, 4).json()["moves"], "41");
  const std::string stale = json{{"token", one}, {"column", 4}, {"ply", 0}}.dump();
  EXPECT_EQ(call("POST", "/play", stale).status, 409);
  EXPECT_EQ(look()["moves"], "41");
}

TEST_F(TableServiceTest, ANewVisitorBeginsANewGame) {
  const std::string one = join();
  play(one, 4);
  const std::string two = join();
  EXPECT_EQ(look()["moves"], "41");
  const json left = call("POST", "/leave", json{{"token", one}}.dump()).json();
  EXPECT_TRUE(left["place"].is_null());
  EXPECT_EQ(left["moves"], "") << "nobody plays on in the game of another";
  const json after = look(two);
  EXPECT_EQ(after["place"], 0);
  EXPECT_EQ(after["moves"], "");
  EXPECT_EQ(after["request"], "play");
}

TEST_F(TableServiceTest, AVisitorSeesHowTheGameEndedBeforeTheNextSits) {
  stop();
  options_.table.queue.result_shown = std::chrono::milliseconds(1500);
  start(&table_);
  const std::string one = join();
  TestClient winner(server_->port());
  watch(winner, one);
  news(winner, [](const json& t) { return t["place"] == 0; });
  const std::string two = join();
  for (const int column : {4, 4, 4, 4}) play(one, column);
  // What the page makes of leaving depends on the last thing it heard while at the table.
  json before;
  const json after = news(winner, [&before](const json& t) {
    if (!t["place"].is_null()) before = t;
    return t["place"].is_null();
  });
  EXPECT_EQ(before["place"], 0);
  EXPECT_EQ(before["state"], "over");
  EXPECT_EQ(before["result"], "first");
  EXPECT_EQ(look(two)["place"], 0);
  EXPECT_EQ(look(two)["result"], "first") << "the finished game stays until the next begins";
}

TEST_F(TableServiceTest, TheTableSaysWhichMovesAreLegal) {
  const std::string one = join();
  for (int i = 0; i < 3; ++i) EXPECT_EQ(play(one, 1).status, 200);
  const TestAnswer full = play(one, 1);
  EXPECT_EQ(full.status, 409);
  EXPECT_EQ(full.json()["error"]["code"], "column_full");
}

TEST_F(TableServiceTest, TellsWatchersWhatHappensAndWhereTheyStand) {
  const std::string one = join();
  TestClient watcher(server_->port());
  watch(watcher, one);
  const json first = news(watcher, [](const json& t) { return t["place"] == 0; });
  EXPECT_EQ(first["table"]["watchers"], 1);
  const int before = first["poses"]["time"];
  play(one, 3);
  const json then = news(watcher, [](const json& t) { return t["moves"] == "31"; });
  EXPECT_GT(then["poses"]["time"].get<int>(), before);
}

TEST_F(TableServiceTest, WhoLosesTheConnectionLosesTheSeat) {
  stop();
  options_.table.queue.unheard = std::chrono::milliseconds(300);
  start(&table_);
  const std::string gone = join();
  const std::string stays = join();
  TestClient watcher(server_->port());
  watch(watcher, stays);
  news(watcher, [](const json& t) { return t["place"] == 0; });
  EXPECT_TRUE(look(gone)["place"].is_null());
}

TEST_F(TableServiceTest, StopAndResumeAreTheOperators) {
  EXPECT_EQ(call("POST", "/stop").status, 401);
  EXPECT_EQ(call("POST", "/stop", "", "Authorization: Bearer wrong\r\n").status, 401);
  EXPECT_EQ(look()["state"], "waiting");
  const char* secret = "Authorization: Bearer an operator's secret\r\n";
  EXPECT_EQ(call("POST", "/stop", "", secret).json()["state"], "stopped");
  const std::string one = join();
  EXPECT_EQ(play(one, 4).status, 409) << "nothing moves";
  EXPECT_EQ(call("POST", "/resume", "", secret).json()["state"], "waiting");
}

TEST_F(TableServiceTest, TheSceneMayBeKeptUnderItsName) {
  const std::string name = look()["scene"];
  EXPECT_THAT(call("GET", "/scene?name=" + name).head, HasSubstr("immutable"));
  EXPECT_THAT(call("GET", "/scene").head, HasSubstr("no-store"));
  const TestAnswer picture = call("GET", "/camera");
  EXPECT_THAT(picture.head, HasSubstr("Content-Type: image/jpeg"));
  EXPECT_EQ(picture.body, "picture");
  EXPECT_EQ(call("GET", "/live").status, 426);
}

TEST_F(TableServiceTest, WithoutARobotItSaysSo) {
  stop();
  start(nullptr);
  for (const char* path : {"", "/scene", "/camera"}) {
    const TestAnswer answer = call("GET", path);
    EXPECT_EQ(answer.status, 404);
    EXPECT_EQ(answer.json()["error"]["code"], "no_robot");
  }
  EXPECT_EQ(call("POST", "/join").status, 404);
}

}  // namespace
}  // namespace rowbot::server
