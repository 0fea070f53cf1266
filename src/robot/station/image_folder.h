// A folder of images as a camera: what was photographed once is seen again, in the order of the
// names.
// Thread safety: none; one thread owns a camera.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "robot/cell/camera.h"

namespace rowbot::station {

class ImageFolder final : public cell::Camera {
 public:
  [[nodiscard]] static Result<std::unique_ptr<ImageFolder>> open(const std::string& folder);

  /// The next image, and the last one again and again: a board stays as it is. Ten a second, by
  /// the frames' times; nobody waits for them.
  [[nodiscard]] Result<cell::Frame> grab() override;

 private:
  explicit ImageFolder(std::vector<std::filesystem::path> images) : images_(std::move(images)) {}

  std::vector<std::filesystem::path> images_;
  std::size_t grabbed_ = 0;
};

/// A device, a film or a folder of images.
[[nodiscard]] Result<std::unique_ptr<cell::Camera>> open_camera(const std::string& source);

}  // namespace rowbot::station
