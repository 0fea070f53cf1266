#include "robot/vision/overlay.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>
#include <opencv2/imgproc.hpp>
#include <vector>

namespace rowbot::vision {
namespace {

using cell::CellContent;

cv::Scalar scalar_of(const std::optional<cell::Rgb>& colour, const cv::Scalar& fallback) {
  return colour ? cv::Scalar(colour->blue, colour->green, colour->red) : fallback;
}

std::vector<cv::Point> ellipse(const BoardGeometry& g, int column, int row, double radii) {
  std::vector<cv::Point> points;
  constexpr int kSteps = 40;
  for (int a = 0; a < kSteps; ++a) {
    points.emplace_back(g.rim(column, row, a * 2 * std::numbers::pi / kSteps, radii));
  }
  return points;
}

}  // namespace

cv::Mat draw_overlay(const cv::Mat& image, const Look& look) {
  cv::Mat out = image.clone();
  const cell::BoardReading& reading = look.reading;
  const double size = std::max(image.cols, image.rows) / 960.0;
  const int line = std::max(1, static_cast<int>(std::lround(2 * size)));
  const cv::Scalar white(255, 255, 255);
  const cv::Scalar black(0, 0, 0);
  if (look.geometry) {
    const BoardGeometry& g = *look.geometry;
    const cv::Scalar first = scalar_of(reading.first_colour, {40, 40, 220});
    const cv::Scalar second = scalar_of(reading.second_colour, {40, 220, 220});
    for (int r = 0; r < kRows; ++r) {
      for (int c = 0; c < kColumns; ++c) {
        const std::size_t i = cell::cell_index(c, r);
        const auto rim = ellipse(g, c, r, 1.0);
        const bool sure = reading.confidence[i] >= kSureCell;
        cv::polylines(out, rim, true, sure ? cv::Scalar(0, 200, 0) : cv::Scalar(0, 140, 255), line,
                      cv::LINE_AA);
        const CellContent content = reading.board[i];
        if (content == CellContent::kFirst || content == CellContent::kSecond) {
          const auto dot = ellipse(g, c, r, 0.35);
          cv::fillConvexPoly(out, dot, content == CellContent::kFirst ? first : second,
                             cv::LINE_AA);
          cv::polylines(out, dot, true, white, line, cv::LINE_AA);
        }
        if (reading.raw[i] != content) {
          cv::line(out, g.rim(c, r, 0.8, 0.8), g.rim(c, r, 0.8 + std::numbers::pi, 0.8), white,
                   line, cv::LINE_AA);
        }
        const char letter = ".AB?"[static_cast<std::size_t>(content)];
        const std::string text =
            fmt::format("{}{:02.0f}", letter, 100 * std::min(0.99F, reading.confidence[i]));
        const cv::Point at = g.rim(c, r, 2.4, 1.0);
        cv::putText(out, text, at, cv::FONT_HERSHEY_SIMPLEX, 0.4 * size, black, line + 1,
                    cv::LINE_AA);
        cv::putText(out, text, at, cv::FONT_HERSHEY_SIMPLEX, 0.4 * size, white, 1, cv::LINE_AA);
      }
    }
    std::vector<cv::Point> corners;
    for (const cell::PixelPoint& p : reading.corners) corners.emplace_back(cv::Point2d(p.x, p.y));
    cv::polylines(out, corners, true, {255, 0, 255}, line, cv::LINE_AA);
  }
  const std::string title = fmt::format("{}", sight_text(reading.sight));
  const cv::Point at(8, static_cast<int>(24 * size) + 4);
  cv::putText(out, title, at, cv::FONT_HERSHEY_SIMPLEX, 0.8 * size, black, line + 2, cv::LINE_AA);
  cv::putText(out, title, at, cv::FONT_HERSHEY_SIMPLEX, 0.8 * size, white, line, cv::LINE_AA);
  return out;
}

}  // namespace rowbot::vision
