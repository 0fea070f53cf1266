// Does the arm touch anything? Capsules along its links against boxes in the cell, and against
// each other.
// Thread safety: pure functions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "robot/arm/arm_model.h"

namespace rowbot::arm {

struct Box {
  std::string name;
  Pose X_base_box = Pose::Identity();
  Eigen::Vector3d half_m = Eigen::Vector3d::Zero();
};

/// What stands around the arm, and what it holds.
struct Surroundings {
  std::vector<Box> boxes;
  /// The piece between the fingers, in the tool frame (its link number is not used).
  std::optional<Capsule> carried;
  /// Boxes that the carried piece and the fingers may come near to: the slot they serve.
  std::vector<std::string> served;
  double margin_m = 0.004;
};

/// The exact distance of the capsule's axis from the box; 0 when they meet.
[[nodiscard]] double segment_box_distance(const Eigen::Vector3d& start_m,
                                          const Eigen::Vector3d& end_m, const Box& box);
[[nodiscard]] double segment_distance(const Eigen::Vector3d& a0_m, const Eigen::Vector3d& a1_m,
                                      const Eigen::Vector3d& b0_m, const Eigen::Vector3d& b1_m);

/// The first contact found, in words; nothing when the arm stands free.
[[nodiscard]] std::optional<std::string> contact(const ArmModel& model, const JointVector& q_rad,
                                                 const Surroundings& around);
/// The same question without the words: fast.
[[nodiscard]] bool collides(const ArmModel& model, const JointVector& q_rad,
                            const Surroundings& around);

}  // namespace rowbot::arm
