#include "robot/vision/gripper_check.h"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <vector>

namespace rowbot::vision {
namespace {

// The strip above the board where a gripper can be, cut to the image.
cv::Rect search_area(const cv::Mat& image, const BoardGeometry& g) {
  std::vector<cv::Point2f> corners;
  for (const auto& [x, y] : {std::pair(-1.5, -5.0), {7.5, -5.0}, {7.5, 0.3}, {-1.5, 0.3}}) {
    corners.emplace_back(project(g.image_from_board, x, y));
  }
  return cv::boundingRect(corners) & cv::Rect(0, 0, image.cols, image.rows);
}

// How white the surroundings of a blob are: light and without colour.
bool on_white(const cv::Mat& area, const cv::Moments& m, const cv::Point2d& center) {
  const double radius = std::sqrt(m.m00) / 2;  // half the side of the square
  int white = 0;
  int seen = 0;
  for (int a = 0; a < 16; ++a) {
    const double angle = a * CV_PI / 8;
    const double reach =
        1.55 * radius / std::max(std::abs(std::cos(angle)), std::abs(std::sin(angle)));
    const int x = static_cast<int>(std::lround(center.x + reach * std::cos(angle)));
    const int y = static_cast<int>(std::lround(center.y + reach * std::sin(angle)));
    if (x < 0 || y < 0 || x >= area.cols || y >= area.rows) continue;
    const auto& v = area.at<cv::Vec3b>(y, x);
    const int low = std::min({v[0], v[1], v[2]});
    const int high = std::max({v[0], v[1], v[2]});
    ++seen;
    if (low > 70 && low * 100 > high * 55) ++white;
  }
  return seen >= 8 && white * 10 >= seen * 7;
}

}  // namespace

std::optional<GripperSight> check_gripper(const cv::Mat& image, const BoardGeometry& geometry,
                                          int expected_column, const GripperOptions& options) {
  const cv::Rect strip = search_area(image, geometry);
  if (strip.width < 4 || strip.height < 4) return std::nullopt;
  const cv::Mat area = image(strip);
  // Magenta: red and blue both well above green, relative to the light.
  cv::Mat mask(area.size(), CV_8U);
  for (int y = 0; y < area.rows; ++y) {
    const auto* row = area.ptr<cv::Vec3b>(y);
    auto* out = mask.ptr<std::uint8_t>(y);
    for (int x = 0; x < area.cols; ++x) {
      const int weaker = std::min(row[x][0], row[x][2]);
      const int excess = weaker - row[x][1];
      out[x] = excess > 25 && excess * 3 > weaker ? 255 : 0;
    }
  }
  std::vector<std::vector<cv::Point>> blobs;
  cv::findContours(mask, blobs, cv::RETR_EXTERNAL, cv::CHAIN_APPROX_NONE);
  const double pitch = cv::norm(geometry.center(3, 0) - geometry.center(2, 0));
  std::optional<GripperSight> best;
  double best_area = 0;
  for (const auto& blob : blobs) {
    const cv::Moments m = cv::moments(blob);
    const double side = std::sqrt(m.m00) / pitch;
    if (side < 0.15 || side > 1.2 || m.m00 < 12 || m.m00 < best_area) continue;
    const cv::RotatedRect box = cv::minAreaRect(blob);
    const double fill = m.m00 / std::max(1.F, box.size.area());
    const double aspect = std::min(box.size.width, box.size.height) /
                          std::max(1.F, std::max(box.size.width, box.size.height));
    const cv::Point2d center(m.m10 / m.m00, m.m01 / m.m00);
    if (fill < 0.7 || aspect < 0.5 || !on_white(area, m, center)) continue;
    GripperSight sight;
    sight.marker = center + cv::Point2d(strip.tl());
    const cv::Point2d board =
        project(geometry.image_from_board.inv(), sight.marker.x, sight.marker.y);
    sight.column = board.x;
    sight.off_mm = (board.x - expected_column) * options.column_pitch_mm;
    // Holes are round, so their radii tell the pitches apart.
    const double row_pitch_mm = options.column_pitch_mm * geometry.radius_x / geometry.radius_y;
    sight.height_mm = -board.y * row_pitch_mm;
    sight.over_column = std::abs(sight.off_mm) <= options.tolerance_mm && board.y < -0.5;
    best = sight;
    best_area = m.m00;
  }
  return best;
}

}  // namespace rowbot::vision
