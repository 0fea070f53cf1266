#include "robot/vision/cells.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "robot/vision/cell_network.h"
#include "robot/vision/colour_model.h"

namespace rowbot::vision {
namespace {

constexpr std::array<double, 5> kInner = {0.05, 0.2, 0.32, 0.43, 0.52};
constexpr std::array<double, 3> kBorder = {0.73, 0.79, 0.85};
constexpr std::array<double, 2> kAround = {1.2, 1.32};
constexpr std::array<double, 3> kWall = {0.80, 0.88, 0.95};

// Bilinear sample; false outside the image.
bool sample(const cv::Mat& image, cv::Point2d p, Lab& out) {
  const int x = static_cast<int>(std::floor(p.x));
  const int y = static_cast<int>(std::floor(p.y));
  if (x < 0 || y < 0 || x + 1 >= image.cols || y + 1 >= image.rows) return false;
  const float fx = static_cast<float>(p.x - x);
  const float fy = static_cast<float>(p.y - y);
  const auto& v00 = image.at<cv::Vec3b>(y, x);
  const auto& v10 = image.at<cv::Vec3b>(y, x + 1);
  const auto& v01 = image.at<cv::Vec3b>(y + 1, x);
  const auto& v11 = image.at<cv::Vec3b>(y + 1, x + 1);
  Linear rgb;
  for (int k = 0; k < 3; ++k) {
    rgb[2 - k] = (linear_of_byte(v00[k]) * (1 - fx) + linear_of_byte(v10[k]) * fx) * (1 - fy) +
                 (linear_of_byte(v01[k]) * (1 - fx) + linear_of_byte(v11[k]) * fx) * fy;
  }
  out = lab_of_linear(rgb);
  return true;
}

float median_of(std::vector<float>& v, double at = 0.5) {
  const auto middle =
      v.begin() + static_cast<std::ptrdiff_t>(at * static_cast<double>(v.size() - 1));
  std::nth_element(v.begin(), middle, v.end());
  return *middle;
}

Lab median_of(const std::vector<Lab>& v) {
  Lab out;
  std::vector<float> channel(v.size());
  for (int k = 0; k < 3; ++k) {
    for (std::size_t i = 0; i < v.size(); ++i) channel[i] = v[i][k];
    out[k] = median_of(channel);
  }
  return out;
}

float spread_of(const std::vector<Lab>& v, const Lab& center) {
  std::vector<float> d(v.size());
  for (std::size_t i = 0; i < v.size(); ++i) d[i] = static_cast<float>(cv::norm(v[i] - center));
  return median_of(d, 0.75);
}

template <std::size_t N>
std::vector<Lab> rings(const cv::Mat& image, const BoardGeometry& g, int c, int r,
                       const std::array<double, N>& radii) {
  std::vector<Lab> out;
  out.reserve(N * kRimAngles);
  for (const double radius : radii) {
    for (const cv::Point2d& unit : kRimCircle.at) {
      Lab lab;
      if (sample(image, g.inside(c, r, radius * unit.x, radius * unit.y), lab)) out.push_back(lab);
    }
  }
  return out;
}

// Share of directions in which the hole shows frame colour, in any shade, just
// inside its rim.
float wall_share(const cv::Mat& image, const BoardGeometry& g, int c, int r, const Lab& inner,
                 const std::vector<ColourModel>& walls) {
  int count = 0;
  for (const cv::Point2d& unit : kRimCircle.at) {
    int hits = 0;
    for (const double radius : kWall) {
      Lab lab;
      if (!sample(image, g.inside(c, r, radius * unit.x, radius * unit.y), lab)) continue;
      if (cv::norm(lab - inner) < 14) continue;
      const bool wall = std::any_of(walls.begin(), walls.end(),
                                    [&lab](const ColourModel& w) { return w.distance2(lab) < 8; });
      if (wall) ++hits;
    }
    if (hits >= 2) ++count;
  }
  return static_cast<float>(count) / kRimAngles;
}

}  // namespace

BoardLook look_at_cells(const cv::Mat& image, const BoardGeometry& geometry) {
  BoardLook look;
  std::array<std::vector<Lab>, kCells> around;
  std::vector<Lab> frame;
  for (int r = 0; r < kRows; ++r) {
    for (int c = 0; c < kColumns; ++c) {
      const auto i = static_cast<std::size_t>(r * kColumns + c);
      CellLook& cell = look.cells[i];
      const auto inner = rings(image, geometry, c, r, kInner);
      const auto border = rings(image, geometry, c, r, kBorder);
      around[i] = rings(image, geometry, c, r, kAround);
      cell.in_image = inner.size() == kInner.size() * kRimAngles &&
                      border.size() == kBorder.size() * kRimAngles;
      if (!cell.in_image) continue;
      cell.inner = median_of(inner);
      cell.border = median_of(border);
      cell.spread = spread_of(inner, cell.inner);
      cell.border_spread = spread_of(border, cell.border);
      if (around[i].empty()) continue;
      cell.around = median_of(around[i]);
      frame.push_back(cell.around);
      int steps = 0;
      for (const cv::Point2d& unit : kRimCircle.at) {
        Lab in;
        Lab out;
        if (sample(image, geometry.inside(c, r, 0.84 * unit.x, 0.84 * unit.y), in) &&
            sample(image, geometry.inside(c, r, 1.18 * unit.x, 1.18 * unit.y), out) &&
            cv::norm(in - out) > 10) {
          ++steps;
        }
      }
      cell.rim_share = static_cast<float>(steps) / kRimAngles;
    }
  }
  if (!frame.empty()) look.frame = median_of(frame);
  std::vector<ColourModel> walls;
  for (const float shade : {0.08F, 0.15F, 0.25F, 0.4F, 0.6F, 0.85F, 1.F}) {
    walls.emplace_back(shaded(look.frame, shade), 1.0);
  }
  for (std::size_t i = 0; i < kCells; ++i) {
    CellLook& cell = look.cells[i];
    if (cell.in_image) {
      const int index = static_cast<int>(i);
      cell.wall_share =
          wall_share(image, geometry, index % kColumns, index / kColumns, cell.inner, walls);
    }
    const auto near = std::count_if(around[i].begin(), around[i].end(), [&](const Lab& v) {
      Lab d = v - look.frame;
      d[0] *= 0.5F;
      return cv::norm(d) < 22;
    });
    look.cells[i].frame_share =
        around[i].empty() ? 0.F : static_cast<float>(near) / static_cast<float>(around[i].size());
  }
  return look;
}

void ask_cell_network(const cv::Mat& image, const BoardGeometry& geometry, BoardLook& look) {
  const CellLogits logits = run_cell_network(cut_patches(image, geometry));
  for (std::size_t i = 0; i < kCells; ++i) {
    const auto& l = logits[i];
    const auto disc = static_cast<float>(log_sum(l[kClassFirst], l[kClassSecond]));
    look.disc_odds[i] = disc - l[kClassEmpty];
    look.no_cell_odds[i] = l[kClassNoCell] - static_cast<float>(log_sum(disc, l[kClassEmpty]));
  }
}

}  // namespace rowbot::vision
