#include "service/server/http/messages.h"

#include <chrono>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "service/server/games/levels.h"
#include "service/server/http/client_address.h"
#include "service/server/http/rate_limiter.h"
#include "service/server/token.h"

namespace rowbot::server {
namespace {

using ::testing::HasSubstr;

TEST(Messages, ReadsANewGameWithItsDefaults) {
  const auto plain = parse_new_game("{}");
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->human, HumanSeat::kFirst);
  EXPECT_EQ(plain->level, "easy");
  const auto watched =
      parse_new_game(R"({"human":"none","first":"hard","second":"minimax:depth=4","moves":"44"})");
  ASSERT_TRUE(watched) << watched.error().message;
  EXPECT_EQ(watched->second, "minimax:depth=4");
  EXPECT_EQ(watched->moves.size(), 2U);
}

TEST(Messages, RefusesWithTheNameOfTheField) {
  const std::string long_agent =
      R"({"human":"none","first":"random:)" + std::string(500, 'x') + "\"}";
  for (const auto& [body, words] : std::initializer_list<std::pair<std::string, const char*>>{
           {"", "JSON object"},
           {"[]", "JSON object"},
           {"{\"human\":", "JSON object"},
           {R"({"human":"third"})", "human"},
           {R"({"human":3})", "human"},
           {R"({"level":"godlike"})", "no level"},
           {R"({"moves":"9"})", "moves"},
           {R"({"moves":"1212121"})", "over"},
           {R"({"moves":")" + std::string(43, '1') + "\"}", "more moves"},
           {R"({"human":"none","first":"mcts:threads=64"})", "threads"},
           {R"({"human":"none","second":"minimax:depth=30"})", "depth"},
           {R"({"human":"none","second":"nobody"})", "second"},
           {long_agent, "characters"}}) {
    const auto refused = parse_new_game(body);
    ASSERT_FALSE(refused) << body;
    EXPECT_EQ(refused.error().status, 400);
    EXPECT_THAT(refused.error().message, HasSubstr(words));
  }
}

TEST(Messages, ReadsMovesStrictly) {
  EXPECT_EQ(parse_move(R"({"column":4})")->column, game::Column(3));
  EXPECT_EQ(parse_move(R"({"column":4,"ply":6})")->ply, 6);
  for (const char* body :
       {R"({})", R"({"column":0})", R"({"column":8})", R"({"column":4.5})", R"({"column":"4"})",
        R"({"column":-1})", R"({"column":99999999999999999999})", R"({"column":1e400})",
        R"({"column":4,"ply":-1})", R"({"column":4,"ply":42})", R"({"column":4,"ply":"x"})",
        R"({"column":4,"ply":18446744073709551615})"}) {
    EXPECT_FALSE(parse_move(body)) << body;
  }
}

TEST(Messages, ReadsMovesAtTheRobotsTable) {
  const std::string token(32, 'a');
  const auto move = parse_table_move(R"({"column":4,"ply":2,"token":")" + token + "\"}");
  ASSERT_TRUE(move);
  EXPECT_EQ(move->token, token);
  EXPECT_EQ(move->move.column, game::Column(3));
  EXPECT_EQ(move->move.ply, 2);
  EXPECT_FALSE(parse_table_move(R"({"column":8,"token":")" + token + "\"}"));
  for (const char* body : {"", "{}", R"({"column":4})", R"({"column":4,"token":"x"})",
                           R"({"column":4,"token":7})", R"({"column":4,"token":null})"}) {
    EXPECT_FALSE(parse_table_move(body)) << body;
    EXPECT_FALSE(parse_ticket(body)) << body;
  }
}

TEST(Messages, ReadsSurveysRestartsAndAnnouncements) {
  EXPECT_TRUE(parse_survey(R"({"feel":"normal","age":"25-39"})"));
  EXPECT_FALSE(parse_survey(R"({"feel":"normal"})"));
  EXPECT_FALSE(parse_survey(R"({"feel":"normal","age":"7"})"));
  EXPECT_FALSE(parse_survey(R"({"feel":"normal","age":"25-39","game":"x"})"));
  EXPECT_TRUE(parse_restart(""));
  EXPECT_EQ(parse_restart(R"({"human":"second"})")->human, HumanSeat::kSecond);
  EXPECT_FALSE(parse_restart("nonsense"));
  EXPECT_TRUE(parse_announcement(R"({"text":""})"));
  EXPECT_FALSE(parse_announcement(R"({"text":")" + std::string(501, 'x') + "\"}"));
}

TEST(Levels, EachHasAnAgentThatExists) {
  for (const roster::Level& level : roster::visitor_levels()) {
    const auto thinker = thinker_of(level.name);
    ASSERT_TRUE(thinker) << level.name;
    EXPECT_TRUE(thinker_of(thinker->agent.text())) << level.text;
    EXPECT_EQ(player_name(level.name), level.title);
  }
  EXPECT_EQ(thinker_of("beginner-1")->lane, Lane::kShort);
  EXPECT_EQ(thinker_of("hard")->lane, Lane::kLong);
  EXPECT_EQ(thinker_of("perfect")->lane, Lane::kSolver);
  EXPECT_EQ(visitor_level("table-3"), nullptr) << "the table's own";
  EXPECT_EQ(known_thinker("an agent that is no more").agent.text(), "forward");
}

TEST(Token, IsNewEachTimeAndRecognised) {
  const std::string token = new_token();
  EXPECT_TRUE(is_token(token));
  EXPECT_NE(token, new_token());
  EXPECT_FALSE(is_token(token.substr(1)));
  EXPECT_FALSE(is_token("0123456789ABCDEF0123456789ABCDEF"));
  EXPECT_TRUE(same_secret("abc", "abc"));
  EXPECT_FALSE(same_secret("abc", "abd"));
  EXPECT_FALSE(same_secret("abc", "ab"));
}

TEST(RateLimiter, FillsBucketsWithTime) {
  const ClientLimits limits{
      .connections = 2, .requests_per_second = 10, .request_burst = 3, .game_burst = 1};
  RateLimiter book(limits, {});
  const auto start = Bucket::Clock::now();
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(book.may_request("a", start));
  EXPECT_FALSE(book.may_request("a", start));
  EXPECT_TRUE(book.may_request("b", start)) << "others are not concerned";
  EXPECT_TRUE(book.may_request("a", start + std::chrono::milliseconds(150)));
  EXPECT_FALSE(book.may_request("a", start + std::chrono::milliseconds(160)));
  EXPECT_TRUE(book.may_begin_game("a", start));
  EXPECT_FALSE(book.may_begin_game("a", start));
  auto first = book.open("a");
  const auto second = book.open("a");
  EXPECT_TRUE(first && second);
  EXPECT_FALSE(book.open("a"));
  first.reset();
  EXPECT_TRUE(book.open("a"));
}

TEST(RateLimiter, TakesANetworkOfIPv6AsOneClient) {
  EXPECT_EQ(client_key("127.0.0.1"), "local");
  EXPECT_EQ(client_key("::1"), "local");
  EXPECT_EQ(client_key("::ffff:127.0.0.1"), "local");
  EXPECT_EQ(client_key("::ffff:192.0.2.7"), "192.0.2.7");
  EXPECT_EQ(client_key("192.0.2.7"), "192.0.2.7");
  EXPECT_EQ(client_key("2001:db8::1"), client_key("2001:db8::2"));
  EXPECT_NE(client_key("2001:db8::1"), client_key("2001:db8:0:1::1"));
  EXPECT_EQ(client_key("nonsense"), "unknown");
}

}  // namespace
}  // namespace rowbot::server
