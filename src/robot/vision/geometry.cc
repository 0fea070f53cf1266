#include "robot/vision/geometry.h"

#include <cmath>

namespace rowbot::vision {

cv::Point2d project(const cv::Matx33d& h, double x, double y) {
  const double w = h(2, 0) * x + h(2, 1) * y + h(2, 2);
  return {(h(0, 0) * x + h(0, 1) * y + h(0, 2)) / w, (h(1, 0) * x + h(1, 1) * y + h(1, 2)) / w};
}

cv::Point2d BoardGeometry::center(int column, int row) const {
  return project(image_from_board, column, row);
}

cv::Point2d BoardGeometry::rim(int column, int row, double angle_rad, double radii) const {
  return inside(column, row, radii * std::cos(angle_rad), radii * std::sin(angle_rad));
}

cv::Point2d BoardGeometry::inside(int column, int row, double dx, double dy) const {
  return project(image_from_board, column + radius_x * dx, row + radius_y * dy);
}

BoardGeometry BoardGeometry::scaled(double factor) const {
  BoardGeometry out = *this;
  out.image_from_board = cv::Matx33d(factor, 0, 0, 0, factor, 0, 0, 0, 1) * image_from_board;
  return out;
}

}  // namespace rowbot::vision
