// Draws what an eye saw into the image it saw it in.
//
// Thread safety: free functions without shared state; call from any thread.
#pragma once

#include <opencv2/core.hpp>

#include "robot/vision/reader.h"

namespace rowbot::vision {

/// A copy of the 8-bit BGR image with corners, cells, colours and confidences;
/// cells where the raw reading differs are crossed out.
[[nodiscard]] cv::Mat draw_overlay(const cv::Mat& image, const Look& look);

}  // namespace rowbot::vision
