// Small upright pictures of the 42 cells of a located board: what the cell network looks at.
//
// A patch reaches a little over the rim of its hole, so hole, rim and some frame always lie at the
// same place of it, whatever the board's size and angle.
//
// Thread safety: free functions without shared state; call from any thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <opencv2/core.hpp>

#include "robot/vision/geometry.h"

namespace rowbot::vision {

inline constexpr int kPatchSide = 16;        // pixels
inline constexpr double kPatchReach = 1.45;  // hole radii from the middle to the edge
inline constexpr std::size_t kPatchBytes = std::size_t{3} * kPatchSide * kPatchSide;

/// Blue, green, red of each pixel, row by row.
using Patch = std::array<std::uint8_t, kPatchBytes>;
using Patches = std::array<Patch, kCells>;

/// `image` is 8-bit BGR. What lies outside it repeats its border.
[[nodiscard]] Patches cut_patches(const cv::Mat& image, const BoardGeometry& geometry);

}  // namespace rowbot::vision
