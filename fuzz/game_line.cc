#include "fuzz.h"
#include "lab/cluster/game_wire.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  rowbot::fuzz::round_trip(rowbot::fuzz::as_text(data, size), rowbot::cluster::parse_game_line,
                           rowbot::cluster::game_line);
  return 0;
}
