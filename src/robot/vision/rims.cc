#include "robot/vision/rims.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace rowbot::vision {
namespace {

float median(std::vector<float>& v) {
  if (v.empty()) return 0;
  const auto middle = v.begin() + static_cast<std::ptrdiff_t>(v.size() / 2);
  std::nth_element(v.begin(), middle, v.end());
  return *middle;
}

}  // namespace

RimJudge::RimJudge(const cv::Mat& image, const BoardGeometry& geometry,
                   std::span<const cv::Point> holes)
    : image_(image), geometry_(geometry) {
  std::array<std::vector<float>, 3> outer;
  for (const cv::Point& hole : holes) {
    for (int a = 0; a < kRimAngles; a += 2) {
      const cv::Vec3f v = at(hole.x, hole.y, a, 1.28);
      if (v[0] < 0) continue;
      for (int k = 0; k < 3; ++k) outer[static_cast<std::size_t>(k)].push_back(v[k]);
    }
  }
  std::vector<float> away(outer[0].size());
  const auto samples = outer;
  for (int k = 0; k < 3; ++k) frame_[k] = median(outer[static_cast<std::size_t>(k)]);
  for (std::size_t i = 0; i < away.size(); ++i) {
    const cv::Vec3f v(samples[0][i], samples[1][i], samples[2][i]);
    away[i] = static_cast<float>(cv::norm(v - frame_));
  }
  tolerance_ = std::clamp(3.F * median(away), 30.F, 60.F);
}

std::optional<double> RimJudge::score(int column, int row) const {
  int seen = 0;
  int good = 0;
  for (int a = 0; a < kRimAngles; ++a) {
    const cv::Vec3f outer = at(column, row, a, 1.22);
    const cv::Vec3f inner = at(column, row, a, 0.78);
    if (outer[0] < 0 || inner[0] < 0) continue;
    ++seen;
    if (cv::norm(outer - inner) > 14 && like_frame(outer)) ++good;
  }
  if (seen < kRimAngles / 2) return std::nullopt;
  return static_cast<double>(good) / seen;
}

bool RimJudge::like_frame(const cv::Vec3f& colour) const {
  // The same colour in another light is the same frame.
  const float light = colour.dot(frame_) / std::max(1.F, frame_.dot(frame_));
  const cv::Vec3f expected = frame_ * std::clamp(light, 0.4F, 1.4F);
  return cv::norm(colour - expected) < tolerance_;
}

cv::Vec3f RimJudge::at(int column, int row, int angle, double radii) const {
  const cv::Point2d unit = kRimCircle.at[static_cast<std::size_t>(angle)] * radii;
  const cv::Point2d p = geometry_.inside(column, row, unit.x, unit.y);
  // Also refuses the points at infinity that a wild homography makes.
  const bool inside = p.x >= 0 && p.y >= 0 && p.x < image_.cols - 0.5 && p.y < image_.rows - 0.5;
  if (!inside) return {-1, -1, -1};
  const auto& v =
      image_.at<cv::Vec3b>(static_cast<int>(std::lround(p.y)), static_cast<int>(std::lround(p.x)));
  return {static_cast<float>(v[0]), static_cast<float>(v[1]), static_cast<float>(v[2])};
}

double rim_support(const cv::Mat& image, const BoardGeometry& geometry) {
  std::vector<cv::Point> cells;
  for (int r = 0; r < kRows; ++r) {
    for (int c = 0; c < kColumns; ++c) cells.emplace_back(c, r);
  }
  const RimJudge judge(image, geometry, cells);
  double sum = 0;
  for (const cv::Point& cell : cells) sum += judge.score(cell.x, cell.y).value_or(0);
  return sum / kCells;
}

}  // namespace rowbot::vision
