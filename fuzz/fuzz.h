// What every fuzzer shares: bytes as text, and a check that stays on in every build.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace rowbot::fuzz {

inline std::string_view as_text(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// A broken law is a finding like any crash.
inline void require(bool holds, const char* law) {
  if (holds) return;
  std::fprintf(stderr, "broken: %s\n", law);
  std::abort();
}

/// Whatever is accepted prints to a text that is accepted as the same value; whatever is refused
/// says why.
template <class Parse, class Print>
void round_trip(std::string_view text, Parse parse, Print print) {
  const auto value = parse(text);
  if (!value) {
    require(!value.error().message.empty(), "an error says what is wrong");
    return;
  }
  const auto again = parse(print(*value));
  require(again.has_value(), "what was printed is read again");
  require(*again == *value, "what was printed means the same");
}

}  // namespace rowbot::fuzz
