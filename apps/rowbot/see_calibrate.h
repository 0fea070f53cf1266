// The questions of rowbot see --calibrate: where the corners are and which colour begins.
// Thread safety: none; talks to the person at the terminal.
#pragma once

#include <opencv2/core.hpp>
#include <string>

namespace rowbot::app {

/// Guides through corners and colours on one image and saves the answers. Ends by fail() when the
/// person gives up or the image will not do.
void calibrate_eyes(const cv::Mat& image, const std::string& save_to);

}  // namespace rowbot::app
