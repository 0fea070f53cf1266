// Looks whether the gripper stands over a column before it lets go (P7).
//
// The gripper carries a marker: a magenta square on a white one about 1.6 times as
// wide, printed on paper, facing the camera in the plane of the board. Magenta
// occurs on no usual board or disc; the white around it tells it from a shirt.
//
// Thread safety: free functions without shared state; call from any thread.
#pragma once

#include <opencv2/core.hpp>
#include <optional>

#include "base/result.h"
#include "robot/vision/geometry.h"

namespace rowbot::vision {

struct GripperOptions {
  double column_pitch_mm = 35;  // of the board
  double tolerance_mm = 4;      // a disc still falls in when it is this far off
};

struct GripperSight {
  cv::Point2d marker;        // in pixels
  double column = 0;         // where it stands, in columns; 2.1 is a tenth right of the third
  double off_mm = 0;         // from the expected column, positive to the right
  double height_mm = 0;      // above the centres of the top row
  bool over_column = false;  // within the tolerance, and above the board
};

/// Nothing when the marker is not seen. `geometry` is that of `image`, 8-bit BGR.
[[nodiscard]] std::optional<GripperSight> check_gripper(const cv::Mat& image,
                                                        const BoardGeometry& geometry,
                                                        int expected_column,
                                                        const GripperOptions& options = {});

}  // namespace rowbot::vision
