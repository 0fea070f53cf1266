// An agent as people write it: `name`, or `name:key=value,key=value`, for example
// `mcts:time=100ms,final=robust,seed=7`; or a level's name. A text is read once, into an AgentSpec;
// from there on the program passes that on, and its canonical text at its borders: files, wires,
// databases. Thread safety: a value; parse() and list_agents() are pure functions. Each made agent
// belongs to its caller.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/resources.h"
#include "base/result.h"
#include "engine/agents/agent.h"
#include "engine/roster/option_table.h"

namespace rowbot::roster {

class AgentSpec {
 public:
  using Made = Result<std::unique_ptr<agents::Agent>>;
  using Maker = std::function<Made(const Resources&)>;

  /// Refuses unknown names, unknown options and values out of range, and suggests the nearest.
  /// Files are not looked at before the agent is made.
  [[nodiscard]] static Result<AgentSpec> parse(std::string_view text);
  /// For texts that stand in our own source: a wrong one is a bug, and throws std::logic_error.
  [[nodiscard]] static AgentSpec known(std::string_view text);
  /// An agent that is not in the roster: a test's own, or another program.
  AgentSpec(std::string name, Maker make);

  /// Canonical: the options that were named, in the order of the agent's list, each value in one
  /// spelling, a level as the limits it stands for. parse() gives an equal spec back.
  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::span<const OptionValue> options() const { return options_; }
  /// The value of an option that was named.
  [[nodiscard]] std::optional<std::string_view> option(std::string_view key) const;
  [[nodiscard]] std::optional<std::uint64_t> seed() const;
  /// What Agent::budget() will say.
  [[nodiscard]] const agents::Budget& budget() const { return budget_; }

  /// Fails when the agent needs a file and cannot read it.
  [[nodiscard]] Made make(const Resources& resources) const;

  friend bool operator==(const AgentSpec& a, const AgentSpec& b) { return a.text_ == b.text_; }

 private:
  std::string text_;
  std::string name_;
  std::vector<OptionValue> options_;
  agents::Budget budget_;
  Maker make_;
};

/// AgentSpec::known().
[[nodiscard]] inline AgentSpec operator""_agent(const char* text, std::size_t size) {
  return AgentSpec::known({text, size});
}

/// The agent of a text, where nobody needs its spec.
[[nodiscard]] AgentSpec::Made make_agent(std::string_view text, const Resources& resources);

/// make_agent() with these resources, for those who are told a text later.
[[nodiscard]] inline auto agent_maker(const Resources& resources) {
  return [resources](std::string_view text) { return make_agent(text, resources); };
}

struct AgentInfo {
  std::string name;
  std::string help;
  std::vector<OptionInfo> options;
};

/// All agents, in the order in which a newcomer should meet them.
[[nodiscard]] std::vector<AgentInfo> list_agents();

}  // namespace rowbot::roster
