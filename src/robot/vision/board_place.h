// Where the board stands, measured with the camera: how far it was moved and turned on the table
// between two looks.
//
// The corner cells are four points of a known plane; their images give its pose before the camera
// (cv::solvePnP, Zhang's camera model without distortion). The difference of two such poses does
// not depend on where exactly the camera stands.
//
// Thread safety: free functions without shared state; call from any thread.
#pragma once

#include <opencv2/core.hpp>

#include "base/result.h"
#include "robot/cell/board_reading.h"
#include "robot/cell/layout.h"

namespace rowbot::vision {

struct BoardSize {
  double column_m = 0;  // from one column to the next
  double row_m = 0;
};

struct EyeSize {
  cv::Size image;
  double vertical_view_rad = 0;
};

/// In the board's old frame: x towards the last column, y away from the camera.
struct BoardMove {
  double along_m = 0;
  double across_m = 0;
  double turned_rad = 0;  // about the vertical through its middle, anticlockwise from above
};

/// Refuses corners that are not those of a board before the camera.
[[nodiscard]] Result<BoardMove> board_move(const cell::BoardCorners& before,
                                           const cell::BoardCorners& after, const BoardSize& board,
                                           const EyeSize& eye);

/// The cell with the board where the camera sees it now.
[[nodiscard]] Result<cell::CellLayout> measured_layout(const cell::CellLayout& layout,
                                                       const cell::BoardCorners& before,
                                                       const cell::BoardCorners& after,
                                                       const cv::Size& image);

}  // namespace rowbot::vision
