#include "robot/station/mishap.h"

#include <string>

#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  rowbot::fuzz::round_trip(rowbot::fuzz::as_text(data, size), rowbot::station::parse_mishap,
                           [](const rowbot::station::PlannedMishap& planned) {
                             return std::string(rowbot::station::mishap_name(planned.what)) + "@" +
                                    std::to_string(planned.ply);
                           });
  return 0;
}
