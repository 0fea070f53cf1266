#include "robot/vision/colour.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace rowbot::vision {
namespace {

// Lab's cube root with its linear foot, and its inverse.
double lab_root(double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116.0; }
float lab_cube(float f) { return f > 0.206893F ? f * f * f : (f - 16.F / 116.F) / 7.787F; }

constexpr int kRootSteps = 4096;

struct Tables {
  std::array<float, 256> linear{};
  std::array<float, kRootSteps + 1> root{};
  Tables() {
    for (std::size_t i = 0; i < linear.size(); ++i) {
      const double v = static_cast<double>(i) / 255.0;
      linear[i] = static_cast<float>(v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4));
    }
    for (std::size_t i = 0; i < root.size(); ++i) {
      root[i] = static_cast<float>(lab_root(static_cast<double>(i) / kRootSteps));
    }
  }
};

const Tables& tables() {
  static const Tables kTables;
  return kTables;
}

float fast_root(float t) {
  const float x = std::clamp(t, 0.F, 1.F) * kRootSteps;
  const auto i = std::min<std::size_t>(static_cast<std::size_t>(x), kRootSteps - 1);
  const float f = x - static_cast<float>(i);
  const auto& root = tables().root;
  return root[i] * (1 - f) + root[i + 1] * f;
}

}  // namespace

float linear_of_byte(unsigned char v) { return tables().linear[v]; }

Lab lab_of_linear(const Linear& rgb) {
  const float x = fast_root((0.4124F * rgb[0] + 0.3576F * rgb[1] + 0.1805F * rgb[2]) / 0.9505F);
  const float y = fast_root(0.2126F * rgb[0] + 0.7152F * rgb[1] + 0.0722F * rgb[2]);
  const float z = fast_root((0.0193F * rgb[0] + 0.1192F * rgb[1] + 0.9505F * rgb[2]) / 1.0890F);
  return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

Linear linear_of_lab(const Lab& lab) {
  const float fy = (lab[0] + 16) / 116;
  const float x = 0.9505F * lab_cube(fy + lab[1] / 500);
  const float y = lab_cube(fy);
  const float z = 1.0890F * lab_cube(fy - lab[2] / 200);
  const Linear rgb(3.2406F * x - 1.5372F * y - 0.4986F * z,
                   -0.9689F * x + 1.8758F * y + 0.0415F * z,
                   0.0557F * x - 0.2040F * y + 1.0570F * z);
  return {std::clamp(rgb[0], 0.F, 1.F), std::clamp(rgb[1], 0.F, 1.F), std::clamp(rgb[2], 0.F, 1.F)};
}

cv::Vec3b bgr_of_lab(const Lab& lab) {
  const Linear rgb = linear_of_lab(lab);
  cv::Vec3b out;
  for (int k = 0; k < 3; ++k) {
    const float v = rgb[k];
    const float s = v <= 0.0031308F ? 12.92F * v : 1.055F * std::pow(v, 1 / 2.4F) - 0.055F;
    out[2 - k] = static_cast<unsigned char>(std::lround(255 * std::clamp(s, 0.F, 1.F)));
  }
  return out;
}

}  // namespace rowbot::vision
