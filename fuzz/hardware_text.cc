#include "fuzz.h"
#include "robot/drivers/hardware_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  rowbot::fuzz::round_trip(rowbot::fuzz::as_text(data, size), rowbot::drivers::parse_hardware,
                           rowbot::drivers::hardware_text);
  return 0;
}
