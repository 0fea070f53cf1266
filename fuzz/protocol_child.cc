#include <string>

#include "base/text.h"
#include "fuzz.h"
#include "lab/cluster/child.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // Any lines: the child answers with numbers the parent understands, or says what is wrong.
  rowbot::cluster::Child child(2);
  for (const std::string_view line : rowbot::split(rowbot::fuzz::as_text(data, size), '\n')) {
    const auto step = child.receive(line);
    if (!step) {
      rowbot::fuzz::require(!step.error().message.empty(), "an error says what is wrong");
      return 0;
    }
    if (step->reply) {
      rowbot::fuzz::require(rowbot::cluster::parse_protocol_value(*step->reply).has_value(),
                            "a parent understands its child");
    }
    if (step->finished) return 0;
  }
  return 0;
}
