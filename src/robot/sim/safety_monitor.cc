#include "robot/sim/safety_monitor.h"

#include <array>
#include <cmath>
#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include "robot/arm/forward.h"

namespace rowbot::sim {

bool SafetyMonitor::within_limits() const {
  constexpr double kPositionTolerance = 0.002;
  constexpr double kSpeedTolerance = 1.05;
  const arm::ArmModel& arm = state_.scene().arm;
  const arm::JointVector v = arm_.velocities_rad_s();
  for (int i = 0; i < arm::joint_count(arm); ++i) {
    const double most = arm.joints[static_cast<std::size_t>(i)].velocity_rad_s;
    if (std::abs(v[i]) > kSpeedTolerance * most) return false;
  }
  return arm::within_limits(arm, arm_.joints_rad(), kPositionTolerance);
}

void SafetyMonitor::check() {
  if (!within_limits()) ++counts_.limit_violations;
  const mjData& data = state_.data();
  for (int c = 0; c < data.ncon; ++c) {
    const mjContact& contact = data.contact[c];
    if (contact.dist > 0) continue;
    const GeomKind a = state_.scene().kind_of_geom[static_cast<std::size_t>(contact.geom1)];
    const GeomKind b = state_.scene().kind_of_geom[static_cast<std::size_t>(contact.geom2)];
    const auto is_arm = [](GeomKind k) { return k == GeomKind::kArm || k == GeomKind::kFinger; };
    // Arm on furniture, or any part but the fingers on a piece.
    const bool unwanted = (is_arm(a) && b == GeomKind::kObstacle) ||
                          (is_arm(b) && a == GeomKind::kObstacle) ||
                          (a == GeomKind::kArm && b == GeomKind::kPiece) ||
                          (b == GeomKind::kArm && a == GeomKind::kPiece);
    if (!unwanted || counts_.unwanted_contacts++ > 0) continue;
    counts_.first_unwanted = fmt::format(
        "{} touches {} at {:.2f} s", mj_id2name(&state_.model(), mjOBJ_GEOM, contact.geom1),
        mj_id2name(&state_.model(), mjOBJ_GEOM, contact.geom2), state_.time_s());
  }
}

bool SafetyMonitor::holds_piece() const {
  const Scene& scene = state_.scene();
  const mjData& data = state_.data();
  std::array<bool, kPieces> left{};
  std::array<bool, kPieces> right{};
  for (int c = 0; c < data.ncon; ++c) {
    const mjContact& contact = data.contact[c];
    for (std::size_t k = 0; k < scene.pieces.size(); ++k) {
      const auto of_piece = [&id = scene.pieces[k]](int geom) {
        return geom == id.geom || geom == id.flat_geom;
      };
      if (!of_piece(contact.geom1) && !of_piece(contact.geom2)) continue;
      const int other = of_piece(contact.geom1) ? contact.geom2 : contact.geom1;
      if (scene.kind_of_geom[static_cast<std::size_t>(other)] != GeomKind::kFinger) continue;
      (other == scene.left_finger_geom ? left : right)[k] = true;
      if (left[k] && right[k]) return true;
    }
  }
  return false;
}

}  // namespace rowbot::sim
