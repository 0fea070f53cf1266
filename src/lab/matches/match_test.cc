#include "lab/matches/match.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "engine/agents/random_agent.h"
#include "engine/roster/agent_spec.h"
#include "game/moves_text.h"
#include "gtest/gtest.h"

namespace rowbot::lab {
namespace {

using roster::operator""_agent;

/// Keeps games in memory and counts how often each number comes in.
class MemoryArchive final : public GameArchive {
 public:
  Result<void> load(const MatchSpec& spec, const Visit& visit) override {
    for (const auto& [number, game] : games) {
      if (number < spec.games) visit(game);
    }
    return {};
  }
  Result<void> add(const MatchSpec& /*spec*/, std::span<const PlayedGame> played) override {
    for (const PlayedGame& game : played) {
      ++times[game.number];
      games.emplace(game.number, game);
    }
    return {};
  }

  std::map<std::uint64_t, PlayedGame> games;
  std::map<std::uint64_t, int> times;
};

MatchTally without_clock(MatchTally tally) {
  for (Effort& effort : tally.effort) effort.thinking = {};
  return tally;
}

MatchResult play(const MatchSpec& spec, const RunOptions& options = {}) {
  auto result = run_match(spec, options);
  EXPECT_TRUE(result) << (result ? "" : result.error().message);
  return result ? *result : MatchResult{};
}

TEST(MatchSpec, PairsShareTheirOpeningAndSwapColours) {
  const MatchSpec spec{.a = "random"_agent, .b = "forward"_agent, .opening_plies = 6};
  std::set<std::string> openings;
  for (std::uint64_t pair = 0; pair < 50; ++pair) {
    const auto moves = opening_moves(spec, 2 * pair);
    EXPECT_EQ(moves.size(), 6U);
    EXPECT_EQ(moves, opening_moves(spec, 2 * pair + 1));
    const auto position = game::parse_moves(game::moves_text(moves));
    ASSERT_TRUE(position);
    EXPECT_FALSE(position->outcome().finished());
    EXPECT_EQ(position->winning_moves(), 0U);
    EXPECT_NE(side_of(Role::kA, spec, 2 * pair), side_of(Role::kA, spec, 2 * pair + 1));
    openings.insert(game::moves_text(moves));
  }
  EXPECT_GT(openings.size(), 45U);
}

TEST(MatchSpec, RefusesWhatCannotBePlayed) {
  EXPECT_FALSE(check_match({.a = "random"_agent, .b = "random"_agent, .games = 0}));
  EXPECT_FALSE(check_match({.a = "random"_agent, .b = "random"_agent, .opening_plies = 13}));
  EXPECT_TRUE(check_match({.a = "random"_agent, .b = "mcts:sims=10"_agent}));
}

TEST(MatchSpec, KeyTellsGamesApartButNotTheirNumber) {
  const MatchSpec spec{.a = "random"_agent, .b = "forward"_agent};
  MatchSpec longer = spec;
  longer.games = 999;
  EXPECT_EQ(match_key(spec), match_key(longer));
  for (auto change : std::vector<void (*)(MatchSpec&)>{
           [](MatchSpec& s) { s.a = "mcs"_agent; }, [](MatchSpec& s) { s.seed = 2; },
           [](MatchSpec& s) { s.opening_plies = 2; },
           [](MatchSpec& s) { s.group = std::string("rhodes"); },
           [](MatchSpec& s) { s.colours = Colours::kAFirst; }}) {
    MatchSpec other = spec;
    change(other);
    EXPECT_NE(match_key(spec), match_key(other));
  }
}

TEST(Match, ForwardCheckingBeatsRandom) {
  const MatchResult result = play({.a = "forward"_agent, .b = "random"_agent, .games = 200});
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(result.tally.all().games(), 200U);
  EXPECT_GT(result.tally.all().points(), 150);
  EXPECT_EQ(result.tally.a_first.games(), 100U);
  EXPECT_EQ(result.tally.failures, 0U);
}

TEST(Match, ThreadsDoNotChangeTheGames) {
  const MatchSpec spec{.a = "mcts:sims=60"_agent,
                       .b = "mcs:sims=200"_agent,
                       .games = 40,
                       .seed = 9,
                       .opening_plies = 3};
  MemoryArchive one;
  MemoryArchive three;
  const MatchResult alone = play(spec, {.resources = {.threads = 1}, .archive = &one});
  const MatchResult together = play(spec, {.resources = {.threads = 3}, .archive = &three});
  EXPECT_EQ(without_clock(alone.tally), without_clock(together.tally));
  ASSERT_EQ(one.games.size(), three.games.size());
  for (const auto& [number, game] : one.games) {
    EXPECT_EQ(game.record.moves, three.games[number].record.moves);
  }
}

TEST(Match, GoesOnWhereItWasStopped) {
  const MatchSpec spec{.a = "forward"_agent, .b = "random"_agent, .games = 300, .seed = 4};
  const MatchResult whole = play(spec);
  MemoryArchive archive;
  // Any subset may have been stored when a run was killed.
  MatchSpec part = spec;
  part.games = 120;
  (void)play(part, {.resources = {.threads = 2}, .archive = &archive});
  std::erase_if(archive.games, [](const auto& entry) { return entry.first % 3 == 0; });
  archive.times.clear();
  const MatchResult resumed = play(spec, {.resources = {.threads = 2}, .archive = &archive});
  EXPECT_EQ(resumed.played, 300U - 80U);
  EXPECT_EQ(without_clock(resumed.tally), without_clock(whole.tally));
  for (const auto& [number, times] : archive.times) EXPECT_EQ(times, 1) << number;
}

TEST(Match, StopsWhenAskedAndKeepsWhatEnded) {
  StopSource stop;
  MemoryArchive archive;
  const MatchSpec spec{.a = "forward"_agent, .b = "random"_agent, .games = 1'000'000};
  std::jthread asker([&stop] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    stop.request_stop();
  });
  const MatchResult result =
      play(spec, {.resources = {.threads = 2}, .archive = &archive, .stop = stop.get_token()});
  EXPECT_FALSE(result.complete);
  EXPECT_EQ(result.played, archive.games.size());
  EXPECT_LT(result.played, 1'000'000U);
}

TEST(Match, SequentialTestCountsTheSameGamesOnAnyNumberOfThreads) {
  const MatchSpec spec{.a = "forward"_agent, .b = "random"_agent, .games = 5'000};
  const SprtClaims claims{.elo0 = 0, .elo1 = 50};
  const MatchResult one = play(spec, {.resources = {.threads = 1}, .sprt = claims});
  const MatchResult four = play(spec, {.resources = {.threads = 4}, .sprt = claims});
  EXPECT_EQ(one.verdict, SprtVerdict::kAcceptH1);
  EXPECT_LT(one.tally.all().games(), 200U);
  EXPECT_EQ(without_clock(one.tally), without_clock(four.tally));
}

TEST(Match, FixedFirstMover) {
  const MatchResult result =
      play({.a = "random"_agent, .b = "random"_agent, .games = 50, .colours = Colours::kBFirst});
  EXPECT_EQ(result.tally.a_first.games(), 0U);
  EXPECT_EQ(result.tally.a_second.games(), 50U);
}

enum class Fault : std::uint8_t { kThrows, kDawdles, kHangs };

/// Lets the hanging agents of a test go when the test ends.
std::atomic<bool> g_release = false;

/// Plays two moves and then misbehaves.
class FaultyAgent final : public agents::Agent {
 public:
  explicit FaultyAgent(Fault fault) : fault_(fault) {}
  [[nodiscard]] agents::Budget budget() const override { return {}; }
  [[nodiscard]] agents::Claims claims() const override { return {}; }
  void start_game(std::uint64_t seed) override { random_.start_game(seed); }

 private:
  agents::Decision think(const game::Position& position,
                         const agents::BudgetMeter& meter) override {
    if (position.discs() >= 4) {
      if (fault_ == Fault::kThrows) throw std::runtime_error("out of ideas");
      while (!g_release && !(fault_ == Fault::kDawdles && meter.stopped())) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
    }
    auto decision = random_.choose(position, {}, {});
    return *decision;
  }

  Fault fault_;
  agents::RandomAgent random_{agents::RandomOptions{}};
};

MatchResult play_faulty(Fault fault, MemoryArchive& archive) {
  return play({.a = roster::AgentSpec("faulty",
                                      [fault](const Resources&) -> roster::AgentSpec::Made {
                                        return {std::make_unique<FaultyAgent>(fault)};
                                      }),
               .b = "random"_agent,
               .games = 4,
               .move_limit = std::chrono::milliseconds(100)},
              {.resources = {.threads = 2},
               .archive = &archive,
               .grace = std::chrono::milliseconds(fault == Fault::kHangs ? 100 : 20'000)});
}

TEST(Match, AnAgentThatThrowsLosesWithTheReasonOnRecord) {
  MemoryArchive archive;
  const MatchResult result = play_faulty(Fault::kThrows, archive);
  EXPECT_EQ(result.tally.failures, 4U);
  EXPECT_EQ(result.tally.all().losses, 4U);
  EXPECT_EQ(archive.games.at(0).record.reason, game::EndReason::kFailed);
  EXPECT_NE(archive.games.at(0).record.note.find("out of ideas"), std::string::npos);
  EXPECT_TRUE(game::replay(archive.games.at(0).record));
}

TEST(Match, AnAgentThatDawdlesIsStoppedAndLoses) {
  MemoryArchive archive;
  const MatchResult result = play_faulty(Fault::kDawdles, archive);
  EXPECT_EQ(result.tally.all().losses, 4U);
  EXPECT_EQ(result.given_up_threads, 0);
  EXPECT_EQ(archive.games.at(3).record.reason, game::EndReason::kTimedOut);
}

TEST(Match, AnAgentThatHangsLosesAndTheMatchGoesOn) {
  g_release = false;
  MemoryArchive archive;
  const MatchResult result = play_faulty(Fault::kHangs, archive);
  g_release = true;
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(result.tally.all().losses, 4U);
  EXPECT_EQ(result.given_up_threads, 4);
  EXPECT_EQ(archive.games.at(0).record.moves.size(), 4U);
  // The threads given up end by themselves now; let them, before the sanitizer looks for leaks.
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
}

}  // namespace
}  // namespace rowbot::lab
