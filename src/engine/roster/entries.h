// The agents themselves: one Entry for each name. To add one, write its bind function and its line
// in entries.cc; listing, parsing and the conformance suite follow.
// Thread safety: pure functions.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/agents/agent.h"
#include "engine/roster/option_table.h"

namespace rowbot::roster {

using MadeAgent = Result<std::unique_ptr<agents::Agent>>;

struct Entry {
  std::string_view name;
  std::string_view help;
  std::vector<OptionInfo> (*describe)();
  MadeAgent (*make)(std::span<const OptionValue>);
};

[[nodiscard]] std::span<const Entry> entries();

}  // namespace rowbot::roster
