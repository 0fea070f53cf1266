#include <string>

#include "fuzz.h"
#include "robot/drivers/text_files.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  rowbot::fuzz::round_trip(rowbot::fuzz::as_text(data, size), rowbot::drivers::parse_sysfs_count,
                           [](std::int64_t count) { return std::to_string(count) + "\n"; });
  return 0;
}
