// Frames of odd sizes, depths and channel counts: the eyes never crash, and what they say about a
// frame holds together. The first bytes choose the shape, the rest fill it.
#include <algorithm>
#include <opencv2/core.hpp>

#include "fuzz.h"
#include "robot/vision/reader.h"
#include "robot/vision/tracker.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using rowbot::fuzz::require;
  namespace vision = rowbot::vision;
  if (size < 4) return 0;
  cv::setNumThreads(1);
  const int width = data[0] + 1;
  const int height = data[1] + 1;
  const int type = CV_MAKETYPE(data[2] % 8, data[3] % 5 + 1);
  cv::Mat frame(height, width, type, cv::Scalar::all(0));
  const std::size_t bytes = frame.total() * frame.elemSize();
  for (std::size_t i = 0; i < bytes && size > 4; ++i) frame.data[i] = data[4 + i % (size - 4)];

  const auto look = vision::look_at_board(frame);
  if (!look) {
    require(!look.error().message.empty(), "a refused frame comes with a reason");
    return 0;
  }
  const auto& reading = look->reading;
  const bool none = reading.sight == rowbot::cell::Sight::kNone;
  require(none == !look->geometry.has_value(), "a board has a place");
  for (const float c : reading.confidence) require(c >= 0 && c <= 1, "confidence is 0..1");
  const auto again = rowbot::cell::parse_board_text(rowbot::cell::board_text(reading.board));
  require(again && *again == reading.board, "a board reads back from its text");

  vision::Tracker tracker;
  for (int i = 0; i < 2; ++i) {
    require(tracker.look(frame).has_value(), "the tracker takes every frame the reader takes");
  }
  return 0;
}
