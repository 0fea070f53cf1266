// The eye at a table: a camera and the reader of its pictures, behind the port of a board sensor.
//
// Thread safety: none; one thread owns it. look() takes as long as its frames do.
#pragma once

#include <memory>
#include <optional>

#include "robot/cell/board_sensor.h"
#include "robot/cell/camera.h"
#include "robot/vision/calibration.h"
#include "robot/vision/reader.h"

namespace rowbot::vision {

struct CameraSensorOptions {
  std::optional<Calibration> calibration;
  int frames = 8;  // until patience ends
  /// By how many columns a corner must be off for the board to have moved: more than the noise of
  /// finding it, which is larger where holes are deep.
  double moved_columns = 0.1;
};

class CameraSensor final : public cell::BoardSensor {
 public:
  /// The camera outlives the sensor.
  explicit CameraSensor(cell::Camera& camera, CameraSensorOptions options = {});

  /// Good only when two frames in a row show the same board, all of it, in the same place. Follows
  /// a board that was moved: the reading's corners say where it stands now.
  [[nodiscard]] Result<cell::BoardReading> look() override;

  /// Where the gripper's marker is in a new picture, in columns from the middle of the first. None
  /// when it is not seen, or no board was before.
  [[nodiscard]] std::optional<double> gripper_column();

  /// The last picture and what was seen in it; none before the first look.
  [[nodiscard]] const std::optional<cell::Frame>& frame() const { return frame_; }
  [[nodiscard]] const std::optional<Look>& last_look() const { return look_; }

 private:
  [[nodiscard]] Result<Look> read_frame();

  [[nodiscard]] std::optional<BoardGeometry> place_of(const cv::Mat& image);

  cell::Camera& camera_;
  CameraSensorOptions options_;
  std::optional<BoardGeometry> place_;  // where the board stood last
  double support_ = 0;                  // of its rims then
  std::optional<cell::Frame> frame_;
  std::optional<Look> look_;
};

}  // namespace rowbot::vision
