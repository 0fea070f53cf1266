#include "service/server/server.h"

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/temporary_folder.h"
#include "game/moves_text.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "service/server/http/test_client.h"
#include "service/store/sqlite_store.h"

namespace rowbot::server {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::StartsWith;

/// A real server on a free port with a real database.
class ServerTest : public ::testing::Test {
 protected:
  void SetUp() override { start(); }
  void TearDown() override { stop(); }

  void start() {
    auto store = store::SqliteStore::open(folder_.file("games.db"));
    ASSERT_TRUE(store) << store.error().message;
    store_ = *std::move(store);
    options_.port = 0;
    auto server = Server::open(options_, *store_);
    ASSERT_TRUE(server) << server.error().message;
    server_ = *std::move(server);
    running_ = std::jthread([this] { server_->run(); });
  }
  void stop() {
    if (!server_) return;
    server_->stop();
    running_.join();
    server_.reset();
    store_.reset();
  }
  void restart() {
    stop();
    start();
  }

  [[nodiscard]] std::uint16_t port() const { return server_->port(); }
  TestAnswer call(std::string_view method, std::string_view target, std::string_view body = "",
                  std::string_view fields = "") {
    TestClient client(port());
    return client.call(method, target, body, fields);
  }
  json new_game(std::string_view body) {
    const TestAnswer answer = call("POST", "/api/v1/games", body);
    EXPECT_EQ(answer.status, 201) << answer.body;
    return answer.json();
  }
  static std::string path_of(const json& game) {
    return "/api/v1/games/" + game.at("game").get<std::string>();
  }
  json play(const std::string& path, int column) {
    const TestAnswer answer =
        call("POST", path + "/moves", fmt::format("{{\"column\":{}}}", column));
    EXPECT_EQ(answer.status, 200) << answer.body;
    return answer.json();
  }
  /// Plays the first open column until the game is over.
  json play_out(json game) {
    const std::string path = path_of(game);
    while (game["result"].is_null()) {
      const auto position = game::parse_moves(game["moves"].get<std::string>());
      int column = 1;
      while (!position->can_play(game::Column(column - 1))) ++column;
      game = play(path, column);
      if (HasFailure()) break;
    }
    return game;
  }

  TemporaryFolder folder_;
  Options options_;
  std::unique_ptr<store::Store> store_;
  std::unique_ptr<Server> server_;
  std::jthread running_;
};

TEST_F(ServerTest, AnswersAMoveWithAMove) {
  const json game = new_game(R"({"level":"easy","human":"first"})");
  EXPECT_EQ(game["moves"], "");
  EXPECT_EQ(game["you"], "first");
  EXPECT_EQ(game["turn"], "first");
  const json after = play(path_of(game), 4);
  EXPECT_EQ(after["moves"].get<std::string>().size(), 2U);
  EXPECT_THAT(after["moves"].get<std::string>(), StartsWith("4"));
  EXPECT_EQ(after["turn"], "first");
  EXPECT_FALSE(after["thinking"]);
  EXPECT_TRUE(after["can_undo"]);
  EXPECT_GE(after["evidence"]["simulations"].get<int>(), 175);
  EXPECT_GT(after["version"].get<std::uint64_t>(), game["version"].get<std::uint64_t>());
  EXPECT_EQ(call("GET", path_of(game)).json()["moves"], after["moves"]);
}

TEST_F(ServerTest, OpensTheGameWhenThePersonIsSecond) {
  const json game = new_game(R"({"level":"beginner-1","human":"second"})");
  EXPECT_EQ(game["moves"].get<std::string>().size(), 1U);
  EXPECT_EQ(game["you"], "second");
  EXPECT_EQ(game["first"]["type"], "agent");
}

TEST_F(ServerTest, PlaysEveryLevelFromASetPosition) {
  const json levels = call("GET", "/api/v1/levels").json()["levels"];
  for (const json& level : levels) {
    const json game =
        new_game(json{{"level", level["name"]}, {"moves", "44444"}, {"human", "first"}}.dump());
    EXPECT_EQ(game["moves"].get<std::string>().size(), 6U) << level["name"];
  }
}

TEST_F(ServerTest, KeepsGamesResultsAndSurveysOverARestart) {
  const json game = play_out(new_game(R"({"level":"beginner-1"})"));
  const json open = new_game(R"({"level":"easy"})");
  const json moved = play(path_of(open), 3);
  const std::string answer =
      json{{"game", game["game"]}, {"feel", "normal"}, {"age", "18-24"}}.dump();
  EXPECT_EQ(call("POST", "/api/v1/survey", answer).status, 201);
  restart();
  const json again = call("GET", path_of(game)).json();
  EXPECT_EQ(again["moves"], game["moves"]);
  EXPECT_EQ(again["result"], game["result"]);
  EXPECT_EQ(again["reason"], game["reason"]);
  EXPECT_EQ(again["winning"], game["winning"]);
  EXPECT_EQ(call("GET", path_of(open)).json()["moves"], moved["moves"]);
  EXPECT_GT(call("GET", path_of(open)).json()["version"].get<std::uint64_t>(),
            moved["version"].get<std::uint64_t>());
  play(path_of(open), 3);
  const json statistics = call("GET", "/api/v1/statistics").json();
  EXPECT_EQ(statistics["games"], 2);
  EXPECT_EQ(statistics["levels"][0]["games"], 1);
  EXPECT_EQ(statistics["survey"]["answers"], 1);
  EXPECT_EQ(statistics["survey"]["feel"][0]["count"], 1);
}

TEST_F(ServerTest, GoesOnThinkingAfterARestart) {
  // An opening move that was asked for and never stored.
  const store::GameHead head{.token = std::string(32, 'a'), .level = "easy"};
  ASSERT_TRUE(store::write_and_wait(
      *store_,
      {store::NewGame{.head = head,
                      .record = {.first = {.name = "easy"}, .second = {.name = "human"}}}}));
  const std::string path = "/api/v1/games/" + head.token;
  json game = call("GET", path).json();
  for (int i = 0; i < 300 && game["moves"] == ""; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    game = call("GET", path).json();
  }
  EXPECT_EQ(game["moves"].get<std::string>().size(), 1U);
}

TEST_F(ServerTest, MakesARepeatedMoveOnceAndRefusesAnotherInItsPlace) {
  const std::string path = path_of(new_game(R"({"level":"beginner-3"})"));
  const std::string body = R"({"column":4,"ply":0})";
  const json first = call("POST", path + "/moves", body).json();
  const TestAnswer again = call("POST", path + "/moves", body);
  EXPECT_EQ(again.status, 200);
  EXPECT_EQ(again.json()["moves"], first["moves"]);
  const TestAnswer stale = call("POST", path + "/moves", R"({"column":5,"ply":0})");
  EXPECT_EQ(stale.status, 409);
  EXPECT_EQ(stale.json()["error"]["code"], "stale");
}

TEST_F(ServerTest, UndoesResignsAndRestarts) {
  const json game = new_game(R"({"level":"easy"})");
  const std::string path = path_of(game);
  EXPECT_EQ(call("POST", path + "/undo").status, 409);
  play(path, 4);
  const json undone = call("POST", path + "/undo").json();
  EXPECT_EQ(undone["moves"], "");
  EXPECT_FALSE(undone["can_undo"]);
  play(path, 1);
  const json resigned = call("POST", path + "/resign").json();
  EXPECT_EQ(resigned["result"], "second");
  EXPECT_EQ(resigned["reason"], "resigned");
  EXPECT_EQ(call("POST", path + "/moves", R"({"column":1})").json()["error"]["code"], "game_over");
  EXPECT_EQ(call("POST", path + "/undo").status, 409);
  EXPECT_EQ(call("GET", "/api/v1/statistics").json()["levels"][3]["games"], 0)
      << "a game with help says nothing about strength";
  const TestAnswer fresh = call("POST", path + "/restart", R"({"human":"second"})");
  EXPECT_EQ(fresh.status, 201);
  EXPECT_NE(fresh.json()["game"], game["game"]);
  EXPECT_EQ(fresh.json()["level"], "easy");
  EXPECT_EQ(fresh.json()["moves"].get<std::string>().size(), 1U);
}

TEST_F(ServerTest, LetsTwoPeoplePlayByALink) {
  const json mine = new_game(R"({"human":"link"})");
  const std::string guest = "/api/v1/games/" + mine["guest"].get<std::string>();
  EXPECT_EQ(call("GET", guest).json()["you"], "second");
  EXPECT_TRUE(call("GET", guest).json()["guest"].is_null());
  EXPECT_EQ(call("POST", guest + "/moves", R"({"column":1})").json()["error"]["code"],
            "not_your_turn");
  play(path_of(mine), 4);
  EXPECT_EQ(play(guest, 4)["moves"], "44");
  EXPECT_EQ(call("POST", path_of(mine) + "/undo").status, 409);
  restart();
  EXPECT_EQ(play(path_of(mine), 4)["moves"], "444");
  EXPECT_EQ(play(guest, 4)["moves"], "4444");
}

TEST_F(ServerTest, LetsTwoPeoplePlayOnOneScreen) {
  const std::string path = path_of(new_game(R"({"human":"both"})"));
  json game;
  for (const int column : {1, 2, 1, 2, 1, 2, 1}) game = play(path, column);
  EXPECT_EQ(game["result"], "first");
  EXPECT_EQ(game["reason"], "four_in_a_row");
  EXPECT_EQ(game["winning"], json::parse("[[1,1],[1,2],[1,3],[1,4]]"));
  const TestAnswer review = call("GET", path + "/review");
  ASSERT_TRUE(review.status == 200 || review.status == 202) << review.body;
}

TEST_F(ServerTest, SendsEveryChangeToThoseWhoWatch) {
  const std::string path = path_of(new_game(R"({"human":"both"})"));
  TestClient watcher(port());
  watcher.send(
      fmt::format("GET {}/live HTTP/1.1\r\nHost: test\r\nUpgrade: websocket\r\n"
                  "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                  "Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n",
                  path));
  EXPECT_EQ(watcher.answer().status, 101);
  EXPECT_EQ(json::parse(watcher.frame())["data"]["moves"], "");
  play(path, 4);
  const json news = json::parse(watcher.frame());
  EXPECT_EQ(news["type"], "game");
  EXPECT_EQ(news["data"]["moves"], "4");
}

TEST_F(ServerTest, PlaysAgentAgainstAgentWhileSomebodyWatches) {
  options_.games.watch_pause = std::chrono::milliseconds(5);
  restart();
  const std::string path =
      path_of(new_game(R"({"human":"none","first":"random","second":"forward"})"));
  json game;
  for (int i = 0; i < 600; ++i) {
    game = call("GET", path).json();
    if (!game["result"].is_null()) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  EXPECT_FALSE(game["result"].is_null());
  EXPECT_EQ(game["you"], "none");
}

TEST_F(ServerTest, AnalysesAndHints) {
  // Late enough to be solved at once under a sanitizer too.
  const json analysis = call("GET", "/api/v1/analysis?moves=5264133237647143514743").json();
  EXPECT_EQ(analysis["moves"], "5264133237647143514743");
  EXPECT_EQ(analysis["scores"].size(), 7U);
  EXPECT_FALSE(analysis["best"].empty());
  EXPECT_EQ(call("GET", "/api/v1/analysis?moves=44x").status, 400);
  EXPECT_EQ(call("GET", "/api/v1/analysis").status, 400);
  EXPECT_EQ(call("GET", "/api/v1/analysis?position=0000000").json()["best"], json::parse("[4]"));
  const std::string path = path_of(new_game(R"({"human":"both","moves":"121212"})"));
  const json hint = call("GET", path + "/hint").json();
  EXPECT_EQ(hint["column"], 1);
  EXPECT_EQ(hint["text"], "wins in 1 move");
}

TEST_F(ServerTest, ObeysOnlyTheOperator) {
  options_.operator_token = "a long and secret word";
  restart();
  const std::string target = "/api/v1/operator/announcement";
  const std::string body = R"({"text":"Closed on Monday"})";
  EXPECT_EQ(call("POST", target, body).status, 401);
  EXPECT_EQ(call("POST", target, body, "Authorization: Bearer guess\r\n").status, 401);
  EXPECT_EQ(call("POST", target, body, "Authorization: Bearer a long and secret word\r\n").status,
            200);
  restart();
  EXPECT_EQ(call("GET", "/api/v1/announcement").json()["text"], "Closed on Monday");
}

TEST_F(ServerTest, MeetsHostileRequestsWithACleanRefusal) {
  const std::string path = path_of(new_game(R"({"level":"easy"})"));
  const std::string nested = std::string(2000, '[') + std::string(2000, ']');
  for (const auto& [method, target, body, status] :
       std::initializer_list<std::tuple<const char*, std::string, std::string, int>>{
           {"GET", "/api/v1/games/" + std::string(32, '0'), "", 404},
           {"GET", "/api/v1/games/../../etc/passwd", "", 404},
           {"POST", path + "/moves", "{\"column\":99}", 400},
           {"POST", path + "/moves", nested, 400},
           {"POST", path + "/moves", "\xff\xfe{}", 400},
           {"POST", path + "/moves", std::string(5000, 'x'), 413},
           {"PUT", path, "", 405},
           {"BREW", "/", "", 405},
           {"GET", "/%00", "", 400},
           {"GET", "/" + std::string(20'000, 'a'), "", 431},
           {"GET", "/no/such/page", "", 404}}) {
    EXPECT_EQ(call(method, target, body).status, status) << method << ' ' << target.substr(0, 80);
  }
  for (const char* bytes : {"\r\n\r\n\r\n", "GET\r\n\r\n", "\x16\x03\x01\x02\xfc\x03\x03\r\n\r\n",
                            "GET / HTTP/9.9\r\n\r\n", "GET / HTTP/1.1\r\nA b: c\r\n\r\n",
                            "POST / HTTP/1.1\r\nContent-Length: -5\r\n\r\n"}) {
    TestClient client(port());
    client.send(bytes);
    EXPECT_EQ(client.answer().status, 400) << bytes;
  }
  EXPECT_EQ(play(path, 4)["moves"].get<std::string>().size(), 2U) << "the game is as it was";
}

TEST_F(ServerTest, SendsStrictHeaders) {
  for (const char* target : {"/", "/api/v1/levels", "/nothing"}) {
    const TestAnswer answer = call("GET", target);
    EXPECT_THAT(answer.head, HasSubstr("Content-Security-Policy: default-src 'self'"));
    EXPECT_THAT(answer.head, HasSubstr("X-Content-Type-Options: nosniff"));
    EXPECT_THAT(answer.head, HasSubstr("Referrer-Policy: no-referrer"));
  }
  EXPECT_THAT(call("GET", "/").body, HasSubstr("<html"));
  EXPECT_THAT(call("GET", "/", "", "Accept-Encoding: gzip\r\n").head,
              HasSubstr("Content-Encoding: gzip"));
  EXPECT_EQ(call("GET", "/healthz").json()["status"], "ok");
  EXPECT_THAT(call("GET", "/metrics").body, HasSubstr("rowbot_requests_total{status=\"200\"}"));
}

TEST_F(ServerTest, LimitsEachClient) {
  options_.local = {.connections = 3,
                    .requests_per_second = 0.001,
                    .request_burst = 6,
                    .games_per_second = 0.001,
                    .game_burst = 2};
  restart();
  {
    std::vector<std::unique_ptr<TestClient>> clients;
    for (int i = 0; i < 3; ++i) clients.push_back(std::make_unique<TestClient>(port()));
    for (const auto& client : clients) EXPECT_EQ(client->call("GET", "/healthz").status, 200);
    TestClient one_more(port());
    const TestAnswer refused = one_more.call("GET", "/healthz");
    EXPECT_EQ(refused.status, 429);
    EXPECT_THAT(refused.head, HasSubstr("Retry-After: 5"));
  }
  TestAnswer answer;
  for (int i = 0; i < 300 && answer.status != 201; ++i) {  // until the places are free again
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    answer = call("POST", "/api/v1/games", "{}");
  }
  EXPECT_EQ(answer.status, 201);
  TestClient client(port());
  EXPECT_EQ(client.call("POST", "/api/v1/games", "{}").status, 201);
  EXPECT_EQ(client.call("POST", "/api/v1/games", "{}").status, 429) << "too many games";
  const TestAnswer limited = client.call("GET", "/healthz");
  EXPECT_EQ(limited.status, 429) << "too many requests";
  EXPECT_THAT(limited.head, HasSubstr("Retry-After: 1"));
}

TEST_F(ServerTest, CutsSlowClients) {
  options_.request_within = std::chrono::milliseconds(200);
  restart();
  TestClient silent(port());
  TestClient slow(port());
  slow.send("GET / HTTP/1.1\r\nX-Slow: ");
  EXPECT_EQ(silent.answer().status, 0);
  EXPECT_EQ(slow.answer().status, 0);
  EXPECT_EQ(call("GET", "/healthz").status, 200);
}

TEST_F(ServerTest, SaysWhenItIsFullAndLosesNothing) {
  options_.pool.shorts.queue = 0;
  restart();
  const std::string path = path_of(new_game(R"({"level":"easy"})"));
  const TestAnswer full = call("POST", path + "/moves", R"({"column":4})");
  EXPECT_EQ(full.status, 503);
  EXPECT_THAT(full.head, HasSubstr("Retry-After"));
  EXPECT_EQ(call("GET", path).json()["moves"], "") << "a refused move is not made";
}

TEST_F(ServerTest, ServesManyThreadsOfVisitorsAtOnce) {
  constexpr int kVisitors = 8;
  std::vector<std::string> lost(kVisitors);
  {
    std::vector<std::jthread> visitors;
    for (int v = 0; v < kVisitors; ++v) {
      visitors.emplace_back([this, v, &lost] {
        TestClient client(port());
        const json game = client.call("POST", "/api/v1/games", R"({"level":"beginner-2"})").json();
        const std::string path = path_of(game);
        std::string moves;
        for (int i = 0; i < 4; ++i) {
          const std::string body = fmt::format("{{\"column\":{}}}", 1 + (v + i) % 7);
          moves = client.call("POST", path + "/moves", body).json().value("moves", "");
        }
        const json seen = client.call("GET", path).json();
        if (moves.empty() || seen.value("moves", "") != moves) {
          lost[static_cast<std::size_t>(v)] = seen.dump();
        }
      });
    }
  }
  for (const std::string& game : lost) EXPECT_EQ(game, "");
}

TEST(Server, SaysWhenThePortIsTaken) {
  const TemporaryFolder folder;
  auto store = store::SqliteStore::open(folder.file("a.db"));
  const auto first = Server::open({.port = 0}, **store);
  ASSERT_TRUE(first);
  const auto second = Server::open({.port = (*first)->port()}, **store);
  ASSERT_FALSE(second);
  EXPECT_THAT(second.error().message, HasSubstr("cannot listen"));
  EXPECT_FALSE(Server::open({.host = "no address", .port = 0}, **store));
}

}  // namespace
}  // namespace rowbot::server
