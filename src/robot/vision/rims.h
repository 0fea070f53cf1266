// Judges whether places in an image look like holes of one frame: a rim of the
// frame's colour around something else.
//
// Thread safety: const after construction; the image must outlive the judge.
#pragma once

#include <opencv2/core.hpp>
#include <optional>
#include <span>

#include "robot/vision/geometry.h"

namespace rowbot::vision {

class RimJudge {
 public:
  /// `holes` (column, row) are believed to be holes: they tell the frame's colour.
  RimJudge(const cv::Mat& image, const BoardGeometry& geometry, std::span<const cv::Point> holes);

  /// Share of the rim that fits, 0..1; nothing when most of it is outside the image.
  [[nodiscard]] std::optional<double> score(int column, int row) const;

 private:
  [[nodiscard]] bool like_frame(const cv::Vec3f& colour) const;
  [[nodiscard]] cv::Vec3f at(int column, int row, int angle, double radii) const;

  const cv::Mat& image_;
  BoardGeometry geometry_;
  cv::Vec3f frame_;
  float tolerance_ = 0;
};

/// Mean score of the 42 cells.
[[nodiscard]] double rim_support(const cv::Mat& image, const BoardGeometry& geometry);

}  // namespace rowbot::vision
