// Reads an image file, or says clearly why it cannot be one.
//
// Thread safety: free functions without shared state; call from any thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <opencv2/core.hpp>
#include <span>

#include "base/result.h"

namespace rowbot::vision {

inline constexpr std::uintmax_t kMaxImageBytes = 64U << 20U;
inline constexpr std::int64_t kMaxImagePixels = 100'000'000;

struct ImageSize {
  std::int64_t width = 0;
  std::int64_t height = 0;
};

/// Size by the header alone, before anything large is allocated. Knows JPEG,
/// PNG, BMP, WebP and binary PPM/PGM.
[[nodiscard]] Result<ImageSize> image_size(std::span<const std::uint8_t> bytes);

/// 8-bit BGR, turned upright by the EXIF note of the camera.
[[nodiscard]] Result<cv::Mat> load_image(const std::filesystem::path& path);

/// The same from bytes in memory.
[[nodiscard]] Result<cv::Mat> decode_image(std::span<const std::uint8_t> bytes);

/// 8-bit BGR from any frame of 1, 3 or 4 channels of 8 or 16 bits or floats 0..1.
[[nodiscard]] Result<cv::Mat> to_bgr(const cv::Mat& frame);

}  // namespace rowbot::vision
