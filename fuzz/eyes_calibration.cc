#include "fuzz.h"
#include "robot/vision/calibration.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using rowbot::fuzz::require;
  const auto calibration = rowbot::vision::parse_calibration(rowbot::fuzz::as_text(data, size));
  if (!calibration) {
    require(!calibration.error().message.empty(), "an error says what is wrong");
    return 0;
  }
  // Numbers lose digits on the way through a homography, so only acceptance is certain.
  const auto again =
      rowbot::vision::parse_calibration(rowbot::vision::calibration_text(*calibration));
  require(again.has_value() || !again.error().message.empty(), "an error says what is wrong");
  return 0;
}
