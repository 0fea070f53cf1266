#include "fuzz.h"
#include "robot/cell/layout_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto layout = rowbot::cell::parse_layout(rowbot::fuzz::as_text(data, size));
  if (!layout) {
    rowbot::fuzz::require(!layout.error().message.empty(), "an error says what is wrong");
    return 0;
  }
  // Angles pass through radians, so texts may differ in the last digit; layouts stay readable.
  rowbot::fuzz::require(rowbot::cell::parse_layout(rowbot::cell::layout_text(*layout)).has_value(),
                        "what was read can be written and read again");
  return 0;
}
