#include "service/store/archive.h"

#include <vector>

#include "gtest/gtest.h"
#include "service/store/sample_match.h"

namespace rowbot::store {
namespace {

using sample::games_of;
using sample::match_game;

TEST(Archive, GivesBackWhatWasStoredInTheOrderOfNumbers) {
  auto lab = Archive::open(":memory:");
  ASSERT_TRUE(lab);
  const auto id = lab->match_id({.key = "k", .a = "random", .b = "forward", .seed = UINT64_MAX});
  ASSERT_TRUE(id);
  ASSERT_TRUE(lab->add(*id, std::vector{match_game(7), match_game(2)}));
  EXPECT_EQ(games_of(*lab, *id), (std::vector{match_game(2), match_game(7)}));
  EXPECT_EQ(games_of(*lab, *id, 7), std::vector{match_game(2)});
  const auto matches = lab->matches();
  ASSERT_TRUE(matches);
  ASSERT_EQ(matches->size(), 1U);
  EXPECT_EQ(matches->front().games, 2U);
  EXPECT_EQ(matches->front().seed, UINT64_MAX);
}

TEST(Archive, AKeyIsOneMatchAndANumberOneGame) {
  auto lab = Archive::open(":memory:");
  ASSERT_TRUE(lab);
  const auto id = lab->match_id({.key = "k"});
  EXPECT_EQ(*id, *lab->match_id({.key = "k"}));
  EXPECT_NE(*id, *lab->match_id({.key = "other"}));
  ASSERT_TRUE(lab->add(*id, std::vector{match_game(1)}));
  ASSERT_TRUE(lab->add(*id, std::vector{match_game(1, "1212121")}));
  EXPECT_EQ(games_of(*lab, *id), std::vector{match_game(1)});
}

TEST(Archive, AGroupIsForgottenWithItsGamesOnly) {
  auto lab = Archive::open(":memory:");
  ASSERT_TRUE(lab);
  const auto gone = lab->match_id({.key = "k1", .group = "rhodes"});
  const auto kept = lab->match_id({.key = "k2", .group = "carlo-7.1"});
  ASSERT_TRUE(lab->add(*gone, std::vector{match_game(1)}));
  ASSERT_TRUE(lab->add(*kept, std::vector{match_game(1)}));
  ASSERT_TRUE(lab->forget_group("rhodes"));
  EXPECT_TRUE(games_of(*lab, *gone).empty());
  EXPECT_EQ(games_of(*lab, *kept).size(), 1U);
  EXPECT_EQ(lab->matches()->size(), 1U);
}

TEST(Archive, ReportsAreReplaced) {
  auto lab = Archive::open(":memory:");
  ASSERT_TRUE(lab);
  EXPECT_FALSE(lab->report("rhodes")->has_value());
  ASSERT_TRUE(lab->keep_report("rhodes", "{\"a\":1}"));
  ASSERT_TRUE(lab->keep_report("rhodes", "{\"a\":2}"));
  EXPECT_EQ(lab->report("rhodes")->value(), "{\"a\":2}");
}

}  // namespace
}  // namespace rowbot::store
