#include "engine/learn/q_agent.h"

#include "base/temporary_folder.h"
#include "engine/learn/q_mcts_agent.h"
#include "game/moves_text.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace rowbot::learn {
namespace {

using game::Column;
using game::Position;
using ::testing::HasSubstr;

using Access = Experience::Access;

Position played(std::string_view moves) { return *game::parse_moves(moves); }

/// An experience file in which one action has one value after one position.
void write_lesson(const std::string& path, const Position& position, Column column, double value,
                  int visits, bool mirror = false) {
  auto experience = Experience::open(path, Access::kTrain, mirror);
  ASSERT_TRUE(experience) << experience.error().message;
  const State state = experience->state_of(position);
  for (int i = 0; i < visits; ++i) {
    experience->learn(state, state.action(column), [value](double) { return value; });
  }
  ASSERT_TRUE(experience->save());
}

Column move_of(agents::Agent& agent, const Position& position) {
  return agent.choose(position, agent.budget(), {})->column;
}

TEST(QAgent, PlaysWhatItHasLearned) {
  const TemporaryFolder folder;
  write_lesson(folder.file("q.db"), played("44"), Column(1), 60, 3);
  auto agent = QAgent::make({.learner = {.epsilon = 0}, .experience = folder.file("q.db")});
  ASSERT_TRUE(agent) << agent.error().message;
  const auto decision = (*agent)->choose(played("44"), {}, {});
  EXPECT_EQ(decision->column, Column(1));
  ASSERT_EQ(decision->moves.size(), 1U) << "evidence only where something was learned";
  EXPECT_DOUBLE_EQ(*decision->moves[0].value, 0.6);
  EXPECT_EQ(decision->moves[0].visits, 3U);
}

TEST(QAgent, KnowsTheMirrorImageOfWhatItHasLearned) {
  const TemporaryFolder folder;
  write_lesson(folder.file("q.db"), played("441"), Column(1), 60, 1, true);
  auto agent = QAgent::make({.learner = {.epsilon = 0}, .experience = folder.file("q.db")});
  EXPECT_EQ(move_of(**agent, played("447")), Column(5));
}

TEST(QAgent, LeavesTheFileAloneUnlessItLearns) {
  const TemporaryFolder folder;
  write_lesson(folder.file("q.db"), played("44"), Column(1), 60, 1);
  for (const bool learn : {false, true}) {
    {
      auto agent = QAgent::make({.learner = {.alpha = 0.5, .epsilon = 0},
                                 .experience = folder.file("q.db"),
                                 .learn = learn});
      ASSERT_TRUE(agent) << agent.error().message;
      (*agent)->start_game(1);
      EXPECT_EQ(move_of(**agent, played("44")), Column(1));
      EXPECT_TRUE((*agent)->end_game(played("442121212")));  // four in column 2
    }
    auto experience = Experience::open(folder.file("q.db"), Access::kTrain);
    EXPECT_EQ(experience->episodes(), learn ? 1U : 0U);
    const auto values = experience->look_up(experience->state_of(played("44")));
    EXPECT_EQ((*values)->value[1], learn ? 80 : 60);
  }
}

TEST(QAgent, LearnsNothingFromAGameThatWasTakenBackOrLeft) {
  const TemporaryFolder folder;
  write_lesson(folder.file("q.db"), played("44"), Column(1), 60, 1);
  {
    auto agent = QAgent::make(
        {.learner = {.alpha = 1, .epsilon = 0}, .experience = folder.file("q.db"), .learn = true});
    (*agent)->start_game(1);
    EXPECT_EQ(move_of(**agent, played("44")), Column(1));
    EXPECT_EQ(move_of(**agent, played("44")), Column(1)) << "asked again after an undo";
    EXPECT_TRUE((*agent)->end_game(played("4423")));
  }
  auto experience = Experience::open(folder.file("q.db"), Access::kTrain);
  EXPECT_EQ(experience->episodes(), 0U);
  EXPECT_EQ((*experience->look_up(experience->state_of(played("44"))))->value[1], 60);
}

TEST(QAgent, SaysWhatIsMissing) {
  const auto none = QAgent::make({.experience = "/no/such/file.db"});
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().message, HasSubstr("there is no experience /no/such/file.db"));
  EXPECT_FALSE(QAgent::make({.learner = {.alpha = 7}}));
}

TEST(QMcts, BeginsWithWhatIsKnown) {
  const TemporaryFolder folder;
  write_lesson(folder.file("q.db"), Position(), Column(0), 100, 1000);
  QMctsOptions options{.experience = folder.file("q.db"), .most_visits = 40};
  options.search.budget = {.simulations = 1};
  auto agent = QMctsAgent::make(options);
  ASSERT_TRUE(agent) << agent.error().message;
  const auto decision = (*agent)->choose(Position(), (*agent)->budget(), {});
  EXPECT_EQ(decision->column, Column(0));
  EXPECT_GE(*decision->moves[0].visits, 40U);
  EXPECT_LE(*decision->moves[0].visits, 41U);
}

TEST(QMcts, OverrulesAWrongLessonGivenTime) {
  const TemporaryFolder folder;
  // Nothing but column 4 stops the second player's three in the centre.
  const Position position = played("141424");
  write_lesson(folder.file("q.db"), position, Column(6), 100, 1000);
  QMctsOptions options{.experience = folder.file("q.db")};
  auto agent = QMctsAgent::make(options);
  ASSERT_TRUE(agent);
  EXPECT_EQ((*agent)->choose(position, {.simulations = 2000}, {})->column, Column(3));
}

TEST(QMcts, IsPlainSearchWhereNothingIsKnown) {
  const TemporaryFolder folder;
  write_lesson(folder.file("q.db"), played("7777"), Column(0), 100, 10);
  QMctsOptions options{.experience = folder.file("q.db")};
  options.search.budget = {.simulations = 3000};
  auto with = QMctsAgent::make(options);
  agents::mcts::MctsAgent without(options.search);
  for (const char* moves : {"", "44", "1234567"}) {
    (*with)->start_game(3);
    without.start_game(3);
    const auto a = (*with)->choose(played(moves), options.search.budget, {});
    const auto b = without.choose(played(moves), options.search.budget, {});
    EXPECT_EQ(a->column, b->column);
    ASSERT_EQ(a->moves.size(), b->moves.size());
    for (std::size_t i = 0; i < a->moves.size(); ++i) {
      EXPECT_EQ(a->moves[i].visits, b->moves[i].visits);
    }
  }
}

TEST(QMcts, PlaysToTheEndWithAPriorOnEveryMove) {
  // A prior over whole games, the last square included: with and without proofs, in one thread or
  // two.
  struct Everything final : agents::mcts::Prior {
    [[nodiscard]] std::optional<Counts> look(game::Bits, game::Bits) const override {
      Counts counts;
      counts.visits.fill(3);
      counts.points.fill(2);
      return counts;
    }
  };
  const Everything prior;
  for (const bool proofs : {false, true}) {
    for (const int threads : {1, 2}) {
      agents::mcts::Options options{.proofs = proofs, .threads = threads, .prior = &prior};
      agents::mcts::MctsAgent agent(options);
      Position position = played("12121221212134343443434356565665");
      while (!position.outcome().finished()) {
        const auto decision = agent.choose(position, {.simulations = 500}, {});
        ASSERT_TRUE(position.can_play(decision->column));
        position = position.after(decision->column);
      }
    }
  }
}

}  // namespace
}  // namespace rowbot::learn
