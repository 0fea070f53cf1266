#include "robot/station/world_file.h"

#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  rowbot::fuzz::round_trip(rowbot::fuzz::as_text(data, size), rowbot::station::parse_world,
                           rowbot::station::world_text);
  return 0;
}
