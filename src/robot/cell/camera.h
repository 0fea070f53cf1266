// The port to a camera, real or rendered.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "base/result.h"

namespace rowbot::cell {

/// One image: rows from the top, three bytes a pixel in the order blue, green, red, no padding.
struct Frame {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> bgr;
  std::chrono::duration<double> time{};  // since the camera was opened
};

/// Life cycle: open on construction, closed on destruction. grab() blocks until a fresh frame is
/// there; an error means that none will come, for example because the cable was pulled.
/// Thread safety: none; one thread owns a camera.
class Camera {
 public:
  Camera() = default;
  Camera(const Camera&) = delete;
  Camera& operator=(const Camera&) = delete;
  Camera(Camera&&) = delete;
  Camera& operator=(Camera&&) = delete;
  virtual ~Camera() = default;

  [[nodiscard]] virtual Result<Frame> grab() = 0;
};

}  // namespace rowbot::cell
