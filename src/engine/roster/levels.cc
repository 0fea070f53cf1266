#include "engine/roster/levels.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>

#include "base/text.h"
#include "fmt/format.h"
#include "fmt/ranges.h"

namespace rowbot::roster {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kVisitorLevels = 7;

constexpr std::array<Level, kVisitorLevels + 3> kLevels{{
    {.name = "beginner-1",
     .title = "First steps",
     .help = "Looks a little, and plays every second move without thinking.",
     .text = "mcts:sims=10,blunders=0.5",
     .pause = milliseconds(15)},
    {.name = "beginner-2",
     .title = "Learner",
     .help = "Sees simple threats, and misses one move in three.",
     .text = "mcts:sims=30,blunders=0.3",
     .pause = milliseconds(15)},
    {.name = "beginner-3",
     .title = "Casual",
     .help = "Plays with some care, and slips now and then.",
     .text = "mcts:sims=80,blunders=0.15",
     .pause = milliseconds(15)},
    {.name = "easy",
     .title = "Easy",
     .help = "At least 15 ms and 175 simulated games a move, as in Carlo 2020.",
     .text = "mcts:preset=carlo,sims=175",
     .pause = milliseconds(15),
     .paper_waits = true},
    {.name = "moderate",
     .title = "Moderate",
     .help = "At least 60 ms and 840 simulated games a move.",
     .text = "mcts:preset=carlo,sims=840",
     .pause = milliseconds(60),
     .paper_waits = true},
    {.name = "hard",
     .title = "Hard",
     .help = "At least 1.5 s and 31,500 simulated games a move.",
     .text = "mcts:preset=carlo,sims=31500",
     .pause = milliseconds(1500),
     .paper_waits = true},
    {.name = "perfect",
     .title = "Perfect",
     .help = "Knows the outcome of every position and never errs.",
     .text = "perfect",
     .pause = milliseconds(200)},
    {.name = "table-1",
     .title = "Table, easy",
     .help = "A tenth of a second a move: the rocker switch at easy.",
     .text = "mcts:time=100ms"},
    {.name = "table-2",
     .title = "Table, moderate",
     .help = "A second a move: the rocker switch at moderate.",
     .text = "mcts:time=1s"},
    {.name = "table-3",
     .title = "Table, hard",
     .help = "Five seconds a move: the rocker switch at hard.",
     .text = "mcts:time=5s"},
}};

constexpr std::string_view kPi = "pi-";

/// Its limits and blunders mean something in the text of another search.
constexpr bool searches(const Level& level) { return level.text.starts_with("mcts:"); }

/// beginner1 is an older spelling of beginner-1.
std::string without_hyphens(std::string_view word) {
  std::string plain(word);
  std::erase(plain, '-');
  return plain;
}

/// The options that a word after `level=` stands for; nothing for an unknown word.
std::optional<std::vector<OptionValue>> options_of(std::string_view word) {
  const bool pi = word.starts_with(kPi);
  const std::string plain = without_hyphens(pi ? word.substr(kPi.size()) : word);
  for (const Level& level : kLevels) {
    if (without_hyphens(level.name) != plain || !searches(level)) continue;
    if (pi && !level.paper_waits) return std::nullopt;
    std::vector<OptionValue> options;
    for (const std::string_view key : {"time", "sims", "blunders"}) {
      if (const auto value = level.agent().option(key)) {
        options.push_back({.key = std::string(key), .value = std::string(*value)});
      }
    }
    if (level.paper_waits && !pi) {
      options.push_back({.key = "time", .value = duration_text(level.pause)});
      options.push_back({.key = "until", .value = "all"});
    }
    return options;
  }
  return std::nullopt;
}

const OptionValue* find(std::span<const OptionValue> options, std::string_view key) {
  const auto found = std::ranges::find(options, key, &OptionValue::key);
  return found == options.end() ? nullptr : &*found;
}

}  // namespace

const AgentSpec& Level::agent() const {
  static const std::vector<AgentSpec> kAgents = [] {
    std::vector<AgentSpec> agents;
    for (const Level& level : kLevels) agents.push_back(AgentSpec::known(level.text));
    return agents;
  }();
  const auto* const row = std::ranges::find(kLevels, name, &Level::name);
  return kAgents.at(static_cast<std::size_t>(row - kLevels.begin()));
}

std::span<const Level> levels() { return kLevels; }
std::span<const Level> visitor_levels() { return levels().first(kVisitorLevels); }
std::span<const Level, 3> rocker_levels() { return levels().last<3>(); }

const Level* find_level(std::string_view name) {
  const auto* const found = std::ranges::find(kLevels, name, &Level::name);
  return found == kLevels.end() ? nullptr : found;
}

std::vector<std::string> level_words() {
  std::vector<std::string> words;
  for (const Level& level : kLevels) {
    if (!searches(level)) continue;
    words.emplace_back(level.name);
    if (level.paper_waits) words.push_back(fmt::format("{}{}", kPi, level.name));
  }
  return words;
}

Result<void> spell_out_level(std::vector<OptionValue>& options) {
  const OptionValue* const given = find(options, "level");
  if (given == nullptr) return {};
  const auto meant = options_of(given->value);
  if (!meant) {
    return Error{fmt::format("option 'level': {} is not one of {}", in_quotes(given->value),
                             fmt::join(level_words(), ", "))};
  }
  options.erase(options.begin() + (given - options.data()));
  // Who names one limit means that one, unless both are to be reached.
  const OptionValue* until = find(options, "until");
  if (until == nullptr) until = find(*meant, "until");
  const bool both = until != nullptr && until->value == "all";
  const bool one_named = (find(options, "time") == nullptr) != (find(options, "sims") == nullptr);
  const std::size_t named = options.size();
  for (const OptionValue& option : *meant) {
    const bool limit = option.key == "time" || option.key == "sims";
    if (find({options.data(), named}, option.key) != nullptr) continue;
    if (limit && one_named && !both) continue;
    options.push_back(option);
  }
  return {};
}

}  // namespace rowbot::roster
