// Bytes of image files: the header is measured without reading past the end, and the promise of a
// size that is small enough is kept by the decoder.
#include "fuzz.h"
#include "robot/vision/image_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using rowbot::fuzz::require;
  const auto measured = rowbot::vision::image_size({data, size});
  if (!measured) {
    require(!measured.error().message.empty(), "an error says what is wrong");
    return 0;
  }
  require(measured->width > 0 && measured->height > 0, "an image has pixels");
  // Decoding is the library's business; small ones show that ours ends well.
  if (measured->width > 256 || measured->height > 256) return 0;
  const auto image = rowbot::vision::decode_image({data, size});
  require(image.has_value() || !image.error().message.empty(), "an error says what is wrong");
  return 0;
}
