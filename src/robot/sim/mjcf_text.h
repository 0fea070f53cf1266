// Text in MuJoCo's scene language (MJCF), line by line.
// Thread safety: none.
#pragma once

#include <fmt/format.h>
#include <iterator>
#include <string>
#include <utility>

#include "robot/arm/arm_model.h"

namespace rowbot::sim {

/// Contact bit of the flats by which the fingers hold a disc.
inline constexpr int kFlatOfPiece = 2;

/// How the arm is painted, and what it weighs.
struct ArmFinish {
  const char* link_rgba;
  const char* joint_rgba;
  double density;
};
[[nodiscard]] ArmFinish arm_finish(const arm::ArmModel& model);

class MjcfText {
 public:
  template <class... Args>
  void line(fmt::format_string<Args...> text, Args&&... args) {
    fmt::format_to(std::back_inserter(xml_), text, std::forward<Args>(args)...);
    xml_ += '\n';
  }

  void box(const std::string& name, const Eigen::Vector3d& centre, const Eigen::Vector3d& half,
           const std::string& extra) {
    line("<geom name=\"{}\" type=\"box\" pos=\"{}\" size=\"{}\" {}/>", name, numbers(centre),
         numbers(half), extra);
  }

  [[nodiscard]] static std::string numbers(const Eigen::Vector3d& v) {
    return fmt::format("{:.9g} {:.9g} {:.9g}", v.x(), v.y(), v.z());
  }
  [[nodiscard]] static std::string place(const arm::Pose& X) {
    const Eigen::Quaterniond q(X.linear());
    return fmt::format("pos=\"{}\" quat=\"{:.12g} {:.12g} {:.12g} {:.12g}\"",
                       numbers(X.translation()), q.w(), q.x(), q.y(), q.z());
  }
  [[nodiscard]] std::string take() { return std::move(xml_); }

 private:
  std::string xml_;
};

/// The arm's links, its palm and its fingers, as a body of the world.
[[nodiscard]] std::string arm_body_xml(const arm::ArmModel& model);
/// Which motor turns what: tendons, equalities and actuators, with those of the gate.
[[nodiscard]] std::string arm_motors_xml(const arm::ArmModel& model);

}  // namespace rowbot::sim
