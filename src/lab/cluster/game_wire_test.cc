#include "lab/cluster/game_wire.h"

#include <vector>

#include "engine/roster/agent_spec.h"
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
  const lab::PlayedGame lost{.number = 5,
                             .result = game::GameResult::kSecondWins,
                             .reason = game::EndReason::kFailed,
                             .note = "broke down: too many ideas"};
  EXPECT_EQ(*parse_game_line(game_line(lost)), lost);
}

TEST(GameWire, RefusesWhatContradictsItself) {
  for (const char* line :
       {"", "1 first four_in_a_row 0 0 4141414", "1 second four_in_a_row 0 0 4141414 ",
        "1 first four_in_a_row 0 0 414141 ", "1 ongoing ongoing 0 0 41 ",
        "-1 first four_in_a_row 0 0 4141414 ", "1 first four_in_a_row 0 -5 4141414 ",
        "1 first resigned 0 0 41 ", "1 first four_in_a_row 0 0 4141418 "}) {
    EXPECT_FALSE(parse_game_line(line)) << line;
  }
  EXPECT_TRUE(parse_game_line("1 first four_in_a_row 0 0 4141414 "));
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
