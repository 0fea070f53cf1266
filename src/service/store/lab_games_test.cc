#include "service/store/lab_games.h"

#include <vector>

#include "gtest/gtest.h"

namespace rowbot::store {
namespace {

LabGame sample(std::uint64_t number, std::string moves = "4141414") {
  return {.number = number,
          .moves = std::move(moves),
          .result = game::GameResult::kFirstWins,
          .reason = game::EndReason::kFourInARow,
          .note = number == 2 ? "a note" : "",
          .thinking = {std::chrono::microseconds(10), std::chrono::microseconds(20)}};
}

std::vector<LabGame> all_games(LabGames& lab, std::int64_t match, std::uint64_t below = 1000) {
  std::vector<LabGame> games;
  const auto read =
      lab.each_game(match, below, [&games](const LabGame& game) { games.push_back(game); });
  EXPECT_TRUE(read);
  return games;
}

TEST(LabGames, GivesBackWhatWasStoredInTheOrderOfNumbers) {
  auto lab = LabGames::open(":memory:");
  ASSERT_TRUE(lab);
  const auto id = lab->match_id({.key = "k", .a = "random", .b = "forward", .seed = UINT64_MAX});
  ASSERT_TRUE(id);
  ASSERT_TRUE(lab->add(*id, std::vector{sample(7), sample(2)}));
  EXPECT_EQ(all_games(*lab, *id), (std::vector{sample(2), sample(7)}));
  EXPECT_EQ(all_games(*lab, *id, 7), std::vector{sample(2)});
  const auto matches = lab->matches();
  ASSERT_TRUE(matches);
  ASSERT_EQ(matches->size(), 1U);
  EXPECT_EQ(matches->front().games, 2U);
  EXPECT_EQ(matches->front().seed, UINT64_MAX);
}

TEST(LabGames, AKeyIsOneMatchAndANumberOneGame) {
  auto lab = LabGames::open(":memory:");
  ASSERT_TRUE(lab);
  const auto id = lab->match_id({.key = "k"});
  EXPECT_EQ(*id, *lab->match_id({.key = "k"}));
  EXPECT_NE(*id, *lab->match_id({.key = "other"}));
  ASSERT_TRUE(lab->add(*id, std::vector{sample(1)}));
  ASSERT_TRUE(lab->add(*id, std::vector{sample(1, "1212121")}));
  EXPECT_EQ(all_games(*lab, *id), std::vector{sample(1)});
}

TEST(LabGames, AGroupIsForgottenWithItsGamesOnly) {
  auto lab = LabGames::open(":memory:");
  ASSERT_TRUE(lab);
  const auto gone = lab->match_id({.key = "k1", .group = "rhodes"});
  const auto kept = lab->match_id({.key = "k2", .group = "carlo-7.1"});
  ASSERT_TRUE(lab->add(*gone, std::vector{sample(1)}));
  ASSERT_TRUE(lab->add(*kept, std::vector{sample(1)}));
  ASSERT_TRUE(lab->forget_group("rhodes"));
  EXPECT_TRUE(all_games(*lab, *gone).empty());
  EXPECT_EQ(all_games(*lab, *kept).size(), 1U);
  EXPECT_EQ(lab->matches()->size(), 1U);
}

TEST(LabGames, ReportsAreReplaced) {
  auto lab = LabGames::open(":memory:");
  ASSERT_TRUE(lab);
  EXPECT_FALSE(lab->report("rhodes")->has_value());
  ASSERT_TRUE(lab->keep_report("rhodes", "{\"a\":1}"));
  ASSERT_TRUE(lab->keep_report("rhodes", "{\"a\":2}"));
  EXPECT_EQ(lab->report("rhodes")->value(), "{\"a\":2}");
}

}  // namespace
}  // namespace rowbot::store
