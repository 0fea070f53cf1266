#include "robot/vision/ellipses.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>
#include <opencv2/imgproc.hpp>
#include <optional>

namespace rowbot::vision {
namespace {

// Fits the ellipse with the moments of the contour's inside and measures how
// far the contour strays from it.
std::optional<Ellipse> fit(const std::vector<cv::Point>& contour, const EllipseOptions& options,
                           float max_area) {
  if (contour.size() < 8) return std::nullopt;
  const cv::Moments m = cv::moments(contour);
  if (m.m00 < options.min_area || m.m00 > max_area) return std::nullopt;
  Ellipse e;
  e.center = cv::Point2f(static_cast<float>(m.m10 / m.m00), static_cast<float>(m.m01 / m.m00));
  // Uniform density inside an ellipse has covariance S / 4.
  const float xx = static_cast<float>(4 * m.mu20 / m.m00);
  const float xy = static_cast<float>(4 * m.mu11 / m.m00);
  const float yy = static_cast<float>(4 * m.mu02 / m.m00);
  e.shape = cv::Matx22f(xx, xy, xy, yy);
  const float det = xx * yy - xy * xy;
  if (det <= 0) return std::nullopt;
  const float half_trace = (xx + yy) / 2;
  const float root = std::sqrt(std::max(0.F, half_trace * half_trace - det));
  const float axis_ratio = std::sqrt((half_trace - root) / (half_trace + root));
  if (axis_ratio < options.min_axis_ratio) return std::nullopt;
  e.area = std::numbers::pi_v<float> * std::sqrt(det);
  const float fill = static_cast<float>(m.m00) / e.area;
  if (fill < 0.85F) return std::nullopt;

  // The contour in coordinates where the ellipse is the unit circle.
  const float l00 = std::sqrt(xx);
  const float l10 = xy / l00;
  const float l11 = std::sqrt(det) / l00;
  double sum = 0;
  double sum2 = 0;
  std::complex<double> fourth = 0;   // harmonic of the radius: what makes a square a square
  std::complex<double> density = 0;  // of the points themselves, an effect of the pixel grid
  for (const cv::Point& p : contour) {
    const float u = (static_cast<float>(p.x) - e.center.x) / l00;
    const float v = (static_cast<float>(p.y) - e.center.y - l10 * u) / l11;
    const double r2 = u * u + v * v;
    const double r = std::sqrt(r2);
    sum += r;
    sum2 += r2;
    const std::complex<double> z2 = std::complex<double>(u, v) * std::complex<double>(u, v) / r2;
    fourth += r * z2 * z2;
    density += z2 * z2;
  }
  const auto n = static_cast<double>(contour.size());
  const double mean = sum / n;
  e.error = static_cast<float>(std::sqrt(std::max(0.0, sum2 / n - mean * mean)) / mean);
  // A contour on the pixel grid strays by about a third of a pixel.
  const float radius = std::sqrt(std::sqrt(det));
  if (e.error > options.max_error + 0.35F / radius) return std::nullopt;
  if (2 * std::abs(fourth - mean * density) / sum > options.max_corners + 0.3F / radius)
    return std::nullopt;
  return e;
}

void collect(const cv::Mat& mask, const EllipseOptions& options, float max_area,
             std::vector<Ellipse>& out) {
  std::vector<std::vector<cv::Point>> contours;
  cv::findContours(mask, contours, cv::RETR_LIST, cv::CHAIN_APPROX_NONE);
  for (const auto& contour : contours) {
    if (auto e = fit(contour, options, max_area)) out.push_back(*e);
  }
}

std::array<cv::Mat, 3> opponent_channels(const cv::Mat& image) {
  std::array<cv::Mat, 3> out;
  for (cv::Mat& m : out) m.create(image.size(), CV_8U);
  for (int y = 0; y < image.rows; ++y) {
    const auto* p = image.ptr<cv::Vec3b>(y);
    auto* light = out[0].ptr<std::uint8_t>(y);
    auto* red_blue = out[1].ptr<std::uint8_t>(y);
    auto* green_magenta = out[2].ptr<std::uint8_t>(y);
    for (int x = 0; x < image.cols; ++x) {
      const int b = p[x][0];
      const int g = p[x][1];
      const int r = p[x][2];
      light[x] = static_cast<std::uint8_t>((r + 2 * g + b) >> 2);
      red_blue[x] = static_cast<std::uint8_t>((r - b + 256) >> 1);
      green_magenta[x] = static_cast<std::uint8_t>((2 * g - r - b + 512) >> 2);
    }
  }
  return out;
}

}  // namespace

float Ellipse::radii_to(cv::Point2f p) const {
  const cv::Matx22f inverse = shape.inv();
  const cv::Point2f d = p - center;
  return std::sqrt(d.x * d.x * inverse(0, 0) + 2 * d.x * d.y * inverse(0, 1) +
                   d.y * d.y * inverse(1, 1));
}

std::vector<Ellipse> find_ellipses(const cv::Mat& image, const EllipseOptions& options) {
  const float max_area = options.max_area_share * static_cast<float>(image.total());
  const std::array<cv::Mat, 3> channels = opponent_channels(image);
  constexpr std::array<int, 3> kStep = {6, 3, 3};
  const int longer = std::max(image.cols, image.rows);
  const std::array<int, 2> windows = {(longer / 24) | 1, (longer / 7) | 1};

  std::vector<Ellipse> found;
  cv::Mat mean;
  cv::Mat mask;
  for (std::size_t c = 0; c < channels.size(); ++c) {
    cv::Mat smooth;
    cv::blur(channels[c], smooth, cv::Size(3, 3));
    for (const int window : windows) {
      cv::boxFilter(smooth, mean, CV_8U, cv::Size(window, window));
      cv::add(mean, kStep[c], mask);
      cv::compare(smooth, mask, mask, cv::CMP_GT);
      collect(mask, options, max_area, found);
      cv::subtract(mean, kStep[c], mask);
      cv::compare(smooth, mask, mask, cv::CMP_LT);
      collect(mask, options, max_area, found);
    }
  }
  std::sort(found.begin(), found.end(),
            [](const Ellipse& a, const Ellipse& b) { return a.error < b.error; });
  std::vector<Ellipse> kept;
  for (const Ellipse& e : found) {
    const float radius = std::sqrt(e.area / std::numbers::pi_v<float>);
    const bool twin = std::any_of(kept.begin(), kept.end(), [&](const Ellipse& k) {
      const float ratio = k.area / e.area;
      return ratio > 0.7F && ratio < 1.4F && std::abs(k.center.x - e.center.x) < 0.2F * radius &&
             std::abs(k.center.y - e.center.y) < 0.2F * radius;
    });
    if (!twin) kept.push_back(e);
  }
  return kept;
}

}  // namespace rowbot::vision
