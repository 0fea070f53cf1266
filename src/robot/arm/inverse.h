// From a pose of the tool to joint angles: closed forms for the three arms, derived in
// docs/kinematics.md. What cannot be reached is explained, with the nearest point that can.
//
// An arm with fewer than six joints cannot choose the whole orientation. The EEZYbotARM obeys the
// position only; the RoboArm also turns its wrist as near to the wanted orientation as it can. The
// rest of the difference is reported as orientation_error_rad.
// Thread safety: pure functions.
#pragma once

#include <array>
#include <cassert>
#include <optional>
#include <string>

#include "robot/arm/arm_model.h"

namespace rowbot::arm {

struct IkSolution {
  JointVector q_rad;
  double orientation_error_rad = 0;
};

/// Up to eight solutions, in place.
class IkSolutions {
 public:
  static constexpr std::size_t kCapacity = 8;

  void add(const JointVector& q_rad) {
    assert(size_ < kCapacity);
    items_[size_++].q_rad = q_rad;
  }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] IkSolution& operator[](std::size_t i) { return items_[i]; }
  [[nodiscard]] const IkSolution& operator[](std::size_t i) const { return items_[i]; }
  [[nodiscard]] auto begin() { return items_.begin(); }
  [[nodiscard]] auto end() { return items_.begin() + static_cast<std::ptrdiff_t>(size_); }
  [[nodiscard]] auto begin() const { return items_.begin(); }
  [[nodiscard]] auto end() const { return items_.begin() + static_cast<std::ptrdiff_t>(size_); }

 private:
  std::array<IkSolution, kCapacity> items_;
  std::size_t size_ = 0;
};

/// Every solution within the limits. The Panda has a joint to spare: redundancy_rad is the angle of
/// its last joint; the other arms ignore it.
[[nodiscard]] IkSolutions solve_all(const ArmModel& model, const Pose& X_base_tool,
                                    double redundancy_rad = 0);

struct IkOptions {
  /// Among several solutions take the one nearest to this; the neutral pose when empty. A fixed
  /// posture, not the last pose: repeated solving would drift away from it.
  JointVector prefer_rad = {};
  /// The Panda's last joint; when absent, all of its range is searched.
  std::optional<double> redundancy_rad = std::nullopt;
};

[[nodiscard]] std::optional<IkSolution> solve(const ArmModel& model, const Pose& X_base_tool,
                                              const IkOptions& options = {});

struct Unreachable {
  std::string reason;
  JointVector nearest_q_rad;
  Pose X_base_nearest = Pose::Identity();
  double distance_m = 0;
};

/// Why solve() found nothing, and the nearest place the arm can go to instead. A search of some
/// milliseconds.
[[nodiscard]] Unreachable explain_unreachable(const ArmModel& model, const Pose& X_base_tool);

/// solve(), with the explanation as the error.
[[nodiscard]] Result<IkSolution> inverse(const ArmModel& model, const Pose& X_base_tool,
                                         const IkOptions& options = {});

}  // namespace rowbot::arm
