#include "robot/vision/patches.h"

#include <algorithm>
#include <cmath>

namespace rowbot::vision {
namespace {

// Bilinear, clamped to the image; adds to sum.
void add_sample(const cv::Mat& image, cv::Point2d p, cv::Vec3f& sum) {
  const double px = std::clamp(p.x, 0.0, image.cols - 1.001);
  const double py = std::clamp(p.y, 0.0, image.rows - 1.001);
  const int x = static_cast<int>(px);
  const int y = static_cast<int>(py);
  const float fx = static_cast<float>(px - x);
  const float fy = static_cast<float>(py - y);
  const std::uint8_t* top = image.ptr(y) + 3 * x;
  const std::uint8_t* low = image.ptr(std::min(y + 1, image.rows - 1)) + 3 * x;
  for (int k = 0; k < 3; ++k) {
    const float above = static_cast<float>(top[k]) * (1 - fx) + static_cast<float>(top[k + 3]) * fx;
    const float below = static_cast<float>(low[k]) * (1 - fx) + static_cast<float>(low[k + 3]) * fx;
    sum[k] += above * (1 - fy) + below * fy;
  }
}

}  // namespace

Patches cut_patches(const cv::Mat& image, const BoardGeometry& g) {
  Patches out{};
  const double step = 2 * kPatchReach / kPatchSide;  // of a patch pixel, in radii
  // Enough samples a pixel that nothing between them is missed.
  const double pitch = cv::norm(g.center(3, 2) - g.center(2, 2));
  const int sub = std::clamp(static_cast<int>(std::lround(pitch * g.radius_x * step / 1.3)), 1, 4);
  for (std::size_t i = 0; i < kCells; ++i) {
    const int column = static_cast<int>(i) % kColumns;
    const int row = static_cast<int>(i) / kColumns;
    for (int v = 0; v < kPatchSide; ++v) {
      for (int u = 0; u < kPatchSide; ++u) {
        cv::Vec3f sum(0, 0, 0);
        for (int sv = 0; sv < sub; ++sv) {
          for (int su = 0; su < sub; ++su) {
            const double dx = (u + (su + 0.5) / sub) * step - kPatchReach;
            const double dy = (v + (sv + 0.5) / sub) * step - kPatchReach;
            add_sample(image, g.inside(column, row, dx, dy), sum);
          }
        }
        const auto at = static_cast<std::size_t>(3 * (v * kPatchSide + u));
        for (std::size_t k = 0; k < 3; ++k) {
          out[i][at + k] = cv::saturate_cast<std::uint8_t>(sum[static_cast<int>(k)] /
                                                           static_cast<float>(sub * sub));
        }
      }
    }
  }
  return out;
}

}  // namespace rowbot::vision
