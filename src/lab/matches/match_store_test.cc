#include "lab/matches/match_store.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "lab/matches/result_json.h"
#include "lab/matches/tournament.h"
#include "nlohmann/json.hpp"

namespace rowbot::lab {
namespace {

std::string json_of(const MatchSpec& spec, const MatchResult& result) {
  return match_json(spec, result.tally, std::nullopt).dump();
}

TEST(MatchStore, AResumedMatchReportsTheSameBytes) {
  const MatchSpec spec{.a = "forward", .b = "mcts:sims=20", .games = 60, .seed = 5};
  auto tables = store::Archive::open(":memory:");
  ASSERT_TRUE(tables);
  MatchStore archive(*tables);
  MatchSpec part = spec;
  part.games = 25;
  ASSERT_TRUE(run_match(part, {.threads = 2, .archive = &archive}));
  const auto resumed = run_match(spec, {.threads = 2, .archive = &archive});
  const auto whole = run_match(spec, {});
  ASSERT_TRUE(resumed && whole);
  EXPECT_EQ(resumed->played, 35U);
  EXPECT_EQ(json_of(spec, *resumed), json_of(spec, *whole));
  const auto again = run_match(spec, {.archive = &archive});
  EXPECT_EQ(again->played, 0U);
  EXPECT_EQ(json_of(spec, *again), json_of(spec, *whole));
  ASSERT_TRUE(archive.forget(spec));
  EXPECT_EQ(run_match(part, {.archive = &archive})->played, 25U);
}

TEST(MatchStore, StoredMatchesGiveTheirSpecificationBack) {
  auto tables = store::Archive::open(":memory:");
  ASSERT_TRUE(tables);
  MatchStore archive(*tables);
  const MatchSpec spec{.a = "random:seed=3",
                       .b = "forward",
                       .games = 3,
                       .seed = UINT64_MAX,
                       .opening_plies = 4,
                       .colours = Colours::kBFirst,
                       .group = "rhodes"};
  ASSERT_TRUE(run_match(spec, {.archive = &archive}));
  const auto matches = tables->matches();
  ASSERT_TRUE(matches);
  const auto back = spec_of(matches->front());
  ASSERT_TRUE(back);
  EXPECT_EQ(match_key(*back), match_key(spec));
  EXPECT_EQ(back->games, 3U);
  int replayed = 0;
  ASSERT_TRUE(archive.load(spec, [&](const PlayedGame& game) {
    EXPECT_TRUE(game::replay(game.record));
    ++replayed;
  }));
  EXPECT_EQ(replayed, 3);
  store::LabMatch bent = matches->front();
  bent.seed = 1;
  EXPECT_FALSE(spec_of(bent));
}

TEST(MatchJson, HasTheFieldsProgramsCountOn) {
  const MatchSpec spec{.a = "forward", .b = "random", .games = 10};
  const auto result = run_match(spec, {});
  ASSERT_TRUE(result);
  std::vector<std::string> names;
  const nlohmann::ordered_json json = match_json(spec, result->tally, std::nullopt);
  for (const auto& [name, value] : json.items()) names.push_back(name);
  EXPECT_EQ(names,
            (std::vector<std::string>{"a", "b", "games", "a_wins", "b_wins", "draws", "a_score",
                                      "a_score_low", "a_score_high", "elo", "elo_error"}));
}

TEST(Tournament, RanksTheAgentsAsTheyPlay) {
  const TournamentSpec spec{.agents = {"random", "mcts:sims=200", "forward"}, .games = 40};
  const auto result = run_tournament(spec, {.threads = 2});
  ASSERT_TRUE(result);
  ASSERT_EQ(result->standings.size(), 3U);
  EXPECT_EQ(result->tallies.size(), 3U);
  EXPECT_GT(result->standings[1].elo.value, result->standings[2].elo.value);
  EXPECT_GT(result->standings[2].elo.value, result->standings[0].elo.value);
  EXPECT_EQ(result->standings[0].games.games(), 80U);
  EXPECT_FALSE(check_tournament({.agents = {"random"}}));
  EXPECT_FALSE(check_tournament({.agents = {"random", "random"}}));
}

}  // namespace
}  // namespace rowbot::lab
