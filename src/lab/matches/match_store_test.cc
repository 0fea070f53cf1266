#include "lab/matches/match_store.h"

#include <string>
#include <vector>

#include "game/moves_text.h"
#include "gtest/gtest.h"
#include "lab/matches/result_json.h"
#include "lab/matches/tournament.h"
#include "nlohmann/json.hpp"

namespace rowbot::lab {
namespace {

using roster::operator""_agent;

std::string json_of(const MatchSpec& spec, const MatchResult& result) {
  return match_json(spec, result.tally, std::nullopt).dump();
}

TEST(MatchStore, AResumedMatchReportsTheSameBytes) {
  const MatchSpec spec{.a = "forward"_agent, .b = "mcts:sims=20"_agent, .games = 60, .seed = 5};
  auto tables = store::Archive::open(":memory:");
  ASSERT_TRUE(tables);
  MatchStore archive(*tables);
  MatchSpec part = spec;
  part.games = 25;
  ASSERT_TRUE(run_match(part, {.resources = {.threads = 2}, .archive = &archive}));
  const auto resumed = run_match(spec, {.resources = {.threads = 2}, .archive = &archive});
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
  const MatchSpec spec{.a = "random:seed=3"_agent,
                       .b = "forward"_agent,
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

TEST(MatchStore, GoesOnWithAMatchThatAnOlderVersionStoredAsItWasTyped) {
  auto tables = store::Archive::open(":memory:");
  ASSERT_TRUE(tables);
  const MatchSpec spec{
      .a = "mcts:preset=carlo,level=pi-easy"_agent, .b = "random"_agent, .games = 4, .seed = 5};
  const std::string typed = "mcts:preset=carlo,level=pi-easy";
  const auto old = tables->match_id({.key = match_key(spec, typed, "random"),
                                     .a = typed,
                                     .b = "random",
                                     .seed = 5,
                                     .colours = "swapped",
                                     .limit_ms = spec.move_limit.count()});
  ASSERT_TRUE(old);
  const std::vector<game::NumberedGame> games{
      {.number = 1,
       .record = {.first = {.name = "random"},
                  .second = {.name = typed},
                  .moves = game::parse_played("4141414")->moves,
                  .result = game::GameResult::kFirstWins,
                  .reason = game::EndReason::kFourInARow}}};
  ASSERT_TRUE(tables->add(*old, games));
  MatchStore archive(*tables);
  const auto result = run_match(spec, {.archive = &archive});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->played, 3U) << "game 1 was played long ago";
  EXPECT_EQ(tables->matches()->size(), 1U);
  ASSERT_TRUE(archive.forget(spec));
  EXPECT_EQ(run_match(spec, {.archive = &archive})->played, 4U);
  EXPECT_EQ(tables->matches()->front().a, "mcts:preset=carlo,sims=175") << "canonical from now on";
}

TEST(MatchJson, HasTheFieldsProgramsCountOn) {
  const MatchSpec spec{.a = "forward"_agent, .b = "random"_agent, .games = 10};
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
  const TournamentSpec spec{.agents = {"random"_agent, "mcts:sims=200"_agent, "forward"_agent},
                            .games = 40};
  const auto result = run_tournament(spec, {.resources = {.threads = 2}});
  ASSERT_TRUE(result);
  ASSERT_EQ(result->standings.size(), 3U);
  EXPECT_EQ(result->tallies.size(), 3U);
  EXPECT_GT(result->standings[1].elo.value, result->standings[2].elo.value);
  EXPECT_GT(result->standings[2].elo.value, result->standings[0].elo.value);
  EXPECT_EQ(result->standings[0].games.games(), 80U);
  EXPECT_FALSE(check_tournament({.agents = {"random"_agent}}));
  EXPECT_FALSE(check_tournament({.agents = {"random"_agent, "random"_agent}}));
}

}  // namespace
}  // namespace rowbot::lab
