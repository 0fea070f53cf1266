#include "cluster/game_wire.h"

#include <vector>

#include "gtest/gtest.h"
#include "lab/game_player.h"
#include "roster/roster.h"

namespace rowbot::cluster {
namespace {

TEST(GameWire, CarriesWhateverIsPlayed) {
  const lab::MatchSpec spec{.a = "random", .b = "forward"};
  auto player = lab::GamePlayer::make(spec, roster::make_agent);
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

}  // namespace
}  // namespace rowbot::cluster
