#include "robot/vision/camera_sensor.h"

#include <algorithm>
#include <utility>

#include "robot/vision/board_finder.h"
#include "robot/vision/cells.h"
#include "robot/vision/gripper_check.h"
#include "robot/vision/rims.h"
#include "robot/vision/video_camera.h"

namespace rowbot::vision {

using cell::BoardReading;
using cell::Sight;

CameraSensor::CameraSensor(cell::Camera& camera, CameraSensorOptions options)
    : camera_(camera), options_(std::move(options)) {}

/// Where the board stands in this frame. A lattice shifted by a whole column looks much like
/// itself, so the board is searched anew in every frame. It stands where it stood as long as the
/// rims are still there: one search differs from the next by more than a disc may be off.
std::optional<BoardGeometry> CameraSensor::place_of(const cv::Mat& image) {
  const auto found = find_board(image);
  if (!found) {
    if (!place_ && options_.calibration && options_.calibration->image_size == image.size()) {
      place_ = options_.calibration->geometry;
    }
    // A hand before the board hides its lattice; the rims that are left still tell.
    const bool there = place_ && rim_support(image, *place_) > 0.75 * support_;
    return there ? place_ : std::nullopt;
  }
  const double here = place_ ? rim_support(image, *place_) : 0;
  const double there = rim_support(image, found->geometry);
  const bool moved =
      !place_ || (here < 0.9 * support_ && here < 0.8 * there &&
                  cell::corner_shift(pixel_corners(*place_), pixel_corners(found->geometry)) >
                      options_.moved_columns);
  if (moved) place_ = found->geometry;
  support_ = moved ? there : std::max(support_, here);
  return place_;
}

Result<Look> CameraSensor::read_frame() {
  auto frame = camera_.grab();
  if (!frame) return frame.error();
  frame_ = *std::move(frame);
  const auto image = image_of(*frame_);
  if (!image) return image.error();
  const auto place = place_of(*image);
  if (!place) return no_board();
  DecodeHints hints;
  if (options_.calibration) {
    hints.first = options_.calibration->first;
    hints.second = options_.calibration->second;
  }
  BoardLook cells = look_at_cells(*image, *place);
  if (!hints.first) ask_cell_network(*image, *place, cells);
  return look_at_cells_of(cells, *place, hints);
}

std::optional<double> CameraSensor::gripper_column() {
  if (!place_) return std::nullopt;
  auto frame = camera_.grab();
  if (!frame) return std::nullopt;
  frame_ = *std::move(frame);
  const auto image = image_of(*frame_);
  if (!image) return std::nullopt;
  const auto sight = check_gripper(*image, *place_, 0);
  return sight ? std::optional(sight->column) : std::nullopt;
}

Result<BoardReading> CameraSensor::look() {
  std::optional<BoardReading> before;
  for (int i = 0; i < options_.frames; ++i) {
    auto seen = read_frame();
    if (!seen) return seen.error();
    look_ = *std::move(seen);
    const BoardReading& reading = look_->reading;
    const bool same =
        before && before->board == reading.board && before->corners == reading.corners;
    if (reading.sight == Sight::kGood && same) return reading;
    if (reading.sight == Sight::kGood) {
      before = reading;
    } else {
      before.reset();
    }
  }
  BoardReading last = look_->reading;
  // Clear frames that never agreed: something is moving.
  if (last.sight == Sight::kGood) last.sight = Sight::kMoving;
  return last;
}

}  // namespace rowbot::vision
