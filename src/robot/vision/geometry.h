// Where a board lies in an image.
// Thread safety: plain values.
#pragma once

#include <array>
#include <cmath>
#include <numbers>
#include <opencv2/core.hpp>

#include "game/bits.h"

namespace rowbot::vision {

using game::kCells;
using game::kColumns;
using game::kRows;

/// Board coordinates: the centre of the cell in column c (0 = left as seen)
/// and row r (0 = top) is (c, r).
struct BoardGeometry {
  cv::Matx33d image_from_board = cv::Matx33d::eye();
  double radius_x = 0.36;  // of a hole, in column pitches
  double radius_y = 0.36;  // of a hole, in row pitches

  [[nodiscard]] cv::Point2d center(int column, int row) const;
  /// The point of cell (column, row) at `radii` hole radii from its centre.
  [[nodiscard]] cv::Point2d rim(int column, int row, double angle_rad, double radii) const;
  /// The point (dx, dy) hole radii from the centre of the cell.
  [[nodiscard]] cv::Point2d inside(int column, int row, double dx, double dy) const;
  /// The same board in an image enlarged by `factor`.
  [[nodiscard]] BoardGeometry scaled(double factor) const;
};

/// Unit vectors at equal angles, starting to the right; cheaper than sine and cosine each time.
template <std::size_t N>
struct Circle {
  std::array<cv::Point2d, N> at;
  Circle() {
    for (std::size_t i = 0; i < N; ++i) {
      const double angle = static_cast<double>(i) * 2 * std::numbers::pi / N;
      at[i] = {std::cos(angle), std::sin(angle)};
    }
  }
};

/// Where the rim of a hole is looked at.
inline constexpr int kRimAngles = 24;
inline const Circle<kRimAngles> kRimCircle;

/// Applies a plane homography to a point.
[[nodiscard]] cv::Point2d project(const cv::Matx33d& h, double x, double y);

}  // namespace rowbot::vision
