#include "robot/vision/video_camera.h"

#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <opencv2/core/utils/logger.hpp>
#include <string_view>
#include <utility>

#include "robot/vision/image_file.h"

namespace rowbot::vision {
namespace {

bool is_camera(const std::string& name) { return name.starts_with("/dev/"); }

// One line of ours says what is wrong; the libraries below would add ten of theirs.
void hush_libraries() {
  cv::utils::logging::setLogLevel(cv::utils::logging::LOG_LEVEL_SILENT);
  setenv("OPENCV_FFMPEG_LOGLEVEL", "-8", 0);  // NOLINT(concurrency-mt-unsafe): before any film
}

}  // namespace

VideoCamera::VideoCamera(const cv::VideoCapture& capture, std::string name)
    : capture_(capture), name_(std::move(name)), opened_(std::chrono::steady_clock::now()) {
  if (is_camera(name_)) return;
  film_rate_ = capture_.get(cv::CAP_PROP_FPS);
  if (!(film_rate_ > 0 && film_rate_ < 1e4)) film_rate_ = 25;  // a film that does not say
}

Result<std::unique_ptr<VideoCamera>> VideoCamera::open(const std::string& device) {
  if (!std::filesystem::exists(device)) {
    return Error{is_camera(device) ? fmt::format("{}: no such camera; is it plugged in?", device)
                                   : fmt::format("{}: no such film; check its name", device)};
  }
  hush_libraries();
  try {
    cv::VideoCapture capture(device);
    if (!capture.isOpened()) {
      const std::string_view why = is_camera(device)
                                       ? "is it a camera, and may this user read it (group video)?"
                                       : "is it a whole film?";
      return Error{fmt::format("{}: cannot be opened; {}", device, why)};
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
    if (film_rate_ > 0) frame.time = std::chrono::duration<double>(frames_ / film_rate_);
    ++frames_;
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
