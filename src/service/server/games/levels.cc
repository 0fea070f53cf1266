#include "service/server/games/levels.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/text.h"
#include "fmt/core.h"

namespace rowbot::server {
namespace {

constexpr std::size_t kLongestText = 120;
constexpr std::int64_t kDeepest = 8;

/// Who has no limit thinks for as long as it takes.
Lane lane_of(const roster::Level& level) {
  constexpr std::uint64_t kManySimulations = 10'000;
  const auto simulations = level.agent().budget().simulations;
  if (!simulations) return Lane::kSolver;
  return *simulations > kManySimulations ? Lane::kLong : Lane::kShort;
}

/// Options without influence on time or memory, or that are bounded whatever they say.
constexpr std::array<std::string_view, 15> kFreeOptions{
    "preset", "final", "playout", "c",     "rewards",  "visits", "secure", "proofs",
    "keep",   "ties",  "seed",    "error", "blunders", "time",   "until"};

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

const roster::Level* visitor_level(std::string_view name) {
  const auto levels = roster::visitor_levels();
  const auto found = std::ranges::find(levels, name, &roster::Level::name);
  return found == levels.end() ? nullptr : &*found;
}

Result<Thinker> thinker_of(std::string_view text) {
  if (visitor_level(text) != nullptr) return known_thinker(text);
  if (text.size() > kLongestText) {
    return Error{fmt::format("an agent's text may have at most {} characters", kLongestText)};
  }
  auto agent = roster::AgentSpec::parse(text);
  if (!agent) return agent.error();
  for (const roster::OptionValue& option : agent->options()) {
    if (auto fine = check_option(option); !fine) return fine.error();
  }
  return Thinker{.agent = *std::move(agent)};
}

Thinker known_thinker(std::string_view text) {
  if (const roster::Level* level = visitor_level(text)) {
    return {.agent = level->agent(), .minimum = level->pause, .lane = lane_of(*level)};
  }
  auto agent = roster::AgentSpec::parse(text);
  return {.agent = agent ? *std::move(agent) : roster::AgentSpec::known("forward")};
}

std::string player_name(std::string_view text) {
  const roster::Level* level = visitor_level(text);
  return std::string(level != nullptr ? level->title : text);
}

}  // namespace rowbot::server
