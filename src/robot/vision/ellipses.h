// Finds blobs that look like ellipses: candidates for the holes of a board.
//
// A hole may be brighter or darker than its frame, or differ only in hue, so
// three channels are thresholded against their local mean in both directions
// and at two window sizes. Every contour whose points lie on the ellipse with
// the same second moments is kept.
//
// Thread safety: free functions without shared state; call from any thread.
#pragma once

#include <opencv2/core.hpp>
#include <vector>

namespace rowbot::vision {

/// An ellipse by its centre and shape matrix S: points p on it satisfy
/// (p-c)^T S^-1 (p-c) = 1. S of a circle of radius r is r^2 I.
struct Ellipse {
  cv::Point2f center;
  cv::Matx22f shape;
  float area = 0;   // pi * sqrt(det S)
  float error = 0;  // rms deviation of the contour from the ellipse, in radii

  /// Distance of p from the centre in units of the radius in that direction.
  [[nodiscard]] float radii_to(cv::Point2f p) const;
};

struct EllipseOptions {
  float min_area = 14;           // px^2
  float max_area_share = 0.03F;  // of the image
  float max_error = 0.06F;       // rms, in radii
  float max_corners = 0.05F;     // fourth harmonic; a square has 0.13
  float min_axis_ratio = 0.3F;
};

/// `image` is 8-bit BGR. The result is ordered by error, best first, with
/// near duplicates removed.
[[nodiscard]] std::vector<Ellipse> find_ellipses(const cv::Mat& image,
                                                 const EllipseOptions& options = {});

}  // namespace rowbot::vision
