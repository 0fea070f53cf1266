// An agent that somebody named on a command line.
#pragma once

#include <string_view>

#include "base/resources.h"
#include "base/result.h"
#include "engine/roster/agent_spec.h"

namespace rowbot {

/// Makes it once, to find out before all else that it can be made: an experience may be missing.
[[nodiscard]] inline Result<roster::AgentSpec> agent_argument(std::string_view text,
                                                              const Resources& resources) {
  auto spec = roster::AgentSpec::parse(text);
  if (!spec) return spec;
  if (const auto made = spec->make(resources); !made) return made.error();
  return spec;
}

}  // namespace rowbot
