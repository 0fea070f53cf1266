#include <array>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <vector>

#include "engine/agents/mcs.h"
#include "engine/agents/mcts/agent.h"
#include "engine/agents/mcts/final_choice.h"
#include "engine/agents/mcts/search.h"
#include "engine/agents/mcts/shallow_proof.h"
#include "engine/agents/mcts/slow_mcts.h"
#include "engine/agents/mcts/uct.h"
#include "engine/agents/slow_negamax.h"
#include "game/moves_text.h"
#include "game/position_text.h"
#include "game/random_game.h"
#include "gtest/gtest.h"

namespace rowbot::agents::mcts {
namespace {

using namespace std::chrono_literals;
using game::Column;
using game::Position;

Position played(std::string_view moves) {
  const auto position = game::parse_moves(moves);
  EXPECT_TRUE(position.has_value());
  return position.value_or(Position());
}

Position unfinished_position(Rng& rng, int least_discs) {
  while (true) {
    const Position position = game::testing::random_position(rng);
    if (position.discs() >= least_discs && !position.outcome().finished()) return position;
  }
}

Decision decide(const Options& options, const Position& position, const Budget& budget) {
  MctsAgent agent(options);
  auto decision = agent.choose(position, budget, {});
  EXPECT_TRUE(decision.has_value());
  return *decision;
}

/// All moves but one are proven lost: there is nothing to decide and the search may end early.
bool has_one_choice(const Decision& decision) {
  int open = 0;
  for (const MoveEvidence& move : decision.moves) {
    open += move.proven && move.proven->value == Proven::Value::kLoss ? 0 : 1;
  }
  return open == 1;
}

struct PaperCase {
  const char* name;
  Options (*preset)();
};

void PrintTo(const PaperCase& paper, std::ostream* out) { *out << paper.name; }

class PaperSettings : public ::testing::TestWithParam<PaperCase> {};

TEST_P(PaperSettings, CountEveryVisitAsTheListingDoes) {
  Options options = GetParam().preset();
  options.batch = 1;
  Rng positions(5);
  for (const int discs : {0, 12, 24}) {
    const Position position = discs == 0 ? Position() : unfinished_position(positions, discs);
    constexpr int kSimulations = 3000;
    Search search(options, 1);
    search.begin(position);
    Rng rng(42);
    search.run(BudgetMeter({.simulations = kSimulations}, {}), rng);
    testing::SlowMcts slow(options, position, 42);
    for (int i = 0; i < kSimulations; ++i) slow.iterate();
    for (const RootMove& move : search.root_moves()) {
      const auto& child = slow.root().children.at(static_cast<std::size_t>(move.column.index()));
      ASSERT_NE(child, nullptr);
      EXPECT_EQ(static_cast<double>(move.visits), child->visits);
      if (options.rewards == Rewards::kHalf) {
        EXPECT_EQ(static_cast<double>(move.points) / 2, child->wins);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(OfThePapers, PaperSettings,
                         ::testing::Values(PaperCase{"carlo", carlo_preset},
                                           PaperCase{"boehm", boehm_preset},
                                           PaperCase{"dublin", dublin_preset},
                                           PaperCase{"plain", plain_preset}));

TEST(Uct, KnowsTheRootOfTheLogarithm) {
  const SqrtLog sqrt_log;
  for (std::uint32_t n = 1; n < 2'000'000'000; n += 1 + n / 7) {
    EXPECT_NEAR(sqrt_log(n), std::sqrt(std::log(n)), 2e-5 * std::sqrt(std::log(n)) + 1e-6) << n;
  }
}

TEST(Uct, ChoosesWhatTheFormulaOfThePapersMaximises) {
  const SqrtLog sqrt_log;
  Rng rng(6);
  for (int round = 0; round < 2000; ++round) {
    Block block{};
    std::uint32_t parent = 1;
    for (std::size_t i = 0; i < kMoves; ++i) {
      block.visits[i] = 1 + rng.below(1U << (1 + rng.below(20)));
      block.points[i] = rng.below(2 * block.visits[i] + 1);
      parent += block.visits[i];
    }
    const double c = 0.2 + rng.uniform() * 2;
    for (const bool signed_rewards : {false, true}) {
      const auto k = static_cast<float>((signed_rewards ? 1 : 2) * c) * sqrt_log(parent);
      const UctChoice choice = uct_choice(block.visits.data(), block.points.data(), k);
      EXPECT_EQ(choice.unvisited, 0U);
      ASSERT_NE(choice.best, 0U);
      const auto value = [&](std::size_t i) {
        const double half_rate = block.points[i] / (2.0 * block.visits[i]);
        const double mean = signed_rewards ? 2 * half_rate - 1 : half_rate;
        return mean + c * std::sqrt(std::log(parent) / block.visits[i]);
      };
      const double chosen = value(static_cast<std::size_t>(std::countr_zero(choice.best)));
      for (std::size_t i = 0; i < kMoves; ++i) EXPECT_LE(value(i), chosen + 1e-4);
    }
  }
}

TEST(Mcts, TakesTheCentreOfTheEmptyBoardWithEverySeed) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    EXPECT_EQ(decide({.seed = seed}, Position(), {.simulations = 20'000}).column, Column(3));
  }
}

TEST(Mcts, GivesTheSameMoveAndVisitsForTheSameSeedAndSimulations) {
  const Decision a = decide({.seed = 9}, played("4455"), {.simulations = 20'000});
  const Decision b = decide({.seed = 9}, played("4455"), {.simulations = 20'000});
  ASSERT_EQ(a.moves.size(), b.moves.size());
  for (std::size_t i = 0; i < a.moves.size(); ++i) EXPECT_EQ(a.moves[i].visits, b.moves[i].visits);
}

TEST(Mcts, MakesExactlyTheSimulationsItIsAllowed) {
  for (const std::uint64_t n : {1U, 63U, 64U, 65U, 1000U, 5001U}) {
    for (const int threads : {1, 2}) {
      const Decision decision = decide({.threads = threads}, Position(), {.simulations = n});
      EXPECT_EQ(decision.simulations, n);
      std::uint64_t visits = 0;
      for (const MoveEvidence& move : decision.moves) visits += *move.visits;
      EXPECT_EQ(visits, n);
    }
  }
}

TEST(Mcts, WaitsForTimeAndSimulationsWhenAskedTo) {
  const Decision decision = decide(
      {}, Position(), {.time = 30ms, .simulations = 30'000, .rule = Budget::Rule::kAllReached});
  EXPECT_GE(decision.elapsed, 30ms);
  EXPECT_GE(decision.simulations, 30'000U);
}

TEST(Mcts, EndsWhenItsMemoryIsFullIfThatIsTheOnlyLimit) {
  Options options = plain_preset();
  options.budget = {.memory_bytes = 100'000};
  MctsAgent agent(options);
  const auto decision = agent.choose(Position(), options.budget, {});
  ASSERT_TRUE(decision.has_value());
  EXPECT_LE(agent.tree_bytes(), 100'000U);
  EXPECT_GT(agent.tree_bytes(), 90'000U);
}

TEST(Mcts, SearchesOnWithFullMemoryWhileThereIsTime) {
  Options options = plain_preset();
  options.budget = {.simulations = 50'000, .memory_bytes = 10'000};
  MctsAgent agent(options);
  const auto decision = agent.choose(Position(), options.budget, {});
  ASSERT_TRUE(decision.has_value());
  EXPECT_EQ(decision->simulations, 50'000U);
  EXPECT_LE(agent.tree_bytes(), 10'000U);
}

TEST(Mcts, KeepsToTheMemoryOfOneMove) {
  MctsAgent agent(plain_preset());
  const auto decision =
      agent.choose(Position(), {.simulations = 50'000, .memory_bytes = 10'000}, {});
  ASSERT_TRUE(decision.has_value());
  EXPECT_EQ(decision->simulations, 50'000U);
  EXPECT_LE(agent.tree_bytes(), 10'000U);
  // The next move may be thought about with more.
  ASSERT_TRUE(agent.choose(Position(), {.simulations = 50'000}, {}).has_value());
  EXPECT_GT(agent.tree_bytes(), 100'000U);
}

TEST(Mcts, ProvesSmallEndgamesExactly) {
  Rng rng(3);
  int draws = 0;
  int losses = 0;
  for (int i = 0; i < 300; ++i) {
    const Position position = unfinished_position(rng, 31);
    const int exact = agents::testing::slow_value(position);
    const Decision decision = decide({}, position, {.simulations = 400'000});
    if (!decision.proven) {
      ASSERT_TRUE(has_one_choice(decision)) << game::board_text(position);
      continue;
    }
    const auto value = exact > 0   ? Proven::Value::kWin
                       : exact < 0 ? Proven::Value::kLoss
                                   : Proven::Value::kDraw;
    EXPECT_EQ(decision.proven->value, value);
    draws += exact == 0 ? 1 : 0;
    losses += exact < 0 ? 1 : 0;
    // The move keeps what was proven.
    const Position after = position.after(decision.column);
    const int kept =
        after.outcome().finished() && exact > 0 ? 1 : -agents::testing::slow_value(after);
    EXPECT_EQ(kept > 0, exact > 0);
    EXPECT_EQ(kept < 0, exact < 0);
    // A distance is what both sides can be held to: the winner needs no more plies.
    if (exact != 0) {
      EXPECT_GE(decision.proven->plies, 100 - std::abs(exact));
    }
  }
  EXPECT_GT(draws, 10);
  EXPECT_GT(losses, 10);
}

// The scene of Carlo 2020, Figure 7.3: yellow (o) is lost and must sooner or later open
// column 5 for red. It can still fill the corners first; its program gave up at once.
constexpr std::string_view kGivesUpScene =
    ".oxo.x."
    "/ooxx.xx"
    "/oxoo.xo"
    "/xoxxoox"
    "/oxooxxo"
    "/oxxxoox";

TEST(Mcts, OfTheThesisGivesUpInTheSceneOfItsFigure) {
  const auto scene = game::parse_board(kGivesUpScene);
  ASSERT_TRUE(scene.has_value()) << scene.error().message;
  EXPECT_EQ(decide(carlo_preset(), *scene, {.simulations = 31'500}).column, Column(4));
}

TEST(Mcts, DefendsAsLongAsItCanInThatScene) {
  const auto scene = game::parse_board(kGivesUpScene);
  ASSERT_TRUE(scene.has_value());
  const Decision decision = decide({}, *scene, {.simulations = 31'500});
  EXPECT_NE(decision.column, Column(4));
  ASSERT_TRUE(decision.proven.has_value());
  EXPECT_EQ(*decision.proven, (Proven{.value = Proven::Value::kLoss, .plies = 4}));
}

TEST(Mcts, NeverShortensALossThatItHasProven) {
  Rng rng(15);
  solver::Solver solver({.table_mb = 4});
  int proven = 0;
  int shortened = 0;
  while (proven < 300) {
    const Position position = unfinished_position(rng, 24);
    const auto scores = solver.column_scores(position);
    ASSERT_TRUE(scores.has_value());
    const auto best = *std::max_element(scores->scores.begin(), scores->scores.end());
    if (best->value() >= 0) continue;
    const Decision decision = decide({}, position, {.simulations = 20'000});
    if (!decision.proven || decision.proven->value != Proven::Value::kLoss) continue;
    ++proven;
    if (scores->scores[static_cast<std::size_t>(decision.column.index())] < best) ++shortened;
  }
  EXPECT_EQ(shortened, 0);
}

TEST(Mcts, LooksAheadCorrectly) {
  Rng rng(4);
  for (int i = 0; i < 300; ++i) {
    const Position position = unfinished_position(rng, 31);
    const int exact = agents::testing::slow_value(position);
    for (const int plies : {2, 4, 6}) {
      const Proof proof = look(position.mover(), position.filled(), plies);
      if (proof.is_win()) {
        EXPECT_EQ(100 - exact, proof.plies());
      } else if (proof.is_loss()) {
        EXPECT_EQ(100 + exact, proof.plies());
      } else if (exact != 0) {
        EXPECT_GT(100 - std::abs(exact), plies);
      }
    }
  }
}

TEST(Mcts, KeepsItsTreeFromMoveToMove) {
  const Options options{.keep_tree = true};
  MctsAgent agent(options);
  Position position;
  const auto first = agent.choose(position, {.simulations = 20'000}, {});
  ASSERT_TRUE(first.has_value());
  position = position.after(first->column);
  position = position.after(Column(3));
  const auto second = agent.choose(position, {.simulations = 100}, {});
  ASSERT_TRUE(second.has_value());
  std::uint64_t visits = 0;
  for (const MoveEvidence& move : second->moves) visits += *move.visits;
  EXPECT_GT(visits, 1000U) << "more than the hundred it was allowed now";
  // Another game: nothing to keep.
  const auto third = agent.choose(played("1726"), {.simulations = 100}, {});
  visits = 0;
  for (const MoveEvidence& move : third->moves) visits += *move.visits;
  EXPECT_LE(visits, 100U);
}

TEST(Mcts, FindsTheSameWithATreeForEachThread) {
  const Decision decision =
      decide({.threads = 3, .sharing = Sharing::kRoot}, Position(), {.simulations = 30'001});
  EXPECT_EQ(decision.simulations, 30'001U);
  EXPECT_EQ(decision.column, Column(3));
}

TEST(Mcts, ProvesEndgamesWithSeveralThreadsInOneTree) {
  Rng rng(8);
  int proven = 0;
  for (int i = 0; i < 20; ++i) {
    const Position position = unfinished_position(rng, 30);
    const int exact = agents::testing::slow_value(position);
    const Decision decision =
        decide({.batch = 4, .threads = 4}, position, {.simulations = 1'000'000});
    if (!decision.proven) {
      ASSERT_TRUE(has_one_choice(decision));
      continue;
    }
    ++proven;
    EXPECT_EQ(decision.proven->value == Proven::Value::kWin, exact > 0);
    EXPECT_EQ(decision.proven->value == Proven::Value::kLoss, exact < 0);
  }
  EXPECT_GT(proven, 10);
}

TEST(Mcts, PlaysWhatTheSolverHasSolved) {
  // A position of the classic begin-medium set: lost, and column 6 alone holds out longest.
  const Decision decision = decide(hybrid_preset(), played("335662333565"), {.simulations = 1000});
  ASSERT_TRUE(decision.proven.has_value());
  EXPECT_EQ(decision.proven->value, Proven::Value::kLoss);
  EXPECT_EQ(decision.column, Column(5));
}

TEST(Mcts, BoundsByThreatsAndParityAreTrue) {
  Rng rng(21);
  solver::Solver solver({.table_mb = 4});
  int lost = 0;
  int not_won = 0;
  for (int i = 0; i < 12'000; ++i) {
    const Position position = unfinished_position(rng, 22);
    if (position.winning_moves() != 0) continue;
    const int most = most_points(position.mover(), position.filled());
    if (most == 2) continue;
    const auto solution = solver.score(position, {.weak = true});
    ASSERT_TRUE(solution.has_value());
    const int value = solution->score.value();
    EXPECT_LE(value > 0 ? 2 : value == 0 ? 1 : 0, most) << game::board_text(position);
    (most == 0 ? lost : not_won) += 1;
  }
  EXPECT_GT(lost, 100);
  EXPECT_GT(not_won, 20);
}

TEST(Mcts, ProvesLeavesByTheSolver) {
  // With the solver at the leaves far fewer simulations prove an endgame, and prove the truth.
  Rng rng(12);
  std::uint64_t with = 0;
  std::uint64_t without = 0;
  for (int i = 0; i < 20; ++i) {
    const Position position = unfinished_position(rng, 26);
    const Decision helped = decide({.leaf_solver_nodes = 1000}, position, {.simulations = 200'000});
    const Decision alone = decide({}, position, {.simulations = 200'000});
    with += helped.simulations;
    without += alone.simulations;
    if (helped.proven && alone.proven) {
      EXPECT_EQ(helped.proven->value, alone.proven->value) << game::board_text(position);
    }
  }
  EXPECT_LT(with, without);
}

/// Half points of the first agent in a game between two.
int played_out(Agent& first, Agent& second, std::uint64_t seed) {
  first.start_game(seed);
  second.start_game(seed + 1);
  Position position;
  while (!position.outcome().finished()) {
    Agent& mover = position.to_move() == game::Side::kFirst ? first : second;
    position = position.after(mover.choose(position, mover.budget(), {})->column);
  }
  const auto result = position.outcome().result;
  return result == game::GameResult::kFirstWins ? 2 : result == game::GameResult::kDraw ? 1 : 0;
}

TEST(Mcts, BeatsMonteCarloSearchOnEitherSide) {
  // Carlo 2020, Figure 7.1, in small, with equal simulations instead of equal time.
  const Budget budget{.simulations = 3000};
  Options options = carlo_preset();
  options.budget = budget;
  MctsAgent mcts(options);
  McsAgent mcs({.budget = budget});
  int as_first = 0;
  int as_second = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    as_first += played_out(mcts, mcs, seed);
    as_second += 2 - played_out(mcs, mcts, seed);
  }
  EXPECT_GE(as_first, 15);
  EXPECT_GE(as_second, 15);
}

RootMove move_with(int column, std::uint64_t visits, std::uint64_t points, Proof proof = {}) {
  return {.column = Column(column), .visits = visits, .points = points, .proof = proof};
}

TEST(FinalChoice, OffersTheFiveChoicesOfTheLiterature) {
  //                            visits, half points: means .80, .70, .75, .60
  const std::array moves{move_with(0, 10, 16), move_with(1, 100, 140), move_with(2, 90, 135),
                         move_with(3, 120, 144)};
  EXPECT_EQ(final_move(moves, Final::kMean, 0), Column(0));
  EXPECT_EQ(final_move(moves, Final::kMax, 0), Column(3));
  EXPECT_EQ(final_move(moves, Final::kRobust, 0), Column(3));
  EXPECT_EQ(final_move(moves, Final::kSecure, 0.5), Column(2));  // .75 - .5 / sqrt 90
  EXPECT_FALSE(mix_is_settled(moves));
  EXPECT_TRUE(mix_is_settled(std::array{move_with(0, 10, 11), move_with(1, 20, 24)}));
}

TEST(FinalChoice, PutsFactsBeforeStatistics) {
  const auto win5 = Proof::in_plies(5);
  const auto win3 = Proof::in_plies(3);
  const auto loss2 = Proof::in_plies(2);
  const auto loss8 = Proof::in_plies(8);
  EXPECT_EQ(final_move(std::array{move_with(0, 99, 150), move_with(1, 3, 1, win5),
                                  move_with(2, 1, 0, win3)},
                       Final::kRobust, 0),
            Column(2));
  EXPECT_EQ(
      final_move(std::array{move_with(0, 99, 150, loss8), move_with(1, 3, 1)}, Final::kRobust, 0),
      Column(1));
  EXPECT_EQ(final_move(std::array{move_with(0, 99, 150, loss2), move_with(1, 3, 1, loss8)},
                       Final::kRobust, 0),
            Column(1));
  EXPECT_EQ(final_move(std::array{move_with(0, 99, 60), move_with(1, 3, 3, Proof::draw())},
                       Final::kRobust, 0),
            Column(1));
}

TEST(FinalChoice, MixUsesTheRestOfTheBudgetOnlyWhileTheBestTwoDiffer) {
  Options options = plain_preset();
  options.final_choice = Final::kMix;
  const Decision decision = decide(options, Position(), {.simulations = 10'000});
  EXPECT_GE(decision.simulations, 8'000U);
  EXPECT_LE(decision.simulations, 10'000U);
}

}  // namespace
}  // namespace rowbot::agents::mcts
