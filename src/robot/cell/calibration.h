// Calibration by hand: the arm goes to the first slot, the last slot and the magazine as it
// believes them to be; a person jogs it to where they really are and presses Enter. The columns
// between the two slots are interpolated. The same steps work on a real arm and in the twin. Thread
// safety: none; one thread drives the arm.
#pragma once

#include <string>
#include <string_view>

#include "robot/cell/arm_driver.h"
#include "robot/cell/layout.h"

namespace rowbot::cell {

class Calibration {
 public:
  /// The driver must be active; it and the calibration end together.
  Calibration(ArmDriver& driver, CellLayout believed);

  /// Goes to the first place. Blocks while the arm moves.
  Result<void> begin();

  /// One key: a d (x), s w (y), f r (z) jog down and up, - + make the step smaller or larger,
  /// Enter accepts, n skips. What does not fit the board is not accepted. Blocks while the arm
  /// moves.
  Result<void> key(char key);

  /// What to show to the person now.
  [[nodiscard]] std::string prompt() const;
  [[nodiscard]] bool finished() const { return place_ == 3; }
  /// The layout with what was accepted so far; always sound.
  [[nodiscard]] const CellLayout& layout() const { return layout_; }

  static std::string_view help();

 private:
  [[nodiscard]] Eigen::Vector3d target() const;
  [[nodiscard]] double hand_above_m() const;
  Result<void> go_to_place();
  Result<void> jog(const Eigen::Vector3d& by_m);
  Result<void> accept();
  Result<void> next();

  ArmDriver& driver_;
  CellLayout layout_;
  int place_ = 0;  // 0 first slot, 1 last slot, 2 magazine, 3 done
  double step_m_ = 0.002;
  arm::JointVector q_rad_;
};

}  // namespace rowbot::cell
