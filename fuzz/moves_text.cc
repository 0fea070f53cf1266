#include "game/moves_text.h"

#include "fuzz.h"
#include "game/position_text.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using rowbot::fuzz::require;
  const std::string_view text = rowbot::fuzz::as_text(data, size);
  const auto played = rowbot::game::parse_played(text);
  if (played) {
    require(rowbot::game::moves_text(played->moves) == text, "moves print as they were read");
  } else {
    require(!played.error().message.empty(), "an error says what is wrong");
  }
  static_cast<void>(rowbot::game::parse_any(text));
  return 0;
}
