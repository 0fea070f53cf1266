#include "engine/roster/agent_spec.h"
#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using rowbot::roster::AgentSpec;
  rowbot::fuzz::round_trip(rowbot::fuzz::as_text(data, size), AgentSpec::parse,
                           [](const AgentSpec& spec) { return spec.text(); });
  return 0;
}
