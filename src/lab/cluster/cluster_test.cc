#include <string>
#include <vector>

#include "base/rng.h"
#include "engine/agents/lookahead/minimax.h"
#include "game/random_game.h"
#include "gtest/gtest.h"
#include "lab/cluster/child.h"
#include "lab/cluster/parent.h"

namespace rowbot::cluster {
namespace {

using agents::lookahead::rhodes_move_value;
using game::Column;
using game::Position;

std::string reply(Child& child, std::string_view line) {
  const auto step = child.receive(line);
  EXPECT_TRUE(step) << line;
  return step && step->reply ? *step->reply : "";
}

TEST(Child, FollowsThePaperWhenTheComputerBegins) {
  Child child(4);
  Position position;
  EXPECT_EQ(reply(child, "y"), "");
  EXPECT_EQ(reply(child, "3"), std::to_string(rhodes_move_value(position, Column(3), 4)));
  EXPECT_EQ(reply(child, "2"), "");  // another child's move was selected
  EXPECT_EQ(reply(child, "y"), "");
  EXPECT_EQ(reply(child, "3"), "");
  position = position.after(Column(2)).after(Column(3));
  EXPECT_EQ(reply(child, "3"), std::to_string(rhodes_move_value(position, Column(3), 4)));
  EXPECT_EQ(reply(child, "3"), "");
  const auto end = child.receive("n");
  ASSERT_TRUE(end);
  EXPECT_TRUE(end->finished);
  EXPECT_FALSE(child.receive("3"));
}

TEST(Child, HearsTheFirstMoveOfAnOpponentWhoBegins) {
  for (const char* who : {"n", "No, they do"}) {
    Child child(2);
    EXPECT_EQ(reply(child, who), "");
    EXPECT_EQ(reply(child, "6"), "");
    EXPECT_EQ(reply(child, "0"),
              std::to_string(rhodes_move_value(Position().after(Column(6)), Column(0), 2)));
  }
}

TEST(Child, RefusesWhatIsNoMove) {
  for (const char* line : {"", "7", "-1", "33", "x", " "}) {
    Child child(2);
    (void)reply(child, "y");
    EXPECT_FALSE(child.receive(line)) << line;
  }
  Child child(2);
  (void)reply(child, "n");
  (void)reply(child, "0");
  for (int i = 0; i < 2; ++i) {
    (void)reply(child, "1");
    (void)reply(child, "0");
    (void)reply(child, "y");
    (void)reply(child, "0");
  }
  (void)reply(child, "1");
  (void)reply(child, "0");
  (void)reply(child, "y");
  EXPECT_FALSE(child.receive("0"));  // the seventh disc in column 0
}

TEST(ProtocolValue, IsASignedIntegerAndNothingElse) {
  EXPECT_EQ(*parse_protocol_value("-120"), -120);
  EXPECT_EQ(*parse_protocol_value("7\r"), 7);
  for (const char* line : {"", "-", "1e3", "99999999999999999999", "4 5", "nan"}) {
    EXPECT_FALSE(parse_protocol_value(line)) << line;
  }
}

/// The move the paper's rule gives when all values are right.
Column expected_move(const Position& position, int depth) {
  std::optional<std::pair<int, Column>> best;
  for (const Column c : game::kAllColumns) {
    if (!position.can_play(c)) continue;
    const int value = rhodes_move_value(position, c, depth);
    const auto far = [](Column x) { return std::abs(x.index() - 3); };
    if (!best || value > best->first || (value == best->first && far(c) < far(best->second))) {
      best.emplace(value, c);
    }
  }
  return best->second;
}

TEST(Parent, PlaysTheWholeGameWhateverItsChildrenDo) {
  // Gone at once, never there, silent, endless bytes, endless lines, one huge line, a wrong word.
  const std::vector<std::string> commands{
      "exit 3", "/no/such/program",         "sleep 1000",     "cat /dev/urandom",
      "yes 5",  "head -c 300000 /dev/zero", "echo hello; cat"};
  for (const bool computer_first : {true, false}) {
    std::vector<std::string> reports;
    auto parent =
        Parent::start({.commands = commands,
                       .computer_first = computer_first,
                       .patience = std::chrono::milliseconds(60),
                       .depth = 2,
                       .report = [&reports](const std::string& text) { reports.push_back(text); }});
    ASSERT_TRUE(parent);
    Rng rng(4);
    bool computers_turn = computer_first;
    while (!parent->position().outcome().finished()) {
      if (computers_turn) {
        const Position before = parent->position();
        const Column played = parent->choose();
        EXPECT_TRUE(before.can_play(played));
      } else {
        parent->opponent_plays(game::testing::random_move(parent->position(), rng));
      }
      computers_turn = !computers_turn;
    }
    EXPECT_FALSE(reports.empty());
    EXPECT_GE(parent->orphans(), 5);
  }
}

TEST(Parent, ThinksForOrphansAsTheyWouldHave) {
  auto parent = Parent::start(
      {.commands = {"exit 1"}, .patience = std::chrono::milliseconds(5'000), .depth = 3});
  ASSERT_TRUE(parent);
  Rng rng(2);
  for (int i = 0; i < 4 && !parent->position().outcome().finished(); ++i) {
    const Position before = parent->position();
    EXPECT_EQ(parent->choose(), expected_move(before, 3));
    if (parent->position().outcome().finished()) break;
    parent->opponent_plays(game::testing::random_move(parent->position(), rng));
  }
  EXPECT_EQ(parent->orphans(), 7);
  EXPECT_FALSE(Parent::start({}));
}

}  // namespace
}  // namespace rowbot::cluster
