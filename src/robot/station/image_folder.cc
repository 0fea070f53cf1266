#include "robot/station/image_folder.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "fmt/format.h"
#include "robot/vision/image_file.h"
#include "robot/vision/video_camera.h"

namespace rowbot::station {
namespace fs = std::filesystem;

Result<std::unique_ptr<ImageFolder>> ImageFolder::open(const std::string& folder) {
  constexpr std::array<std::string_view, 6> kEndings = {".jpg", ".jpeg", ".png",
                                                        ".bmp", ".webp", ".ppm"};
  std::vector<fs::path> images;
  std::error_code trouble;
  for (const auto& entry : fs::directory_iterator(folder, trouble)) {
    const std::string ending = entry.path().extension().string();
    if (std::ranges::find(kEndings, ending) != kEndings.end()) images.push_back(entry.path());
  }
  if (trouble) {
    return Error{fmt::format("{}: the folder cannot be read ({})", folder, trouble.message())};
  }
  if (images.empty()) {
    return Error{fmt::format(
        "{}: no images in this folder; put photographs of the board there (JPEG, PNG, WebP, BMP "
        "or PPM), named in their order",
        folder)};
  }
  std::ranges::sort(images);
  return std::unique_ptr<ImageFolder>(new ImageFolder(std::move(images)));
}

Result<cell::Frame> ImageFolder::grab() {
  constexpr double kFramesPerSecond = 10;
  const fs::path& file = images_[std::min(grabbed_, images_.size() - 1)];
  const auto image = vision::load_image(file);
  if (!image) return image.error();
  const cv::Mat pixels = image->isContinuous() ? *image : image->clone();
  cell::Frame frame;
  frame.width = pixels.cols;
  frame.height = pixels.rows;
  frame.bgr.assign(pixels.data, pixels.data + pixels.total() * pixels.elemSize());
  frame.time = std::chrono::duration<double>(static_cast<double>(++grabbed_) / kFramesPerSecond);
  return frame;
}

Result<std::unique_ptr<cell::Camera>> open_camera(const std::string& source) {
  std::error_code none;
  if (fs::is_directory(source, none)) {
    auto folder = ImageFolder::open(source);
    if (!folder) return folder.error();
    return std::unique_ptr<cell::Camera>(*std::move(folder));
  }
  auto camera = vision::VideoCamera::open(source);
  if (!camera) return camera.error();
  return std::unique_ptr<cell::Camera>(*std::move(camera));
}

}  // namespace rowbot::station
