#include "service/server/lab/laboratory.h"

#include <chrono>
#include <fstream>
#include <set>
#include <string>
#include <thread>

#include "base/temporary_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "lab/experiments/experiment.h"
#include "lab/experiments/report.h"
#include "lab/matches/match.h"
#include "lab/matches/result_json.h"
#include "nlohmann/json.hpp"
#include "service/server/http/messages.h"
#include "service/server/lab/lab_agents.h"

namespace rowbot::server {
namespace {

using roster::operator""_agent;

using nlohmann::json;
using std::chrono::milliseconds;
using ::testing::HasSubstr;

/// Long enough that nothing but a stop ends it during a test.
constexpr std::string_view kLong = R"({"a":"mcts:time=100ms","b":"mcts:time=100ms","games":200})";

json started(Laboratory& laboratory, std::string_view body) {
  const auto answer = laboratory.start(body, "somebody");
  EXPECT_TRUE(answer) << answer.error().message;
  return answer ? json::parse(*answer) : json();
}

std::string id_of(const json& match) { return match.at("match").get<std::string>(); }

/// The match as soon as it has left these states.
json after(const Laboratory& laboratory, const std::string& id, const std::set<std::string>& left) {
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (true) {
    const auto answer = laboratory.get(id);
    if (!answer) return {};
    json match = json::parse(*answer);
    if (!left.contains(match["state"].get<std::string>())) return match;
    if (std::chrono::steady_clock::now() > limit) return match;
    std::this_thread::sleep_for(milliseconds(1));
  }
}

json played(Laboratory& laboratory, std::string_view body) {
  return after(laboratory, id_of(started(laboratory, body)), {"waiting", "playing"});
}

TEST(LabAgents, AcceptEveryoneTheyOffer) {
  std::set<std::string_view> titles;
  for (const LabAgent& agent : lab_agents()) {
    const auto accepted = lab_agent(agent.text);
    ASSERT_TRUE(accepted) << agent.text << ": " << accepted.error().message;
    EXPECT_EQ(accepted->text(), agent.text);
    EXPECT_TRUE(titles.insert(agent.title).second) << agent.title << " twice";
  }
  EXPECT_GE(titles.size(), 12U);
}

TEST(LabAgents, AcceptATextWithinTheLimits) {
  for (const char* text : {"mcts:time=100ms", "mcts:sims=20000", "mcts:time=50ms,sims=9999999",
                           "minimax:depth=6", "minimax:depth=6,ties=random",
                           "mcs:time=100ms,sims=20000,until=all", "perfect:error=0.3"}) {
    EXPECT_TRUE(lab_agent(text)) << text;
  }
  EXPECT_EQ(lab_agent("easy")->text(), "mcts:preset=carlo,sims=175") << "a level by its name";
  EXPECT_EQ(lab_agent("  random ")->text(), "random");
}

TEST(LabAgents, RefuseFilesThreadsAndLongThoughts) {
  for (const char* text :
       {"mcts:time=101ms", "mcts:sims=20001", "mcts:time=200ms,sims=20001", "hard", "nobody", "",
        "mcts:time=50ms,sims=20001,until=all", "mcs:time=1s,sims=50,until=all", "minimax:depth=7",
        "expectimax:depth=8", "mcts:threads=2", "mcts:leaf=8,sims=10", "mcts:memory=64GB,sims=1",
        "q:experience=/etc/passwd", "q-mcts:experience=x,learn=on", "random\nforward"}) {
    const auto refused = lab_agent(text);
    ASSERT_FALSE(refused) << text;
    EXPECT_FALSE(refused.error().message.empty());
  }
}

TEST(LabMatchMessage, NamesTheFieldThatIsWrong) {
  for (const auto& [body, word] : {std::pair{R"([])", "object"},
                                   {R"({"a":"random"})", "\"b\""},
                                   {R"({"a":3,"b":"random"})", "\"a\""},
                                   {R"({"a":"random","b":"nobody"})", "\"b\""},
                                   {R"({"a":"random","b":"random","games":0})", "1 to 200"},
                                   {R"({"a":"random","b":"random","games":201})", "1 to 200"},
                                   {R"({"a":"random","b":"random","games":"9"})", "\"games\""},
                                   {R"({"a":"random","b":"random","games":1.5})", "\"games\""},
                                   {R"({"a":"random","b":"random","seed":-1})", "\"seed\""},
                                   {R"({"a":"random","b":"random","openings":13})", "0 to 12"}}) {
    const auto message = parse_lab_match(body);
    ASSERT_FALSE(message) << body;
    EXPECT_EQ(message.error().status, 400);
    EXPECT_THAT(message.error().message, HasSubstr(word));
  }
}

TEST(Laboratory, CountsExactlyAsAMatchOnTheCommandLine) {
  Laboratory laboratory({});
  const json match =
      played(laboratory, R"({"a":"forward","b":"mcts:sims=50","games":40,"seed":7,"openings":2})");
  EXPECT_EQ(match["state"], "finished");
  const lab::MatchSpec spec{
      .a = "forward"_agent, .b = "mcts:sims=50"_agent, .games = 40, .seed = 7, .opening_plies = 2};
  const auto expected = lab::run_match(spec, {});
  ASSERT_TRUE(expected);
  EXPECT_EQ(match["result"].dump(),
            json::parse(lab::match_json(spec, expected->tally, std::nullopt).dump()).dump());
  EXPECT_EQ(match["result"]["games"], 40);
  EXPECT_EQ(match["last"]["number"], 40);
  EXPECT_EQ(match["last"]["first"], "b") << "colours are swapped";
  EXPECT_GE(match["last"]["moves"].get<std::string>().size(), 7U);
}

TEST(Laboratory, PlaysOneMatchAtATimeAndRefusesTheOneTooMany) {
  Laboratory laboratory({.waiting = 2, .per_client = 9});
  const std::string first = id_of(started(laboratory, kLong));
  EXPECT_EQ(after(laboratory, first, {"waiting"})["state"], "playing");
  const json second = started(laboratory, kLong);
  const json third = started(laboratory, R"({"a":"random","b":"forward","games":20})");
  EXPECT_EQ(second["ahead"], 1);
  EXPECT_EQ(third["ahead"], 2);
  const auto refused = laboratory.start(kLong, "somebody");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().status, 503);
  EXPECT_GT(refused.error().retry_after.value_or(0), 0);

  const auto gone = laboratory.stop(id_of(second));
  ASSERT_TRUE(gone);
  EXPECT_EQ(json::parse(*gone)["state"], "stopped") << "it only waited";
  EXPECT_EQ(json::parse(*laboratory.get(id_of(third)))["ahead"], 1);
  EXPECT_TRUE(laboratory.stop(first));
  EXPECT_EQ(after(laboratory, first, {"playing"})["state"], "stopped");
  const json last = after(laboratory, id_of(third), {"waiting", "playing"});
  EXPECT_EQ(last["state"], "finished");
  EXPECT_EQ(last["result"]["games"], 20);
}

TEST(Laboratory, LeavesRoomForOtherClients) {
  Laboratory laboratory({});
  const std::string mine = id_of(started(laboratory, kLong));
  started(laboratory, kLong);
  const auto refused = laboratory.start(kLong, "somebody");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().status, 429);
  EXPECT_TRUE(laboratory.start(kLong, "somebody else"));
  EXPECT_TRUE(laboratory.stop(mine));
  after(laboratory, mine, {"waiting", "playing"});
  EXPECT_TRUE(laboratory.start(kLong, "somebody"));
}

TEST(Laboratory, EndsAMatchWhoseTimeIsUp) {
  Laboratory laboratory({.match_time = milliseconds(1)});
  const json match = played(laboratory, kLong);
  EXPECT_EQ(match["state"], "out_of_time");
  EXPECT_LT(match["result"]["games"].get<int>(), 200);
}

TEST(Laboratory, ClosesWithAMatchUnderWay) {
  const auto start = std::chrono::steady_clock::now();
  {
    Laboratory laboratory({});
    const std::string id = id_of(started(laboratory, kLong));
    EXPECT_EQ(after(laboratory, id, {"waiting"})["state"], "playing");
    EXPECT_TRUE(laboratory.start(kLong, "somebody"));
  }
  // The two matches would take minutes.
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

TEST(Laboratory, ForgetsMatchesThatAreOver) {
  Laboratory laboratory({.kept = 1});
  constexpr std::string_view kShort = R"({"a":"random","b":"random","games":1})";
  const std::string old = id_of(played(laboratory, kShort));
  EXPECT_TRUE(laboratory.get(old));
  const std::string fresh = id_of(played(laboratory, kShort));
  EXPECT_TRUE(laboratory.get(fresh));
  const auto look = laboratory.get(old);
  ASSERT_FALSE(look);
  EXPECT_EQ(look.error().status, 404);
  EXPECT_FALSE(laboratory.stop(old));
}

json entry_of(const json& answer, std::string_view name) {
  for (const json& one : answer.at("experiments")) {
    if (one.at("name") == name) return one;
  }
  return {};
}

TEST(Laboratory, SaysHowToRunTheExperimentsThatWereNot) {
  Laboratory laboratory({});
  const json answer = json::parse(*laboratory.read_experiments());
  EXPECT_EQ(answer["experiments"].size(), lab::experiments().size());
  const json matrix = entry_of(answer, "all-agents");
  EXPECT_TRUE(matrix["report"].is_null());
  EXPECT_EQ(matrix["command"], "rowbot experiment run all-agents");
}

TEST(Laboratory, ShowsTheReportsOfTheDatabase) {
  const TemporaryFolder folder;
  lab::Report report{.name = "boehm-5.2", .title = "Against random", .findings = {"It wins."}};
  report.charts.push_back(
      {.title = "won",
       .series = {{.name = "ours", .points = {lab::share_point("20", 97, 100, 95.5)}}}});
  {
    auto tables = store::Archive::open(folder.file("lab.db"));
    ASSERT_TRUE(tables);
    ASSERT_TRUE(tables->keep_report("boehm-5.2", lab::report_json(report)));
    ASSERT_TRUE(tables->keep_report("rhodes", R"({"name":"rhodes"})"));
  }
  Laboratory laboratory({.database = folder.file("lab.db")});
  const json answer = json::parse(*laboratory.read_experiments());
  EXPECT_EQ(entry_of(answer, "boehm-5.2")["report"], json::parse(lab::report_json(report)));
  EXPECT_TRUE(entry_of(answer, "carlo-7.1")["report"].is_null());
  const json damaged = entry_of(answer, "rhodes");
  EXPECT_TRUE(damaged["report"].is_null());
  EXPECT_FALSE(damaged["problem"].get<std::string>().empty());
}

TEST(Laboratory, RefusesAFileThatIsNoDatabase) {
  const TemporaryFolder folder;
  std::ofstream(folder.file("letter.txt")) << std::string(2'000, 'x');
  Laboratory laboratory({.database = folder.file("letter.txt")});
  const auto answer = laboratory.read_experiments();
  ASSERT_FALSE(answer);
  EXPECT_THAT(answer.error().message, ::testing::HasSubstr("not a Rowbot database"));
}

}  // namespace
}  // namespace rowbot::server
