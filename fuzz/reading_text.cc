#include "fuzz.h"
#include "robot/cell/board_reading.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  rowbot::fuzz::round_trip(rowbot::fuzz::as_text(data, size), rowbot::cell::parse_board_text,
                           rowbot::cell::board_text);
  return 0;
}
