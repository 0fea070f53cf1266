#include <algorithm>
#include <chrono>
#include <set>
#include <string>
#include <vector>

#include "base/rng.h"
#include "base/text.h"
#include "engine/roster/agent_spec.h"
#include "engine/roster/levels.h"
#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace rowbot::roster {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

std::string refusal(std::string_view text) {
  const auto made = make_agent(text, {});
  return made ? "accepted" : made.error().message;
}

TEST(Roster, MakesEveryAgentItLists) {
  for (const AgentInfo& info : list_agents()) {
    const auto made = make_agent(info.name, {});
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

TEST(AgentSpec, FindsTheSeedInAText) {
  EXPECT_EQ("random:seed=7k"_agent.seed(), 7'000U);
  EXPECT_EQ("random"_agent.seed(), std::nullopt);
}

TEST(AgentSpec, HasOneTextForAllSpellings) {
  const auto text = [](std::string_view written) { return AgentSpec::known(written).text(); };
  EXPECT_EQ(text(" mcts : sims = 10k , c=0.50,preset=carlo "),
            "mcts:preset=carlo,sims=10000,c=0.5");
  EXPECT_EQ(text("mcts:time=1000ms,memory=1024MB,keep=yes"), "mcts:time=1s,memory=1GB,keep=on");
  EXPECT_EQ(text("mcts:time=1.5ms"), "mcts:time=1500us");
  EXPECT_EQ(text("mcts"), "mcts");
  EXPECT_EQ("mcts:seed=1,sims=5"_agent, "mcts:sims=5,seed=1"_agent);
}

TEST(AgentSpec, SaysALevelAsTheLimitsItStandsFor) {
  const auto text = [](std::string_view written) { return AgentSpec::known(written).text(); };
  EXPECT_EQ(text("mcts:level=beginner1"), "mcts:sims=10,blunders=0.5");
  EXPECT_EQ(text("mcts:level=beginner-1"), text("mcts:level=beginner1"));
  EXPECT_EQ(text("mcts:preset=carlo,level=pi-easy"), "mcts:preset=carlo,sims=175");
  EXPECT_EQ(text("mcts:level=hard"), "mcts:time=1500ms,sims=31500,until=all");
  EXPECT_EQ(text("q-mcts:level=table3,seed=2"), "q-mcts:time=5s,seed=2");
  EXPECT_EQ(text("mcts:level=beginner2,blunders=0.1"), "mcts:sims=30,blunders=0.1");
  EXPECT_EQ(text("mcts:level=pi-easy,time=50ms"), "mcts:time=50ms");
  EXPECT_EQ(text("mcts:level=easy,sims=500"), "mcts:time=15ms,sims=500,until=all");
  EXPECT_EQ(text("mcts:level=easy,sims=500,until=first"), "mcts:sims=500,until=first");
  EXPECT_EQ(text("easy"), "mcts:preset=carlo,sims=175") << "a level is an agent, too";
  EXPECT_THAT(refusal("mcts:level=godlike"), HasSubstr("'godlike' is not one of beginner-1, "));
  EXPECT_THAT(refusal("mcts:level=perfect"), HasSubstr("not one of"));
  EXPECT_THAT(refusal("mcts:level=easy,level=hard"), HasSubstr("given twice"));
  EXPECT_THAT(refusal("random:level=easy"), HasSubstr("there is no option 'level'"));
}

/// Texts that an option may have, from what its description says.
std::vector<std::string> values_of(const OptionInfo& option, Rng& rng) {
  const auto any = [&rng](std::uint32_t below) { return rng.below(below); };
  if (option.values == "count") return {"0", "7", "10k", "2M", fmt::format("{}", rng())};
  if (option.values == "time")
    return {"1ns", "250us", "1.5s", "2min", fmt::format("{}ms", any(9999))};
  if (option.values == "size")
    return {"64MB", "1GB", "512kB", "1B", fmt::format("{}", any(1U << 30))};
  if (option.values == "text") return {"", "a b", "/tmp/x.db"};
  std::vector<std::string> values;
  if (const auto dots = option.values.find(".."); dots != std::string::npos) {
    const double low = *parse_number(option.values.substr(0, dots));
    const double high = *parse_number(option.values.substr(dots + 2));
    values = {option.values.substr(0, dots), option.values.substr(dots + 2), option.default_value};
    if (option.default_value.find('.') == std::string::npos) return values;  // a whole number
    for (int i = 0; i < 5; ++i)
      values.push_back(fmt::format("{}", low + rng.uniform() * (high - low)));
    return values;
  }
  for (const std::string_view word : split(option.values, '|')) values.emplace_back(word);
  return values;
}

void expect_round_trip(const std::string& text) {
  const auto spec = AgentSpec::parse(text);
  ASSERT_TRUE(spec) << text << ": " << spec.error().message;
  const auto again = AgentSpec::parse(spec->text());
  ASSERT_TRUE(again) << text << " -> " << spec->text() << ": " << again.error().message;
  EXPECT_EQ(*again, *spec) << text;
  EXPECT_TRUE(std::ranges::equal(again->options(), spec->options())) << text;
  EXPECT_EQ(again->budget(), spec->budget()) << text;
}

TEST(AgentSpec, ReadsEveryOptionOfEveryAgentBackAsItPrintsIt) {
  Rng rng(17);
  for (const AgentInfo& info : list_agents()) {
    expect_round_trip(info.name);
    for (int i = 0; i < 30; ++i) {
      std::string text = info.name;
      for (const OptionInfo& option : info.options) {
        const auto values = values_of(option, rng);
        for (const std::string& value : values) {
          if (i == 0) expect_round_trip(info.name + ":" + option.name + "=" + value);
        }
        if (rng.below(4) != 0) continue;
        text += (text == info.name ? ":" : ",") + option.name + "=" +
                values[rng.below(static_cast<std::uint32_t>(values.size()))];
      }
      expect_round_trip(text);
    }
  }
}

TEST(AgentSpec, IsMadeOfAFunctionForAgentsThatAreNotInTheRoster) {
  const AgentSpec spec("mine", [](const Resources& resources) -> AgentSpec::Made {
    return resources.threads == 3 ? make_agent("random", resources) : Error{"too few threads"};
  });
  EXPECT_EQ(spec.text(), "mine");
  EXPECT_TRUE(spec.make({.threads = 3}));
  EXPECT_THAT(spec.make({}).error().message, HasSubstr("agent 'mine': too few threads"));
}

TEST(Levels, AreAgentsWithNamesOfTheirOwn) {
  std::set<std::string_view> names;
  for (const Level& level : levels()) {
    EXPECT_TRUE(names.insert(level.name).second) << level.name;
    EXPECT_EQ(level.agent().text(), level.text) << "canonical";
    EXPECT_EQ(find_level(level.name)->title, level.title);
  }
  EXPECT_EQ(find_level("godlike"), nullptr);
  EXPECT_EQ(visitor_levels().back().name, "perfect");
  EXPECT_EQ(rocker_levels().front().name, "table-1");
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
  const auto one = AgentSpec::parse("mcts:level=easy,preset=carlo");
  const auto other = AgentSpec::parse("mcts:preset=carlo,level=easy");
  ASSERT_TRUE(one && other);
  EXPECT_EQ(one->budget(), other->budget());
  EXPECT_EQ(one->budget().simulations, 175U);
}

TEST(Roster, ALimitThatIsNamedIsTheOnlyOne) {
  const auto by_default = AgentSpec::parse("mcts");
  const auto sims = AgentSpec::parse("mcts:sims=100000");
  const auto time = AgentSpec::parse("mcts:preset=boehm,time=50ms");
  const auto both = AgentSpec::parse("mcts:sims=1000,time=50ms");
  const auto level = AgentSpec::parse("mcts:level=easy,sims=500");
  ASSERT_TRUE(by_default && sims && time && both && level);
  EXPECT_TRUE(by_default->budget().time.has_value());
  EXPECT_EQ(sims->budget(), (agents::Budget{.simulations = 100'000}));
  EXPECT_EQ(AgentSpec::parse("q-mcts:sims=9")->budget(), (agents::Budget{.simulations = 9}));
  EXPECT_EQ(time->budget(), (agents::Budget{.time = 50ms}));
  EXPECT_TRUE(both->budget().time && both->budget().simulations);
  EXPECT_EQ(level->budget().simulations, 500U);
  EXPECT_EQ(level->budget().time, 15ms);  // at least so many and at least so long
}

TEST(OptionTable, AppliesAPresetBeforeTheOptionsThatRefineIt) {
  Sample s;
  const std::array<OptionValue, 2> values{{{"depth", "9"}, {"preset", "quick"}}};
  ASSERT_TRUE(table_of(s).assign(values).has_value());
  EXPECT_EQ(s.depth, 9);
  EXPECT_EQ(s.time, 1ms);
}

TEST(OptionTable, RefusesValuesOutOfRangeInWords) {
  const auto message = [](const std::string& key, const std::string& value) {
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
