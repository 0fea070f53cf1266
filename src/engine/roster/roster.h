// Every agent by its text: `name`, or `name:key=value,key=value`, for example
// `mcts:time=100ms,final=robust,seed=7`.
// Thread safety: pure functions; each made agent belongs to its caller.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/agents/agent.h"
#include "engine/roster/option_table.h"

namespace rowbot::roster {

/// The two halves of an agent's text, split but not yet understood. Refers to the text.
struct AgentText {
  std::string_view name;
  std::vector<OptionValue> options;

  /// The seed the text fixes, if it does.
  [[nodiscard]] std::optional<std::uint64_t> seed() const;
};

[[nodiscard]] Result<AgentText> parse_agent_text(std::string_view text);

/// An unknown name or option is an error that suggests the nearest.
[[nodiscard]] Result<std::unique_ptr<agents::Agent>> make_agent(std::string_view text);

struct AgentInfo {
  std::string name;
  std::string help;
  std::vector<OptionInfo> options;
};

/// All agents, in the order in which a newcomer should meet them.
[[nodiscard]] std::vector<AgentInfo> list_agents();

}  // namespace rowbot::roster
