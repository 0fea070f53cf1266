#include "engine/roster/agent_spec.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "base/text.h"
#include "engine/roster/entries.h"
#include "engine/roster/levels.h"
#include "fmt/core.h"
#include "fmt/format.h"
#include "fmt/ranges.h"

namespace rowbot::roster {
namespace {

Result<const Entry*> find_entry(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Entry& entry : entries()) {
    if (entry.name == name) return &entry;
    names.push_back(entry.name);
  }
  const auto meant = nearest(name, names);
  return Error{fmt::format("there is no agent {}; {}", in_quotes(name),
                           meant ? fmt::format("did you mean '{}'?", *meant)
                                 : fmt::format("there are {}", fmt::join(names, ", ")))};
}

Result<std::vector<OptionValue>> split_options(std::string_view name, std::string_view text) {
  std::vector<OptionValue> options;
  for (const std::string_view part : split(text, ',')) {
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos || equals == 0) {
      return Error{fmt::format("agent '{}': {} is not an option; write it like key=value", name,
                               in_quotes(part))};
    }
    options.push_back({.key = std::string(trimmed(part.substr(0, equals))),
                       .value = std::string(trimmed(part.substr(equals + 1)))});
  }
  return options;
}

}  // namespace

AgentSpec::AgentSpec(std::string name, Maker make)
    : text_(name), name_(std::move(name)), make_(std::move(make)) {}

Result<AgentSpec> AgentSpec::parse(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string_view name = trimmed(text.substr(0, colon));
  if (name.empty()) {
    return Error{
        fmt::format("{} has no agent name; write it like mcts:time=100ms", in_quotes(text))};
  }
  if (trimmed(text).find('\n') != std::string_view::npos) {
    return Error{fmt::format("an agent's text is one line, not {}", in_quotes(text))};
  }
  const auto entry = find_entry(name);
  if (const Level* level = find_level(trimmed(text)); !entry && level != nullptr) {
    return level->agent();
  }
  if (!entry) return entry.error();
  std::vector<OptionValue> options;
  if (colon != std::string_view::npos) {
    auto split = split_options(name, text.substr(colon + 1));
    if (!split) return split.error();
    options = *std::move(split);
  }
  auto read = (*entry)->read(std::move(options));
  if (!read) return Error{fmt::format("agent '{}': {}", name, read.error().message)};
  AgentSpec spec(std::string(name), std::move(read->make));
  spec.options_ = std::move(read->options);
  spec.budget_ = read->budget;
  for (const OptionValue& option : spec.options_) {
    spec.text_ +=
        fmt::format("{}{}={}", spec.text_ == spec.name_ ? ':' : ',', option.key, option.value);
  }
  return spec;
}

AgentSpec AgentSpec::known(std::string_view text) {
  auto spec = parse(text);
  if (!spec) throw std::logic_error(spec.error().message);
  return *std::move(spec);
}

std::optional<std::string_view> AgentSpec::option(std::string_view key) const {
  const auto found = std::ranges::find(options_, key, &OptionValue::key);
  if (found == options_.end()) return std::nullopt;
  return found->value;
}

std::optional<std::uint64_t> AgentSpec::seed() const {
  const auto text = option("seed");
  return text ? std::optional(*parse_count(*text)) : std::nullopt;
}

AgentSpec::Made AgentSpec::make(const Resources& resources) const {
  auto made = make_(resources);
  if (!made) return Error{fmt::format("agent '{}': {}", name_, made.error().message)};
  return made;
}

AgentSpec::Made make_agent(std::string_view text, const Resources& resources) {
  const auto spec = AgentSpec::parse(text);
  if (!spec) return spec.error();
  return spec->make(resources);
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
