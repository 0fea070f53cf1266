// What an eye learns about its place: where the board stands in the image and
// what the discs look like there. With it a reading is faster and surer.
//
// Thread safety: plain values and free functions; call from any thread.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"
#include "robot/vision/board_finder.h"
#include "robot/vision/evidence.h"

namespace rowbot::vision {

struct Calibration {
  cv::Size image_size;
  BoardGeometry geometry;  // in pixels of image_size
  DiscLook first;
  DiscLook second;
};

/// The geometry with these centres of the corner cells, clockwise from top left.
[[nodiscard]] Result<BoardGeometry> geometry_from_corners(
    const std::array<cv::Point2d, 4>& corners);

[[nodiscard]] std::string calibration_text(const Calibration& c);  // JSON
[[nodiscard]] Result<Calibration> parse_calibration(std::string_view text);

[[nodiscard]] Result<void> save_calibration(const Calibration& calibration,
                                            const std::filesystem::path& path);
[[nodiscard]] Result<Calibration> load_calibration(const std::filesystem::path& path);

}  // namespace rowbot::vision
