// What one visitor may ask of the server, and what that leaves for the others.
#include <memory>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "service/server/test_server.h"

namespace rowbot::server {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kGreedy = "X-Forwarded-For: 203.0.113.7\r\n";
constexpr std::string_view kHonest = "X-Forwarded-For: 198.51.100.2\r\n";

class Budgets : public ::testing::Test {
 protected:
  void SetUp() override {
    server_.options.trust_forwarded = true;
    server_.options.remote.connections = 1'000;
  }

  /// The status of the last of so many calls by the greedy client, the first of which succeed.
  TestAnswer last_of(int count, std::string_view method, const std::string& target,
                     const std::string& body = "") {
    TestAnswer answer;
    for (int i = 0; i < count; ++i) answer = server_.call(method, target, body, kGreedy);
    return answer;
  }

  TestServer server_;
};

TEST_F(Budgets, OneClientsAnalysesLeavePerfectMovesToOthers) {
  server_.start();
  // Fifteen plies in, far from the book and from the end: each takes the solver a while.
  std::vector<std::unique_ptr<TestClient>> flood;
  for (int i = 0; i < 40; ++i) {
    auto client = std::make_unique<TestClient>(server_.port());
    client->send(
        fmt::format("GET /api/v1/analysis?moves=4455366512276{}{} HTTP/1.1\r\n"
                    "Host: t\r\n{}\r\n",
                    1 + i % 7, 1 + i / 7, kGreedy));
    flood.push_back(std::move(client));
  }
  const std::string path =
      "/api/v1/games/" + server_.call("POST", "/api/v1/games", R"({"level":"perfect"})", kHonest)
                             .json()
                             .value("game", "");
  for (const int column : {4, 2, 6}) {
    const TestAnswer answer =
        server_.call("POST", path + "/moves", fmt::format("{{\"column\":{}}}", column), kHonest);
    EXPECT_EQ(answer.status, 200) << answer.body;
  }
  const TestAnswer hint = server_.call("GET", path + "/hint", "", kHonest);
  EXPECT_EQ(hint.status, 200) << hint.body;
  // Closing waits for nobody; the pool stops what it runs.
}

TEST_F(Budgets, EveryExpensiveRequestHasItsOwn) {
  constexpr Allowance kTwo{.per_second = 0.01, .burst = 2};
  server_.options.remote_budgets = {.analysis = kTwo,
                                    .review = kTwo,
                                    .perfect_move = kTwo,
                                    .lab_match = kTwo,
                                    .live = kTwo,
                                    .table_join = kTwo,
                                    .survey = kTwo,
                                    .survey_without_game = kTwo,
                                    .statistics = kTwo};
  server_.start();
  const auto refused = [](const TestAnswer& answer) {
    EXPECT_EQ(answer.status, 429) << answer.body;
    EXPECT_THAT(answer.head, HasSubstr("Retry-After: ")) << answer.body;
  };
  const std::string survey = R"({"feel":"normal","age":"18-24"})";
  EXPECT_EQ(last_of(2, "GET", "/api/v1/statistics").status, 200);
  refused(last_of(1, "GET", "/api/v1/statistics"));
  EXPECT_EQ(last_of(2, "POST", "/api/v1/survey", survey).status, 201);
  refused(last_of(1, "POST", "/api/v1/survey", survey));
  EXPECT_EQ(server_.call("POST", "/api/v1/survey", survey, kHonest).status, 201);

  const std::string game = server_.new_game(R"({"human":"both","moves":"121212"})");
  const std::string about =
      fmt::format(R"({{"game":"{}","feel":"normal","age":"18-24"}})", game.substr(14));
  EXPECT_EQ(last_of(2, "POST", "/api/v1/survey", about).status, 201);
  refused(last_of(1, "POST", "/api/v1/survey", about));
  EXPECT_EQ(last_of(2, "GET", game + "/hint").status, 200);
  refused(last_of(1, "GET", game + "/hint"));
  refused(last_of(1, "GET", "/api/v1/analysis?moves=4"));
  const std::string match = R"({"a":"random","b":"random","games":1})";
  EXPECT_EQ(last_of(1, "POST", "/api/v1/lab/matches", match).status, 202);
  refused(last_of(3, "POST", "/api/v1/lab/matches", match));
  refused(last_of(3, "POST", "/api/v1/table/join"));
  const std::string perfect = R"({"level":"perfect","human":"second","moves":"1212121"})";
  refused(last_of(3, "POST", "/api/v1/games", R"({"level":"perfect","human":"second"})"));
  const std::string live = game + "/live";
  const std::string upgrade = std::string(kGreedy) +
                              "Upgrade: websocket\r\nConnection: Upgrade\r\n"
                              "Sec-WebSocket-Version: 13\r\n"
                              "Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n";
  EXPECT_EQ(server_.call("GET", live, "", upgrade).status, 101);
  EXPECT_EQ(server_.call("GET", live, "", upgrade).status, 101);
  refused(server_.call("GET", live, "", upgrade));
  EXPECT_THAT(server_.call("GET", "/metrics").body, HasSubstr("rowbot_over_budget_total"));
}

TEST_F(Budgets, AReviewIsPaidForOnce) {
  server_.options.remote_budgets.review = {.per_second = 0.01, .burst = 1};
  server_.start();
  std::vector<std::string> games;
  for (int i = 0; i < 2; ++i) {
    games.push_back(server_.new_game(R"({"human":"both","moves":"121212"})"));
    EXPECT_EQ(server_.play(games.back(), 1).status, 200);
  }
  for (int i = 0; i < 3; ++i) EXPECT_LT(last_of(1, "GET", games[0] + "/review").status, 300);
  EXPECT_EQ(last_of(1, "GET", games[1] + "/review").status, 429);
}

}  // namespace
}  // namespace rowbot::server
