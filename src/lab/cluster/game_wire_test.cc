#include "lab/cluster/game_wire.h"

#include <vector>

#include "engine/roster/agent_spec.h"
#include "fmt/core.h"
#include "gtest/gtest.h"
#include "lab/matches/game_player.h"

namespace rowbot::cluster {
namespace {

using roster::operator""_agent;

TEST(GameWire, CarriesWhateverIsPlayed) {
  const lab::MatchSpec spec{.a = "random"_agent, .b = "forward"_agent};
  auto player = lab::GamePlayer::make(spec, {});
  ASSERT_TRUE(player);
  lab::Seat seat;
  for (std::uint64_t number = 0; number < 30; ++number) {
    const auto game = player->play(number, seat);
    ASSERT_TRUE(game);
    const auto back = parse_game_line(game_line(*game));
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_EQ(*back, *game);
  }
  lab::PlayedGame lost{.number = 5, .record = lab::unplayed_game(spec, 5).record};
  lost.record.result = game::GameResult::kSecondWins;
  lost.record.reason = game::EndReason::kFailed;
  lost.record.note = "broke down: too many ideas";
  EXPECT_EQ(*parse_game_line(game_line(lost)), lost);
}

TEST(GameWire, RefusesWhatContradictsItself) {
  const auto line = [](std::string_view number, std::string_view moves, std::string_view result,
                       std::string_view reason) {
    return fmt::format(
        R"({} {{"format":1,"first":{{"name":"a"}},"second":{{"name":"b"}},"moves":"{}","result":"{}","reason":"{}"}})",
        number, moves, result, reason);
  };
  EXPECT_TRUE(parse_game_line(line("1", "4141414", "first", "four_in_a_row")));
  for (const std::string& wrong :
       {std::string(), std::string("1"), std::string("1 {}"),
        line("1", "4141414", "second", "four_in_a_row"),
        line("1", "414141", "first", "four_in_a_row"), line("1", "41", "ongoing", "ongoing"),
        line("-1", "4141414", "first", "four_in_a_row"),
        line("", "4141414", "first", "four_in_a_row"),
        line("1", "4141418", "first", "four_in_a_row"), line("1", "41", "first", "bored")}) {
    EXPECT_FALSE(parse_game_line(wrong)) << wrong;
  }
}

TEST(MatchLine, SaysTheWholeMatch) {
  for (const lab::Colours colours :
       {lab::Colours::kSwapped, lab::Colours::kAFirst, lab::Colours::kBFirst}) {
    const lab::MatchSpec spec{.a = "mcts:sims=200,final=robust"_agent,
                              .b = "random"_agent,
                              .games = 77,
                              .seed = 18446744073709551615U,
                              .opening_plies = 3,
                              .colours = colours,
                              .move_limit = std::chrono::milliseconds(1234),
                              .group = "carlo-7.1"};
    const auto again = parse_match_line(match_line(spec));
    ASSERT_TRUE(again.has_value()) << again.error().message;
    EXPECT_EQ(lab::match_key(*again), lab::match_key(spec));
    EXPECT_EQ(again->games, spec.games);
  }
}

TEST(MatchLine, RefusesWhatIsNone) {
  for (const char* line :
       {"", "1 1 0 swapped 60000 random", "1 1 0 swapped 60000 random|nobody|",
        "0 1 0 swapped 60000 random|random|", "1 1 99 swapped 60000 random|random|",
        "1 1 0 green 60000 random|random|", "1 1 0 swapped 0 random|random|",
        "1 -1 0 swapped 60000 random|random|", "1 1 0 swapped 60000 random|random||"}) {
    EXPECT_FALSE(parse_match_line(line).has_value()) << line;
  }
}

}  // namespace
}  // namespace rowbot::cluster
