#include "fuzz.h"
#include "game/game_record.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  rowbot::fuzz::round_trip(rowbot::fuzz::as_text(data, size), rowbot::game::parse_record_text,
                           rowbot::game::record_text);
  return 0;
}
