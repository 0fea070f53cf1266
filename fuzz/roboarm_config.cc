#include "robot/drivers/serial/roboarm_config.h"

#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace rowbot::drivers;
  rowbot::fuzz::round_trip(rowbot::fuzz::as_text(data, size), parse_roboarm_config,
                           roboarm_config_text);
  return 0;
}
