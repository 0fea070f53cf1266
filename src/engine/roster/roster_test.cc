#include "engine/roster/roster.h"

#include <chrono>
#include <set>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace rowbot::roster {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

std::string refusal(std::string_view text) {
  const auto made = make_agent(text);
  return made ? "accepted" : made.error().message;
}

TEST(Roster, MakesEveryAgentItLists) {
  for (const AgentInfo& info : list_agents()) {
    const auto made = make_agent(info.name);
    EXPECT_TRUE(made.has_value()) << info.name << ": " << made.error().message;
    EXPECT_FALSE(info.help.empty()) << info.name;
  }
}

TEST(Roster, EveryOptionAcceptsItsOwnDefault) {
  for (const AgentInfo& info : list_agents()) {
    std::set<std::string> seen;
    for (const OptionInfo& option : info.options) {
      EXPECT_TRUE(seen.insert(option.name).second) << info.name << " lists " << option.name;
      EXPECT_FALSE(option.help.empty()) << info.name << ":" << option.name;
      if (option.default_value.empty()) continue;
      EXPECT_EQ(refusal(info.name + ":" + option.name + "=" + option.default_value), "accepted");
    }
  }
}

TEST(Roster, SuggestsTheNearestNameAndOption) {
  EXPECT_THAT(refusal("randm"), HasSubstr("did you mean 'random'?"));
  EXPECT_THAT(refusal("random:sed=3"), HasSubstr("did you mean 'seed'?"));
  EXPECT_THAT(refusal("xyzzyx"), HasSubstr("there are random, forward"));
}

TEST(Roster, SaysWhatIsWrongWithAValue) {
  EXPECT_THAT(refusal("random:seed=many"), HasSubstr("agent 'random': option 'seed': 'many'"));
  EXPECT_THAT(refusal("random:seed=1,seed=2"), HasSubstr("given twice"));
  EXPECT_THAT(refusal("random:seed"), HasSubstr("key=value"));
  EXPECT_THAT(refusal("random:"), HasSubstr("key=value"));
  EXPECT_THAT(refusal(""), HasSubstr("no agent name"));
  EXPECT_THAT(refusal(":seed=1"), HasSubstr("no agent name"));
}

TEST(Roster, FindsTheSeedInAText) {
  EXPECT_EQ(parse_agent_text("random:seed=7")->seed(), 7U);
  EXPECT_EQ(parse_agent_text("random")->seed(), std::nullopt);
}

enum class Colour { kRed, kYellow };

struct Sample {
  std::uint64_t count = 3;
  int depth = 4;
  double c = 1.5;
  bool keep = false;
  std::optional<std::chrono::nanoseconds> time = 100ms;
  std::optional<std::uint64_t> memory;
  Colour colour = Colour::kRed;
  std::string path;
};

OptionTable table_of(Sample& s) {
  static constexpr std::array<OptionTable::Name<Colour>, 2> kColours{
      {{"red", Colour::kRed}, {"yellow", Colour::kYellow}}};
  OptionTable table;
  table.count("count", s.count, "a count");
  table.integer("depth", s.depth, 1, 42, "plies");
  table.number("c", s.c, 0, 10, "exploration");
  table.toggle("keep", s.keep, "keep it");
  table.time("time", s.time, "thinking time");
  table.bytes("memory", s.memory, "memory");
  table.choice<Colour>("colour", s.colour, kColours, "a colour");
  table.text("path", s.path, "a file");
  table.preset("preset",
               {{"quick",
                 [&s] {
                   s.time = 1ms;
                   s.depth = 1;
                 }}},
               "a bundle");
  return table;
}

TEST(OptionTable, SetsEveryKindOfField) {
  Sample s;
  const std::array<OptionValue, 8> values{{{"count", "10k"},
                                           {"depth", "7"},
                                           {"c", "0.25"},
                                           {"keep", "on"},
                                           {"time", "1.5s"},
                                           {"memory", "64MB"},
                                           {"colour", "yellow"},
                                           {"path", "a b"}}};
  const auto assigned = table_of(s).assign(values);
  ASSERT_TRUE(assigned.has_value()) << assigned.error().message;
  EXPECT_EQ(s.count, 10'000U);
  EXPECT_EQ(s.depth, 7);
  EXPECT_DOUBLE_EQ(s.c, 0.25);
  EXPECT_TRUE(s.keep);
  EXPECT_EQ(s.time, 1500ms);
  EXPECT_EQ(s.memory, 64U << 20);
  EXPECT_EQ(s.colour, Colour::kYellow);
  EXPECT_EQ(s.path, "a b");
}

TEST(Roster, TheOrderOfPresetAndLevelDoesNotMatter) {
  const auto one = make_agent("mcts:level=easy,preset=carlo");
  const auto other = make_agent("mcts:preset=carlo,level=easy");
  ASSERT_TRUE(one && other);
  EXPECT_EQ((*one)->budget(), (*other)->budget());
  EXPECT_EQ((*one)->budget().simulations, 175U);
}

TEST(Roster, ALimitThatIsNamedIsTheOnlyOne) {
  const auto by_default = make_agent("mcts");
  const auto sims = make_agent("mcts:sims=100000");
  const auto time = make_agent("mcts:preset=boehm,time=50ms");
  const auto both = make_agent("mcts:sims=1000,time=50ms");
  const auto level = make_agent("mcts:level=easy,sims=500");
  ASSERT_TRUE(by_default && sims && time && both && level);
  EXPECT_TRUE((*by_default)->budget().time.has_value());
  EXPECT_EQ((*sims)->budget(), (agents::Budget{.simulations = 100'000}));
  EXPECT_EQ((*make_agent("q-mcts:sims=9"))->budget(), (agents::Budget{.simulations = 9}));
  EXPECT_EQ((*time)->budget(), (agents::Budget{.time = 50ms}));
  EXPECT_TRUE((*both)->budget().time && (*both)->budget().simulations);
  EXPECT_EQ((*level)->budget().simulations, 500U);
  EXPECT_EQ((*level)->budget().time, 15ms);  // at least so many and at least so long
}

TEST(OptionTable, AppliesAPresetBeforeTheOptionsThatRefineIt) {
  Sample s;
  const std::array<OptionValue, 2> values{{{"depth", "9"}, {"preset", "quick"}}};
  ASSERT_TRUE(table_of(s).assign(values).has_value());
  EXPECT_EQ(s.depth, 9);
  EXPECT_EQ(s.time, 1ms);
}

TEST(OptionTable, RefusesValuesOutOfRangeInWords) {
  const auto message = [](std::string_view key, std::string_view value) {
    Sample s;
    const std::array<OptionValue, 1> values{{{key, value}}};
    const auto assigned = table_of(s).assign(values);
    return assigned ? std::string("accepted") : assigned.error().message;
  };
  EXPECT_THAT(message("depth", "43"), HasSubstr("from 1 to 42"));
  EXPECT_THAT(message("depth", "99999999999"), HasSubstr("from 1 to 42"));
  EXPECT_THAT(message("c", "-1"), HasSubstr("from 0 to 10"));
  EXPECT_THAT(message("colour", "green"), HasSubstr("'green' is not one of red, yellow"));
  EXPECT_THAT(message("preset", "slow"), HasSubstr("not one of quick"));
  EXPECT_THAT(message("time", "100"), HasSubstr("with its unit"));
}

}  // namespace
}  // namespace rowbot::roster
