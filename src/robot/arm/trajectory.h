// Motion over time: a smooth path through joint space, run along a smooth clock so that no joint
// exceeds its speed or acceleration, and the arm starts and ends at rest without a jerk.
// Thread safety: a const Trajectory may be shared by any number of threads.
#pragma once

#include <span>
#include <vector>

#include "robot/arm/arm_model.h"
#include "robot/arm/collision.h"

namespace rowbot::arm {

struct JointState {
  JointVector q_rad;
  JointVector v_rad_s;
  JointVector a_rad_s2;
};

/// A twice differentiable curve through joint vectors (a natural cubic spline); a straight line
/// when there are two. The parameter runs from 0 to 1.
class JointPath {
 public:
  /// Requires at least two points. The knots are spaced by the time that the slowest joint needs
  /// at full speed.
  JointPath(const ArmModel& model, std::span<const JointVector> points_rad);

  /// Position, first and second derivative by the parameter.
  [[nodiscard]] JointState at(double s) const;

 private:
  std::vector<double> knots_;
  std::vector<JointVector> points_rad_;
  std::vector<JointVector> bends_;  // second derivatives at the knots
};

/// The clock of a motion: speeds up over the first share of the time, runs evenly, slows down over
/// the last. Its acceleration is a half wave of a sine: it starts and ends at 0.
struct Ramp {
  double share = 0.5;  // of the duration, for each of the two ends; within (0, 0.5]

  struct Value {
    double s = 0;
    double ds = 0;
    double dds = 0;
  };
  /// For a time within [0, 1].
  [[nodiscard]] Value at(double time) const;
};

class Trajectory {
 public:
  /// Stays at one place, for no time.
  explicit Trajectory(JointVector q_rad);
  /// Along the points in one sweep, as fast as the limits allow with this kind of clock.
  /// `speed` within (0, 1] slows everything down.
  Trajectory(const ArmModel& model, std::span<const JointVector> points_rad, double speed = 1.0);

  /// One after the other, with a stop in between; requires that `next` starts where this ends.
  void append(const Trajectory& next);

  [[nodiscard]] double duration_s() const { return duration_s_; }
  /// Before the start and after the end the arm rests there.
  [[nodiscard]] JointState at(double time_s) const;
  [[nodiscard]] const JointVector& start_rad() const { return start_rad_; }
  [[nodiscard]] const JointVector& end_rad() const { return end_rad_; }

 private:
  struct Piece {
    JointPath path;
    Ramp ramp;
    double start_s = 0;
    double duration_s = 0;
  };

  JointVector start_rad_;
  JointVector end_rad_;
  double duration_s_ = 0;
  std::vector<Piece> pieces_;
};

[[nodiscard]] Trajectory joint_move(const ArmModel& model, const JointVector& from_rad,
                                    const JointVector& to_rad, double speed = 1.0);

/// The tool moves along a straight line from where it is to the target pose, turning evenly.
/// Fails when a part of the line is out of reach, or only reachable with another posture.
[[nodiscard]] Result<Trajectory> straight_line(const ArmModel& model, const JointVector& from_rad,
                                               const Pose& X_base_target, double speed = 1.0);

/// Looks at a whole trajectory before any driver sees it: positions, speeds, accelerations,
/// contacts. Steps are so small that no point of the arm moves further than 5 mm between two.
[[nodiscard]] Result<void> check(const ArmModel& model, const Trajectory& trajectory,
                                 const Surroundings& around);

/// Is the straight line between two joint vectors free? Without a time law; used by the planner.
[[nodiscard]] bool line_is_free(const ArmModel& model, const JointVector& from_rad,
                                const JointVector& to_rad, const Surroundings& around);

/// Length of a path in joint space.
[[nodiscard]] double path_length(std::span<const JointVector> points_rad);

}  // namespace rowbot::arm
