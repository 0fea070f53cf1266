// The numbers of the three arms, with their sources.
#include <cmath>

#include "robot/arm/angles.h"
#include "robot/arm/arm_model.h"

namespace rowbot::arm {
namespace {

using Eigen::AngleAxisd;
using Eigen::Matrix3d;
using Eigen::Translation3d;
using Eigen::Vector3d;

/// Covers palm and fingers however far they are open: slender capsules along each finger at its
/// widest, and capsules across, one above the other, for all that is between.
void cover_hand(ArmModel& m) {
  const Gripper& g = m.gripper;
  const Vector3d finger = g.finger_size_m;
  const int tool = static_cast<int>(m.links.size()) + 1;
  const double height = 1.3 * finger.z();  // with the palm
  const double top = g.fingertip_m - height;

  const int slices = static_cast<int>(std::ceil(finger.x() / finger.y()));
  const double slice = finger.x() / slices;
  const double slice_radius = std::hypot(slice, finger.y()) / 2;
  const double widest = (g.max_width_m + finger.y()) / 2;
  for (const double y : {widest, -widest}) {
    for (int i = 0; i < slices; ++i) {
      const double x = (i + 0.5) * slice - finger.x() / 2;
      m.shape.push_back({.link = tool,
                         .start_m = {x, y, top},
                         .end_m = {x, y, g.fingertip_m},
                         .radius_m = slice_radius});
    }
  }

  const int layers = static_cast<int>(std::ceil(height / finger.x()));
  const double layer = height / layers;
  const double layer_radius = std::hypot(finger.x(), layer) / 2;
  const double reach = widest + slice_radius - layer_radius;
  for (int i = 0; i < layers; ++i) {
    const double z = top + (i + 0.5) * layer;
    m.shape.push_back({.link = tool,
                       .start_m = {0, -reach, z},
                       .end_m = {0, reach, z},
                       .radius_m = layer_radius});
  }
}

// Links and ranges: the printed parts of EEZYbotARM MK1; the third servo's range over the second
// was measured on the same linkage in its larger sister (MK2), whose proportions are alike.
// Speed: MG90S, 0.10 s per 60 degrees at 4.8 V unloaded; we plan with a third of that.
ArmModel make_eezybot() {
  const EezybotGeometry g{
      .base_height_m = 0.061, .main_arm_m = 0.080, .forearm_m = 0.080, .hand_m = 0.057};
  ArmModel m;
  m.name = "eezybot";
  m.title = "EEZYbotARM MK1: three servos and a gripper, rods keep the hand level";
  m.geometry = g;
  m.joints = {
      {.name = "base",
       .min_rad = radians(-30),
       .max_rad = radians(30),
       .velocity_rad_s = 3.0,
       .acceleration_rad_s2 = 12.0},
      {.name = "main arm",
       .min_rad = radians(39),
       .max_rad = radians(120),
       .velocity_rad_s = 3.0,
       .acceleration_rad_s2 = 12.0},
      {.name = "forearm",
       .min_rad = radians(-60),
       .max_rad = radians(25),
       .velocity_rad_s = 3.0,
       .acceleration_rad_s2 = 12.0},
  };
  // The rod between the third servo and the forearm meets the main arm at both ends of its way.
  m.coupled = {{.joint = 2,
                .on = 1,
                .min_rad = radians(-70.768),
                .min_slope = 1 - 0.6755,
                .max_rad = radians(-13.144),
                .max_slope = 1 - 0.7165}};
  m.links = {
      {.a_m = 0, .alpha_rad = 0, .d_m = g.base_height_m, .theta_rad = 0},
      {.a_m = 0, .alpha_rad = kPi / 2, .d_m = 0, .theta_rad = 0},
      {.a_m = g.main_arm_m, .alpha_rad = 0, .d_m = 0, .theta_rad = 0},
      {.a_m = g.forearm_m, .alpha_rad = 0, .d_m = 0, .theta_rad = 0},
  };
  // The servos turn main arm and forearm against the base; the elbow sees their difference, and
  // the wrist undoes the forearm so that the hand stays level.
  m.link_from_joint = Eigen::MatrixXd::Zero(4, 3);
  m.link_from_joint << 1, 0, 0,  //
      0, 1, 0,                   //
      0, -1, 1,                  //
      0, 0, -1;
  // Frame 4: x forward, y up. Tool: z forward, y to the left, x down.
  Matrix3d R_last_tool;
  R_last_tool.col(0) = -Vector3d::UnitY();
  R_last_tool.col(1) = -Vector3d::UnitZ();
  R_last_tool.col(2) = Vector3d::UnitX();
  m.X_last_tool.linear() = R_last_tool;
  m.X_last_tool.translation() = Vector3d(g.hand_m, 0, 0);
  m.gripper = {.max_width_m = 0.026,
               .speed_m_s = 0.06,
               .max_force_n = 4.0,
               .finger_size_m = Vector3d(0.012, 0.004, 0.030)};
  m.shape = {
      {.link = 0, .start_m = {0, 0, 0.012}, .end_m = {0, 0, 0.040}, .radius_m = 0.030},
      {.link = 1, .start_m = {0, 0, -0.008}, .end_m = {0, 0, 0}, .radius_m = 0.022},
      {.link = 2, .start_m = {0, 0, 0}, .end_m = {g.main_arm_m, 0, 0}, .radius_m = 0.009},
      {.link = 3, .start_m = {0, 0, 0}, .end_m = {g.forearm_m, 0, 0}, .radius_m = 0.008},
      {.link = 4, .start_m = {0, 0, 0}, .end_m = {0.026, 0, 0}, .radius_m = 0.010},
  };
  cover_hand(m);
  m.positions = {{.name = "neutral", .q_rad = joint_vector({0, radians(100), radians(5)})}};
  return m;
}

// Ranges: Stuart, "Connect 4 as a Problem in Artificial Intelligence and Robotics", section 2.
// The report gives no lengths and no speeds; these are the proportions of a desktop arm of its
// class. Measure yours.
ArmModel make_roboarm() {
  const RoboarmGeometry g{
      .l1_m = 0.220, .l2_m = 0.260, .l3_m = 0.030, .l4_m = 0.045, .l5_m = 0.300};
  ArmModel m;
  m.name = "roboarm";
  m.title = "RoboArm: base, shoulder, elbow and wrist on free-running motors, axes offset";
  m.geometry = g;
  m.joints = {
      {.name = "base",
       .min_rad = radians(-127),
       .max_rad = radians(127),
       .velocity_rad_s = 1.2,
       .acceleration_rad_s2 = 3.0},
      {.name = "shoulder",
       .min_rad = radians(-30),
       .max_rad = radians(65),
       .velocity_rad_s = 1.0,
       .acceleration_rad_s2 = 2.5},
      {.name = "elbow",
       .min_rad = radians(-25),
       .max_rad = radians(60),
       .velocity_rad_s = 1.2,
       .acceleration_rad_s2 = 3.0},
      {.name = "wrist",
       .min_rad = radians(-90),
       .max_rad = radians(90),
       .velocity_rad_s = 2.0,
       .acceleration_rad_s2 = 6.0},
  };
  // Shoulder: 0 is upright, forward is positive. Elbow: 0 is square to the upper arm, down is
  // positive. The forearm's frame is turned by 90 degrees so that the wrist can turn about it.
  m.links = {
      {.a_m = 0, .alpha_rad = 0, .d_m = g.l5_m, .theta_rad = 0},
      {.a_m = -g.l3_m, .alpha_rad = kPi / 2, .d_m = g.l4_m, .theta_rad = kPi / 2},
      {.a_m = g.l1_m, .alpha_rad = 0, .d_m = 0, .theta_rad = 0},
      {.a_m = 0, .alpha_rad = kPi / 2, .d_m = g.l2_m, .theta_rad = 0},
  };
  m.link_from_joint = Eigen::Vector4d(1, -1, -1, 1).asDiagonal();
  // Frame 4: z along the forearm, x up, y to the right. Tool: x down, y to the left.
  m.X_last_tool.linear() = AngleAxisd(kPi, Vector3d::UnitZ()).toRotationMatrix();
  m.gripper = {.max_width_m = 0.050,
               .speed_m_s = 0.06,
               .max_force_n = 8.0,
               .finger_size_m = Vector3d(0.016, 0.008, 0.045),
               .marker_m = 0.012};
  m.shape = {
      {.link = 0, .start_m = {0, 0, 0.075}, .end_m = {0, 0, 0.120}, .radius_m = 0.075},
      {.link = 1, .start_m = {-g.l3_m, 0, -0.090}, .end_m = {-g.l3_m, 0, 0}, .radius_m = 0.035},
      {.link = 2, .start_m = {0, 0, 0}, .end_m = {g.l1_m, 0, 0}, .radius_m = 0.024},
      {.link = 3, .start_m = {0, 0, 0}, .end_m = {0, -0.120, 0}, .radius_m = 0.020},
      {.link = 4, .start_m = {0, 0, -0.140}, .end_m = {0, 0, -0.070}, .radius_m = 0.022},
  };
  cover_hand(m);
  m.positions = {
      {.name = "neutral", .q_rad = joint_vector({radians(-50), radians(-10), radians(20), 0})}};
  return m;
}

// Denavit-Hartenberg parameters and limits: the maker's public interface specification for the
// Panda. Accelerations: a quarter of the maker's, as is usual without jerk control. Neutral joints:
// Panda 2020, section 4.10.
ArmModel make_panda() {
  const PandaGeometry g{.d1_m = 0.333,
                        .d3_m = 0.316,
                        .a4_m = 0.0825,
                        .d5_m = 0.384,
                        .a7_m = 0.088,
                        .flange_m = 0.107,
                        .hand_m = 0.1034,
                        .hand_turn_rad = -kPi / 4};
  ArmModel m;
  m.name = "panda";
  m.title = "Franka Emika Panda: seven joints and a parallel gripper";
  m.geometry = g;
  m.joints = {
      {"shoulder pan", -2.8973, 2.8973, 2.175, 3.75},
      {"shoulder lift", -1.7628, 1.7628, 2.175, 1.875},
      {"upper arm", -2.8973, 2.8973, 2.175, 2.5},
      {"elbow", -3.0718, -0.0698, 2.175, 3.125},
      {"forearm", -2.8973, 2.8973, 2.61, 3.75},
      {"wrist", -0.0175, 3.7525, 2.61, 5.0},
      {"flange", -2.8973, 2.8973, 2.61, 5.0},
  };
  m.links = {
      {.a_m = 0, .alpha_rad = 0, .d_m = g.d1_m, .theta_rad = 0},
      {.a_m = 0, .alpha_rad = -kPi / 2, .d_m = 0, .theta_rad = 0},
      {.a_m = 0, .alpha_rad = kPi / 2, .d_m = g.d3_m, .theta_rad = 0},
      {.a_m = g.a4_m, .alpha_rad = kPi / 2, .d_m = 0, .theta_rad = 0},
      {.a_m = -g.a4_m, .alpha_rad = -kPi / 2, .d_m = g.d5_m, .theta_rad = 0},
      {.a_m = 0, .alpha_rad = kPi / 2, .d_m = 0, .theta_rad = 0},
      {.a_m = g.a7_m, .alpha_rad = kPi / 2, .d_m = 0, .theta_rad = 0},
  };
  m.link_from_joint = Eigen::MatrixXd::Identity(7, 7);
  m.X_last_tool = Translation3d(0, 0, g.flange_m) * AngleAxisd(g.hand_turn_rad, Vector3d::UnitZ()) *
                  Translation3d(0, 0, g.hand_m);
  m.gripper = {.max_width_m = 0.080,
               .speed_m_s = 0.10,
               .max_force_n = 70.0,
               .finger_size_m = Vector3d(0.018, 0.010, 0.050),
               .marker_m = 0.014};
  m.shape = {
      {.link = 0, .start_m = {-0.04, 0, 0.07}, .end_m = {-0.02, 0, 0.07}, .radius_m = 0.070},
      {.link = 1, .start_m = {0, 0, -0.19}, .end_m = {0, 0, 0}, .radius_m = 0.065},
      {.link = 2, .start_m = {0, -0.10, 0}, .end_m = {0, 0, 0}, .radius_m = 0.062},
      {.link = 3, .start_m = {0, 0, -0.12}, .end_m = {0.04, 0, -0.02}, .radius_m = 0.062},
      {.link = 4, .start_m = {0, 0, 0}, .end_m = {-g.a4_m, 0.10, 0}, .radius_m = 0.058},
      {.link = 5, .start_m = {0, 0, -0.26}, .end_m = {0, 0.06, -0.12}, .radius_m = 0.055},
      {.link = 5, .start_m = {0, 0.07, -0.10}, .end_m = {0, 0.05, 0}, .radius_m = 0.045},
      {.link = 6, .start_m = {0, 0, 0}, .end_m = {0.07, 0.01, 0}, .radius_m = 0.050},
      {.link = 7, .start_m = {0, 0, -0.02}, .end_m = {0, 0, 0.09}, .radius_m = 0.045},
      {.link = 8, .start_m = {0, -0.075, -0.075}, .end_m = {0, 0.075, -0.075}, .radius_m = 0.030},
  };
  cover_hand(m);
  m.positions = {
      {.name = "neutral",
       .q_rad = joint_vector({0.963, 0.264, 0.117, -1.806, -0.035, 2.063, 0.308})},
      {.name = "ready", .q_rad = joint_vector({0, -kPi / 4, 0, -3 * kPi / 4, 0, kPi / 2, kPi / 4})},
  };
  return m;
}

}  // namespace

const ArmModel& eezybot() {
  static const ArmModel kModel = make_eezybot();
  return kModel;
}

const ArmModel& roboarm() {
  static const ArmModel kModel = make_roboarm();
  return kModel;
}

const ArmModel& panda() {
  static const ArmModel kModel = make_panda();
  return kModel;
}

}  // namespace rowbot::arm
