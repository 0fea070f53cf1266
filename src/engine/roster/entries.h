// The agents themselves: one Entry for each name. To add one, write its bind function and its line
// in entries.cc; listing, parsing and the conformance suite follow.
// Thread safety: pure functions.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/agents/budget.h"
#include "engine/roster/agent_spec.h"
#include "engine/roster/option_table.h"

namespace rowbot::roster {

/// An agent's options, understood.
struct ReadOptions {
  std::vector<OptionValue> options;  ///< those that were named, canonical
  agents::Budget budget;
  AgentSpec::Maker make;
};

struct Entry {
  std::string_view name;
  std::string_view help;
  std::vector<OptionInfo> (*describe)();
  Result<ReadOptions> (*read)(std::vector<OptionValue>);
};

[[nodiscard]] std::span<const Entry> entries();

}  // namespace rowbot::roster
