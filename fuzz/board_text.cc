#include "fuzz.h"
#include "game/position_text.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  rowbot::fuzz::round_trip(rowbot::fuzz::as_text(data, size), rowbot::game::parse_board,
                           rowbot::game::board_text);
  return 0;
}
