// A camera of the operating system (/dev/videoN) or a film, behind the Camera port.
// Thread safety: none; one thread owns a camera.
#pragma once

#include <chrono>
#include <memory>
#include <opencv2/core.hpp>
#include <opencv2/videoio.hpp>
#include <string>

#include "base/result.h"
#include "robot/cell/camera.h"

namespace rowbot::vision {

class VideoCamera final : public cell::Camera {
 public:
  /// `device` is /dev/videoN or the path of a film.
  [[nodiscard]] static Result<std::unique_ptr<VideoCamera>> open(const std::string& device);

  /// Blocks until the next frame; an error once the film is over or the cable is pulled. The time
  /// of a frame is the film's own, or that since a camera was opened.
  [[nodiscard]] Result<cell::Frame> grab() override;

 private:
  VideoCamera(const cv::VideoCapture& capture, std::string name);

  cv::VideoCapture capture_;
  std::string name_;
  std::chrono::steady_clock::time_point opened_;
  double film_rate_ = 0;  // frames a second of a film; 0: a camera
  int frames_ = 0;
};

/// The frame's pixels without a copy; the frame must outlive the result.
[[nodiscard]] Result<cv::Mat> image_of(const cell::Frame& frame);

}  // namespace rowbot::vision
