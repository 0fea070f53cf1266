// The arm's part of the scene.
#include <cmath>
#include <utility>

#include "robot/arm/forward.h"
#include "robot/cell/layout.h"
#include "robot/sim/mjcf_text.h"

namespace rowbot::sim {
namespace {

using arm::ArmModel;
using arm::Pose;
using Eigen::Vector3d;

class ArmBody : MjcfText {
 public:
  explicit ArmBody(const ArmModel& model) : model_(model), finish_(arm_finish(model)) {}

  std::string write() {
    shapes_of(0);
    const int links = static_cast<int>(model_.links.size());
    for (int i = 1; i <= links; ++i) {
      const arm::DhLink& link = model_.links[static_cast<std::size_t>(i - 1)];
      // RotX TransX RotZ TransZ: the last two commute, so the joint may turn the shifted frame.
      const Pose X = arm::link_transform(link, 0);
      line("<body name=\"link_{}\" {}>", i, place(X));
      line("<joint name=\"link_{}\" type=\"hinge\" axis=\"0 0 1\"/>", i);
      shapes_of(i);
    }
    hand();
    for (int i = 0; i < links; ++i) line("</body>");
    return take();
  }

 private:
  void shapes_of(int link) {
    int part = 0;
    for (const arm::Capsule& c : model_.shape) {
      if (c.link != link || link > static_cast<int>(model_.links.size())) continue;
      line(
          "<geom name=\"arm_{}_{}\" type=\"capsule\" fromto=\"{} {}\" size=\"{}\" material=\"{}\" "
          "density=\"{}\" contype=\"0\"/>",
          link, part++, numbers(c.start_m), numbers(c.end_m), c.radius_m,
          link % 2 == 0 ? "arm" : "joint", finish_.density);
    }
  }

  void hand() {
    const auto& gripper = model_.gripper;
    const Vector3d size = gripper.finger_size_m;
    line("<body name=\"tool\" {}>", place(model_.X_last_tool));
    line("<site name=\"tool\" size=\"0.002\" rgba=\"0 0 0 0\"/>");
    // The palm carries the fingers.
    box("arm_palm", {0, 0, gripper.fingertip_m - size.z() - 0.15 * size.z()},
        {size.x() / 2 + 0.002, gripper.max_width_m / 2 + size.y(), 0.15 * size.z()},
        fmt::format("material=\"joint\" density=\"{}\" contype=\"0\"", finish_.density));
    for (const auto& [name, side] : {std::pair{"left", 1.0}, std::pair{"right", -1.0}}) {
      line("<body name=\"finger_{}\">", name);
      line(
          "<joint name=\"finger_{}\" type=\"slide\" axis=\"0 {} 0\" range=\"0 {}\" "
          "limited=\"true\" armature=\"0.05\" damping=\"20\"/>",
          name, side, gripper.max_width_m / 2);
      box(fmt::format("finger_{}", name),
          {0, side * size.y() / 2, gripper.fingertip_m - size.z() / 2},
          {size.x() / 2, size.y() / 2, size.z() / 2},
          fmt::format("material=\"joint\" friction=\"1.5 0.02 0.001\" condim=\"4\" mass=\"0.01\" "
                      "contype=\"0\" conaffinity=\"{}\"",
                      1 | kFlatOfPiece));
      if (gripper.marker_m) marker(side, *gripper.marker_m);
      line("</body>");
    }
    line("</body>");
  }

  /// Magenta on white, on the outside of a finger (vision/gripper_check.h).
  void marker(double side, double width) {
    const auto& gripper = model_.gripper;
    const Vector3d middle = cell::marker_in_tool_m(gripper);
    const auto paper = [&](const char* what, double half, double above, const char* rgba) {
      line(
          "<geom name=\"seen_{}_{}\" type=\"box\" pos=\"{}\" size=\"{} 0.0002 {}\" rgba=\"{}\" "
          "mass=\"0\" contype=\"0\" conaffinity=\"0\"/>",
          what, side > 0 ? "left" : "right",
          numbers({middle.x(), side * (gripper.finger_size_m.y() + above), middle.z()}), half, half,
          rgba);
    };
    paper("paper", 0.9 * width, 0.0003, "0.95 0.95 0.95 1");
    paper("marker", 0.5 * width, 0.0008, "0.90 0.05 0.80 1");
  }

  const ArmModel& model_;
  ArmFinish finish_;
};

}  // namespace

ArmFinish arm_finish(const ArmModel& model) {
  if (model.name == "panda")
    return {.link_rgba = "0.93 0.94 0.95 1", .joint_rgba = "0.25 0.26 0.28 1", .density = 500};
  if (model.name == "roboarm")
    return {.link_rgba = "0.88 0.70 0.25 1", .joint_rgba = "0.20 0.20 0.22 1", .density = 500};
  return {.link_rgba = "0.16 0.52 0.48 1", .joint_rgba = "0.15 0.15 0.17 1", .density = 600};
}

std::string arm_body_xml(const ArmModel& model) { return ArmBody(model).write(); }

std::string arm_motors_xml(const ArmModel& model) {
  MjcfText xml;
  const int n = arm::joint_count(model);
  const int links = static_cast<int>(model.links.size());
  // q = L theta for the first n links; the rest follow by rods.
  const Eigen::MatrixXd inverse = model.link_from_joint.topRows(n).inverse();
  xml.line("<tendon>");
  for (int i = 0; i < n; ++i) {
    xml.line("<fixed name=\"q_{}\">", i + 1);
    for (int k = 0; k < n; ++k) {
      if (std::abs(inverse(i, k)) > 1e-12) {
        xml.line("<joint joint=\"link_{}\" coef=\"{}\"/>", k + 1, inverse(i, k));
      }
    }
    xml.line("</fixed>");
  }
  for (int i = n; i < links; ++i) {
    const Eigen::RowVectorXd follows = model.link_from_joint.row(i) * inverse;
    xml.line("<fixed name=\"rod_{}\"><joint joint=\"link_{}\" coef=\"1\"/>", i + 1, i + 1);
    for (int k = 0; k < n; ++k) {
      if (std::abs(follows[k]) > 1e-12) {
        xml.line("<joint joint=\"link_{}\" coef=\"{}\"/>", k + 1, -follows[k]);
      }
    }
    xml.line("</fixed>");
  }
  xml.line("</tendon><equality>");
  xml.line(
      "<joint joint1=\"finger_left\" joint2=\"finger_right\" polycoef=\"0 1 0 0 0\" "
      "solref=\"0.004 1\"/>");
  for (int i = n; i < links; ++i) {
    xml.line("<tendon tendon1=\"rod_{}\" polycoef=\"0 1 0 0 0\" solref=\"0.004 1\"/>", i + 1);
  }
  xml.line("</equality><actuator>");
  for (int i = 0; i < n; ++i) {
    xml.line("<position name=\"q_{0}\" tendon=\"q_{0}\" kp=\"1\"/>", i + 1);  // gains: see Scene
  }
  xml.line("<position name=\"finger_left\" joint=\"finger_left\" kp=\"1500\"/>");
  xml.line("<position name=\"finger_right\" joint=\"finger_right\" kp=\"1500\"/>");
  xml.line("<position name=\"gate\" joint=\"gate\" kp=\"400\"/>");
  xml.line("</actuator>");
  return xml.take();
}

}  // namespace rowbot::sim
