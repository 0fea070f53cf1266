#include "robot/vision/video_camera.h"

#include <filesystem>
#include <fmt/format.h>
#include <utility>

#include "robot/vision/image_file.h"

namespace rowbot::vision {

VideoCamera::VideoCamera(const cv::VideoCapture& capture, std::string name)
    : capture_(capture), name_(std::move(name)), opened_(std::chrono::steady_clock::now()) {}

Result<std::unique_ptr<VideoCamera>> VideoCamera::open(const std::string& device) {
  if (!std::filesystem::exists(device)) {
    return Error{fmt::format("{}: no such camera; is it plugged in?", device)};
  }
  try {
    cv::VideoCapture capture(device);
    if (!capture.isOpened()) {
      return Error{fmt::format(
          "{}: cannot be opened; is it a camera, and may this user read it (group video)?",
          device)};
    }
    return std::unique_ptr<VideoCamera>(new VideoCamera(capture, device));
  } catch (const cv::Exception& e) {
    return Error{fmt::format("{}: cannot be opened ({})", device, e.err)};
  }
}

Result<cell::Frame> VideoCamera::grab() {
  try {
    cv::Mat raw;
    if (!capture_.read(raw)) return Error{fmt::format("{}: no more frames", name_)};
    const auto image = to_bgr(raw);
    if (!image) return Error{fmt::format("{}: {}", name_, image.error().message)};
    const cv::Mat pixels = image->isContinuous() ? *image : image->clone();
    cell::Frame frame;
    frame.width = pixels.cols;
    frame.height = pixels.rows;
    frame.bgr.assign(pixels.data, pixels.data + pixels.total() * pixels.elemSize());
    frame.time = std::chrono::steady_clock::now() - opened_;
    return frame;
  } catch (const cv::Exception& e) {
    return Error{fmt::format("{}: {}", name_, e.err)};
  }
}

Result<cv::Mat> image_of(const cell::Frame& frame) {
  const auto pixels =
      static_cast<std::size_t>(frame.width) * static_cast<std::size_t>(frame.height);
  if (frame.width <= 0 || frame.height <= 0 || frame.bgr.size() != pixels * 3) {
    return Error{fmt::format("a frame of {} x {} pixels has {} bytes instead of {}", frame.width,
                             frame.height, frame.bgr.size(), pixels * 3)};
  }
  // cv::Mat has no view of constant data; nobody writes through this one.
  auto* data = const_cast<std::uint8_t*>(frame.bgr.data());  // NOLINT
  return cv::Mat(frame.height, frame.width, CV_8UC3, data);
}

}  // namespace rowbot::vision
