#include "fuzz.h"
#include "robot/vision/expect.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using rowbot::fuzz::require;
  const auto labels = rowbot::vision::parse_labels(rowbot::fuzz::as_text(data, size));
  if (!labels) {
    require(!labels.error().message.empty(), "an error says what is wrong");
    return 0;
  }
  for (const auto& label : *labels) require(!label.file.empty(), "a label names its file");
  return 0;
}
