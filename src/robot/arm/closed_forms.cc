#include "robot/arm/closed_forms.h"

#include <cmath>

#include "robot/arm/angles.h"
#include "robot/arm/forward.h"

namespace rowbot::arm {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

/// The two angles x with a sin x + b cos x = c, if there are any. Rounding may put a touching case
/// just outside; it counts as touching.
std::optional<std::array<double, 2>> solve_sine_cosine(double a, double b, double c) {
  const double r = std::hypot(a, b);
  const double square = (r - c) * (r + c);
  if (!(square >= -1e-12 * r * r)) return std::nullopt;
  const double middle = std::atan2(a, b);
  const double half = std::atan2(std::sqrt(std::max(square, 0.0)), c);
  return std::array<double, 2>{middle + half, middle - half};
}

}  // namespace

std::optional<std::array<Elbow, 2>> two_link_elbows(double x_m, double y_m, double a_m,
                                                    double b_m) {
  // Two circles: u^2 + v^2 = a^2 and (x - u)^2 + (y - v)^2 = b^2. Their difference is the line
  // x u + y v = w through both elbows; w / d is its distance from the origin.
  const double d2 = x_m * x_m + y_m * y_m;
  const double w = (a_m * a_m + d2 - b_m * b_m) / 2;
  const double square = d2 * a_m * a_m - w * w;
  if (!(d2 > 0) || !(square >= -1e-12 * d2 * a_m * a_m)) return std::nullopt;
  const double root = std::sqrt(std::max(square, 0.0));
  return std::array<Elbow, 2>{
      Elbow{.u_m = (x_m * w - y_m * root) / d2, .v_m = (y_m * w + x_m * root) / d2},
      Elbow{.u_m = (x_m * w + y_m * root) / d2, .v_m = (y_m * w - x_m * root) / d2}};
}

IkSolutions eezybot_solutions(const EezybotGeometry& g, const Pose& X_base_tool) {
  const Vector3d p = X_base_tool.translation();
  const double r = std::hypot(p.x(), p.y());
  const double height = p.z() - g.base_height_m;
  IkSolutions solutions;
  for (const double side : {1.0, -1.0}) {  // facing the point, or with the back to it
    const double base = std::atan2(side * p.y(), side * p.x());
    const double reach = side * r - g.hand_m;
    const auto elbows = two_link_elbows(reach, height, g.main_arm_m, g.forearm_m);
    if (!elbows) continue;
    for (const Elbow& elbow : *elbows) {
      solutions.add(joint_vector({base, std::atan2(elbow.v_m, elbow.u_m),
                                  std::atan2(height - elbow.v_m, reach - elbow.u_m)}));
    }
  }
  return solutions;
}

IkSolutions roboarm_solutions(const RoboarmGeometry& g, const Pose& X_base_tool) {
  const Vector3d p = X_base_tool.translation();
  const double r = std::hypot(p.x(), p.y());
  const double theta = std::atan2(p.y(), p.x());
  const double z1 = p.z() - g.l5_m;
  IkSolutions solutions;
  const double square = (r - g.l4_m) * (r + g.l4_m);  // r''^2 = r^2 - l4^2
  if (!(square >= 0)) return solutions;
  for (const double side : {1.0, -1.0}) {
    const double r2 = side * std::sqrt(square);
    const double base = wrapped(theta + std::atan2(g.l4_m, r2));
    const double r1 = r2 + g.l3_m;
    const auto elbows = two_link_elbows(r1, z1, g.l1_m, g.l2_m);
    if (!elbows) continue;
    for (const Elbow& elbow : *elbows) {
      const double shoulder = std::atan2(elbow.u_m, elbow.v_m);       // phi', from the vertical
      const double rho = std::atan2(elbow.v_m - z1, r1 - elbow.u_m);  // forearm below horizontal
      // What is left to turn about the forearm, seen in the tool frame that a wrist at 0 has.
      const double cb = std::cos(base);
      const double sb = std::sin(base);
      const Vector3d down(-std::sin(rho) * cb, -std::sin(rho) * sb, -std::cos(rho));
      const Vector3d left(-sb, cb, 0);
      const Vector3d wanted = X_base_tool.linear().col(0);
      const double roll = std::atan2(wanted.dot(left), wanted.dot(down));
      solutions.add(joint_vector({base, shoulder, wrapped(rho - shoulder), roll}));
    }
  }
  return solutions;
}

IkSolutions panda_solutions(const PandaGeometry& g, const Pose& X_base_tool, double q7_rad) {
  // Frame 6 moves with joint 6 and does not depend on joint 7: it is known at once.
  const DhLink link7{.a_m = g.a7_m, .alpha_rad = kPi / 2, .d_m = 0, .theta_rad = 0};
  const Pose X_7_tool = Eigen::Translation3d(0, 0, g.flange_m + g.hand_m) *
                        Eigen::AngleAxisd(g.hand_turn_rad, Vector3d::UnitZ()) * Pose::Identity();
  const Pose X_base_6 = X_base_tool * (link_transform(link7, q7_rad) * X_7_tool).inverse();
  // The shoulder as seen from frame 6.
  const Vector3d p_6_shoulder = X_base_6.inverse() * Vector3d(0, 0, g.d1_m);
  const double distance2 = p_6_shoulder.squaredNorm();

  IkSolutions solutions;
  // The elbow opens until shoulder and wrist have that distance: one equation for joint 4.
  const double upper2 = g.d3_m * g.d3_m + g.a4_m * g.a4_m;
  const double lower2 = g.d5_m * g.d5_m + g.a4_m * g.a4_m;
  const auto elbow =
      solve_sine_cosine(g.a4_m * (g.d3_m + g.d5_m), g.a4_m * g.a4_m - g.d3_m * g.d5_m,
                        (upper2 + lower2 - distance2) / 2);
  if (!elbow) return solutions;
  for (const double q4 : *elbow) {
    const double c4 = std::cos(q4);
    const double s4 = std::sin(q4);
    // The shoulder in the frame of the forearm: along its axis, and beside it.
    const double along = s4 * g.a4_m - c4 * g.d3_m - g.d5_m;
    const double beside = g.a4_m - c4 * g.a4_m - s4 * g.d3_m;
    const auto wrist = solve_sine_cosine(p_6_shoulder.x(), p_6_shoulder.y(), along);
    if (!wrist) continue;
    for (const double q6 : *wrist) {
      const double c6 = std::cos(q6);
      const double s6 = std::sin(q6);
      const double x5 = p_6_shoulder.x() * c6 - p_6_shoulder.y() * s6;
      const double y5 = -p_6_shoulder.z();
      const double sign = beside < 0 ? -1.0 : 1.0;
      const double q5 = std::atan2(-sign * y5, sign * x5);
      const double c5 = std::cos(q5);
      const double s5 = std::sin(q5);
      // R_3_6 = R_3_4(q4) R_4_5(q5) R_5_6(q6), multiplied out from the link transforms.
      Matrix3d R_3_4;
      R_3_4 << c4, -s4, 0, 0, 0, -1, s4, c4, 0;
      Matrix3d R_4_5;
      R_4_5 << c5, -s5, 0, 0, 0, 1, -s5, -c5, 0;
      Matrix3d R_5_6;
      R_5_6 << c6, -s6, 0, 0, 0, -1, s6, c6, 0;
      const Matrix3d R_base_3 = X_base_6.linear() * (R_3_4 * R_4_5 * R_5_6).transpose();
      // The shoulder is a ball joint: R_base_3 = RotZ(q1) RotY(q2) RotZ(q3), two ways.
      const double s2 = std::hypot(R_base_3(0, 2), R_base_3(1, 2));
      for (const double way : {1.0, -1.0}) {
        const double q2 = std::atan2(way * s2, R_base_3(2, 2));
        // Upright, only the sum of joints 1 and 3 matters; joint 1 stays at 0.
        const double q1 = s2 < 1e-12 ? 0.0 : std::atan2(way * R_base_3(1, 2), way * R_base_3(0, 2));
        const double c1 = std::cos(q1);
        const double s1 = std::sin(q1);
        const double q3 = std::atan2(c1 * R_base_3(1, 0) - s1 * R_base_3(0, 0),
                                     c1 * R_base_3(1, 1) - s1 * R_base_3(0, 1));
        solutions.add(joint_vector({q1, q2, q3, wrapped(q4), q5, q6, q7_rad}));
      }
    }
  }
  return solutions;
}

}  // namespace rowbot::arm
