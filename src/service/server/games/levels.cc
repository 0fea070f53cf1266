#include "service/server/games/levels.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/text.h"
#include "engine/roster/roster.h"
#include "fmt/core.h"

namespace rowbot::server {
namespace {

using std::chrono::milliseconds;

constexpr std::array<PlayLevel, 7> kLevels{{
    {.name = "beginner-1",
     .title = "First steps",
     .help = "Looks a little, and plays every second move without thinking.",
     .minimum = milliseconds(15),
     .agent = "mcts:level=beginner1",
     .lane = Lane::kShort},
    {.name = "beginner-2",
     .title = "Learner",
     .help = "Sees simple threats, and misses one move in three.",
     .minimum = milliseconds(15),
     .agent = "mcts:level=beginner2",
     .lane = Lane::kShort},
    {.name = "beginner-3",
     .title = "Casual",
     .help = "Plays with some care, and slips now and then.",
     .minimum = milliseconds(15),
     .agent = "mcts:level=beginner3",
     .lane = Lane::kShort},
    {.name = "easy",
     .title = "Easy",
     .help = "At least 15 ms and 175 simulated games a move, as in Carlo 2020.",
     .minimum = milliseconds(15),
     .agent = "mcts:preset=carlo,level=pi-easy",
     .lane = Lane::kShort},
    {.name = "moderate",
     .title = "Moderate",
     .help = "At least 60 ms and 840 simulated games a move.",
     .minimum = milliseconds(60),
     .agent = "mcts:preset=carlo,level=pi-moderate",
     .lane = Lane::kShort},
    {.name = "hard",
     .title = "Hard",
     .help = "At least 1.5 s and 31,500 simulated games a move.",
     .minimum = milliseconds(1500),
     .agent = "mcts:preset=carlo,level=pi-hard",
     .lane = Lane::kLong},
    {.name = "perfect",
     .title = "Perfect",
     .help = "Knows the outcome of every position and never errs.",
     .minimum = milliseconds(200),
     .agent = "perfect",
     .lane = Lane::kSolver},
}};

constexpr std::size_t kLongestText = 120;
constexpr std::int64_t kDeepest = 8;

/// Options without influence on time or memory, or that are bounded whatever they say.
constexpr std::array<std::string_view, 16> kFreeOptions{
    "level",  "preset", "final", "playout", "c",     "rewards",  "visits", "secure",
    "proofs", "keep",   "ties",  "seed",    "error", "blunders", "time",   "until"};

Result<void> check_option(const roster::OptionValue& option) {
  if (std::find(kFreeOptions.begin(), kFreeOptions.end(), option.key) != kFreeOptions.end()) {
    return {};
  }
  if (option.key == "sims") return {};  // the time ends the search in any case
  if (option.key == "depth") {
    const auto depth = parse_integer(option.value);
    if (!depth) return depth.error();
    if (*depth <= kDeepest) return {};
    return Error{fmt::format("depth may be at most {} here", kDeepest)};
  }
  return Error{fmt::format("the option {} is not allowed here", in_quotes(option.key))};
}

}  // namespace

std::span<const PlayLevel> play_levels() { return kLevels; }

const PlayLevel* find_level(std::string_view name) {
  const auto* found =
      std::find_if(kLevels.begin(), kLevels.end(), [&](const auto& l) { return l.name == name; });
  return found == kLevels.end() ? nullptr : found;
}

Result<Thinker> thinker_of(std::string_view text) {
  if (find_level(text) != nullptr) return known_thinker(text);
  if (text.size() > kLongestText) {
    return Error{fmt::format("an agent's text may have at most {} characters", kLongestText)};
  }
  const auto parsed = roster::parse_agent_text(text);
  if (!parsed) return parsed.error();
  for (const roster::OptionValue& option : parsed->options) {
    if (auto fine = check_option(option); !fine) return fine.error();
  }
  if (auto made = roster::make_agent(text); !made) return made.error();
  return known_thinker(text);
}

Thinker known_thinker(std::string_view text) {
  const PlayLevel* level = find_level(text);
  if (level == nullptr) return {.agent = std::string(text)};
  return {.agent = std::string(level->agent), .minimum = level->minimum, .lane = level->lane};
}

std::string player_name(std::string_view text) {
  const PlayLevel* level = find_level(text);
  return std::string(level != nullptr ? level->title : text);
}

}  // namespace rowbot::server
