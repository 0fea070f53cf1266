// What every agent must do. It runs over the whole roster, so a new agent is held to it the moment
// it is registered.

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "base/rng.h"
#include "base/stop.h"
#include "engine/agents/agent.h"
#include "engine/roster/agent_spec.h"
#include "game/moves_text.h"
#include "game/random_game.h"
#include "gtest/gtest.h"

namespace rowbot::roster {
namespace {

using namespace std::chrono_literals;
using agents::Agent;
using agents::Budget;
using agents::Decision;
using game::Column;
using game::Position;
using Clock = std::chrono::steady_clock;

const Budget kSmall{.simulations = 300};

class Conformance : public ::testing::TestWithParam<std::string> {
 protected:
  [[nodiscard]] static std::unique_ptr<Agent> make() {
    auto made = make_agent(GetParam(), {});
    EXPECT_TRUE(made.has_value()) << made.error().message;
    return *std::move(made);
  }

  static Decision decide(Agent& agent, const Position& position, const Budget& budget,
                         StopToken stop = {}) {
    auto decision = agent.choose(position, budget, stop);
    EXPECT_TRUE(decision.has_value());
    EXPECT_TRUE(position.can_play(decision->column));
    return *std::move(decision);
  }

  /// Runs `attempt` up to three times: another process may take the core away once or twice, a
  /// fault of ours comes back every time.
  template <class Attempt>
  static void expect_within(std::chrono::milliseconds limit, Attempt attempt) {
    std::chrono::nanoseconds best = 1h;
    for (int i = 0; i < 3 && best > limit; ++i) {
      const auto start = Clock::now();
      attempt();
      best = std::min<std::chrono::nanoseconds>(best, Clock::now() - start);
    }
    EXPECT_LE(best, limit);
  }
};

std::vector<Position> unfinished_positions(std::uint64_t seed, std::size_t count) {
  Rng rng(seed);
  std::vector<Position> positions;
  while (positions.size() < count) {
    const Position p = game::testing::random_position(rng);
    if (!p.outcome().finished()) positions.push_back(p);
  }
  return positions;
}

TEST_P(Conformance, PlaysOnlyLegalMoves) {
  const auto agent = make();
  for (const Position& p : unfinished_positions(1, 60)) decide(*agent, p, kSmall);
}

TEST_P(Conformance, PlaysAWholeGameAgainstItself) {
  const auto agent = make();
  agent->start_game(3);
  Position position;
  while (!position.outcome().finished()) {
    position = position.after(decide(*agent, position, kSmall).column);
  }
}

TEST_P(Conformance, TakesAWinAtOnceIfItClaimsTo) {
  const auto agent = make();
  if (!agent->claims().takes_wins) GTEST_SKIP() << "makes no such claim";
  int seen = 0;
  for (const Position& p : unfinished_positions(2, 400)) {
    if (p.winning_moves() == 0) continue;
    ++seen;
    EXPECT_TRUE(p.after(decide(*agent, p, kSmall).column).outcome().finished());
  }
  EXPECT_GT(seen, 50);
}

TEST_P(Conformance, StopsAnImmediateWinIfItClaimsTo) {
  const auto agent = make();
  if (!agent->claims().blocks_wins) GTEST_SKIP() << "makes no such claim";
  int seen = 0;
  for (const Position& p : unfinished_positions(3, 600)) {
    const game::Bits losing = p.opponent_threats() & p.legal_moves();
    if (p.winning_moves() != 0 || game::count(losing) != 1) continue;
    ++seen;
    EXPECT_EQ(decide(*agent, p, kSmall).column, Column(game::lowest_column(losing)));
  }
  EXPECT_GT(seen, 50);
}

TEST_P(Conformance, StopsWithinItsTime) {
  const auto agent = make();
  expect_within(60ms + agent->claims().overrun,
                [&] { decide(*agent, Position(), {.time = 60ms}); });
}

TEST_P(Conformance, AnswersAtOnceWhenStoppedBefore) {
  const auto agent = make();
  StopSource source;
  source.request_stop();
  expect_within(agent->claims().overrun,
                [&] { decide(*agent, Position(), {.time = 30s}, source.get_token()); });
}

/// Stands still, and asks for a stop when it is read for the twentieth time: in the middle of any
/// search that heeds its budget, however busy the machine.
class StoppingClock final : public rowbot::Clock {
 public:
  [[nodiscard]] Moment now() const override {
    if (++reads_ == 20) source_.request_stop();
    return {};
  }
  [[nodiscard]] StopToken stop() const { return source_.get_token(); }
  [[nodiscard]] int reads_after_stop() const { return std::max(0, reads_ - 20); }

 private:
  mutable int reads_ = 0;
  mutable StopSource source_;
};

TEST_P(Conformance, AnswersAtOnceWhenStoppedInTheMiddle) {
  const auto agent = make();
  const StoppingClock clock;
  const auto decision = agent->choose(Position(), {.time = 30s}, clock.stop(), clock);
  ASSERT_TRUE(decision.has_value());
  EXPECT_LE(clock.reads_after_stop(), 20) << "it goes on after it was asked to stop";
}

TEST_P(Conformance, RepeatsItselfForTheSameSeedAndSimulations) {
  const auto a = make();
  const auto b = make();
  if (!a->claims().repeatable) GTEST_SKIP() << "makes no such claim";
  a->start_game(11);
  b->start_game(11);
  for (const Position& p : unfinished_positions(4, 25)) {
    const Decision x = decide(*a, p, kSmall);
    const Decision y = decide(*b, p, kSmall);
    ASSERT_EQ(x.column, y.column);
    ASSERT_EQ(x.simulations, y.simulations);
  }
}

TEST_P(Conformance, PlaysTheOnlyLegalMove) {
  const auto agent = make();
  const auto last = game::parse_moves("12121221212134343443434356565665656577777");
  ASSERT_TRUE(last.has_value());
  EXPECT_EQ(decide(*agent, *last, kSmall).column, Column(6));
}

TEST_P(Conformance, RefusesAFinishedGame) {
  const auto agent = make();
  const auto won = game::parse_moves("4141414");
  ASSERT_TRUE(won.has_value());
  const auto decision = agent->choose(*won, kSmall, {});
  ASSERT_FALSE(decision.has_value());
  EXPECT_NE(decision.error().message.find("game is over"), std::string::npos);
}

TEST_P(Conformance, GivesEvidenceOnlyForLegalMoves) {
  const auto agent = make();
  for (const Position& p : unfinished_positions(5, 30)) {
    const Decision decision = decide(*agent, p, kSmall);
    int last = -1;
    for (const auto& move : decision.moves) {
      EXPECT_TRUE(p.can_play(move.column));
      EXPECT_GT(move.column.index(), last) << "moves stand from left to right, each once";
      last = move.column.index();
      if (move.value) {
        EXPECT_GE(*move.value, -1.0);
        EXPECT_LE(*move.value, 1.0);
      }
    }
  }
}

/// And two that are told to play worse.
std::vector<std::string> every_agent() {
  std::vector<std::string> texts{"mcts:blunders=0.5", "mcts:error=0.5"};
  for (const AgentInfo& info : list_agents()) texts.push_back(info.name);
  return texts;
}

INSTANTIATE_TEST_SUITE_P(EveryAgent, Conformance, ::testing::ValuesIn(every_agent()),
                         [](const auto& entry) {
                           std::string name = entry.param;
                           for (char& c : name) {
                             if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
                           }
                           return name;
                         });

}  // namespace
}  // namespace rowbot::roster
