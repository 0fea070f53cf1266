#include "engine/roster/roster.h"
#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = rowbot::fuzz::as_text(data, size);
  const auto parsed = rowbot::roster::parse_agent_text(text);
  if (!parsed)
    rowbot::fuzz::require(!parsed.error().message.empty(), "an error says what is wrong");
  const auto agent = rowbot::roster::make_agent(text);
  if (!agent) {
    rowbot::fuzz::require(!agent.error().message.empty(), "an error says what is wrong");
  } else {
    rowbot::fuzz::require(parsed.has_value(), "only a well-formed text makes an agent");
  }
  return 0;
}
