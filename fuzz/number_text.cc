// The small values that people type: numbers, counts, times, sizes, switches.
#include <cmath>
#include <string>

#include "base/text.h"
#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = rowbot::fuzz::as_text(data, size);
  const auto plain = [](auto value) { return std::to_string(value); };
  rowbot::fuzz::round_trip(text, rowbot::parse_integer, plain);
  rowbot::fuzz::round_trip(text, rowbot::parse_count, plain);
  rowbot::fuzz::round_trip(text, rowbot::parse_bytes, plain);
  rowbot::fuzz::round_trip(text, rowbot::parse_duration, rowbot::duration_text);
  rowbot::fuzz::round_trip(text, rowbot::parse_switch, [](bool on) { return on ? "on" : "off"; });
  const auto number = rowbot::parse_number(text);
  rowbot::fuzz::require(!number || std::isfinite(*number), "a number is finite");
  for (const char c : rowbot::in_quotes(text)) {
    rowbot::fuzz::require(c >= ' ' && c <= '~', "a message is plain text");
  }
  return 0;
}
