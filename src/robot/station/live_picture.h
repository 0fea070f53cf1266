// What a camera saw last, as a picture for people who are elsewhere.
// Thread safety: of the thread that looks through the camera; the picture never changes.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "robot/vision/camera_sensor.h"

namespace rowbot::station {

/// With what vision made of it drawn on it.
struct LivePicture {
  std::uint64_t number = 0;                  // grows with each picture
  std::chrono::duration<double> frame_s{0};  // time of the frame
  std::string jpeg;
};

/// Replaces `picture` when the eye has seen another frame since.
void take_picture(const vision::CameraSensor& eye, std::shared_ptr<const LivePicture>& picture);

}  // namespace rowbot::station
