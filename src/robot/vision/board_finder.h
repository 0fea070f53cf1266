// Finds a 7x6 board in an image: which lattice of holes is the board, and
// which of its nodes is the top left cell.
//
// Thread safety: free functions without shared state; call from any thread.
#pragma once

#include <opencv2/core.hpp>
#include <optional>

#include "robot/vision/geometry.h"

namespace rowbot::vision {

struct FoundBoard {
  BoardGeometry geometry;
  double support = 0;  // mean share of the rims that look like holes in one frame, 0..1
  int holes = 0;       // cells with a fitted ellipse
  int outside = 0;     // cells outside the image
  double weakest = 0;  // mean rim score of the row or column that fits worst
  double beyond = 0;   // share of the fullest line next to the board that holds ellipses
};

/// `image` is 8-bit BGR of any size. Nothing when no lattice is surely a board.
[[nodiscard]] std::optional<FoundBoard> find_board(const cv::Mat& image);

/// The best lattice even if it is no board: for tests and studies.
[[nodiscard]] std::optional<FoundBoard> find_best_lattice(const cv::Mat& image);

}  // namespace rowbot::vision
