#include "engine/roster/roster.h"

#include <cstddef>

#include "base/text.h"
#include "engine/roster/entries.h"
#include "fmt/core.h"
#include "fmt/format.h"
#include "fmt/ranges.h"

namespace rowbot::roster {

std::optional<std::uint64_t> AgentText::seed() const {
  for (const auto& [key, value] : options) {
    if (key != "seed") continue;
    if (const auto seed = parse_count(value)) return *seed;
  }
  return std::nullopt;
}

Result<AgentText> parse_agent_text(std::string_view text) {
  AgentText parsed;
  const std::size_t colon = text.find(':');
  parsed.name = trimmed(text.substr(0, colon));
  if (parsed.name.empty()) {
    return Error{
        fmt::format("{} has no agent name; write it like mcts:time=100ms", in_quotes(text))};
  }
  if (colon == std::string_view::npos) return parsed;
  for (const std::string_view part : split(text.substr(colon + 1), ',')) {
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos || equals == 0) {
      return Error{fmt::format("agent '{}': {} is not an option; write it like key=value",
                               parsed.name, in_quotes(part))};
    }
    parsed.options.push_back(
        {.key = trimmed(part.substr(0, equals)), .value = trimmed(part.substr(equals + 1))});
  }
  return parsed;
}

Result<std::unique_ptr<agents::Agent>> make_agent(std::string_view text) {
  const auto parsed = parse_agent_text(text);
  if (!parsed) return parsed.error();
  std::vector<std::string_view> names;
  for (const Entry& entry : entries()) {
    names.push_back(entry.name);
    if (entry.name != parsed->name) continue;
    auto made = entry.make(parsed->options);
    if (!made) return Error{fmt::format("agent '{}': {}", entry.name, made.error().message)};
    return made;
  }
  const auto meant = nearest(parsed->name, names);
  return Error{fmt::format("there is no agent {}; {}", in_quotes(parsed->name),
                           meant ? fmt::format("did you mean '{}'?", *meant)
                                 : fmt::format("there are {}", fmt::join(names, ", ")))};
}

std::vector<AgentInfo> list_agents() {
  std::vector<AgentInfo> list;
  for (const Entry& entry : entries()) {
    list.push_back({.name = std::string(entry.name),
                    .help = std::string(entry.help),
                    .options = entry.describe()});
  }
  return list;
}

}  // namespace rowbot::roster
