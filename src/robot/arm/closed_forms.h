// The closed forms behind inverse.h: every mathematical solution, limits not yet looked at.
// Derivations with pictures: docs/kinematics.md.
// Thread safety: pure functions.
#pragma once

#include "robot/arm/inverse.h"

namespace rowbot::arm {

/// A two-link chain in its own plane: from the origin over a link of length a and one of length b
/// to (x, y). The elbow is at (u, v).
struct Elbow {
  double u_m = 0;
  double v_m = 0;
};
/// Both elbows, the higher one first when x > 0; nothing when the point is out of reach.
[[nodiscard]] std::optional<std::array<Elbow, 2>> two_link_elbows(double x_m, double y_m,
                                                                  double a_m, double b_m);

[[nodiscard]] IkSolutions eezybot_solutions(const EezybotGeometry& g, const Pose& X_base_tool);
[[nodiscard]] IkSolutions roboarm_solutions(const RoboarmGeometry& g, const Pose& X_base_tool);
[[nodiscard]] IkSolutions panda_solutions(const PandaGeometry& g, const Pose& X_base_tool,
                                          double q7_rad);

}  // namespace rowbot::arm
