#include "robot/arm/arm_model.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <fmt/format.h>

#include "base/text.h"
#include "robot/arm/angles.h"

namespace rowbot::arm {
namespace {

Range coupled_range(const CoupledLimits& limits, double q_on_rad) {
  return {.min = limits.min_rad + limits.min_slope * q_on_rad,
          .max = limits.max_rad + limits.max_slope * q_on_rad};
}

}  // namespace

std::span<const ArmModel* const> all_models() {
  static const std::array<const ArmModel*, 3> kModels = {&eezybot(), &roboarm(), &panda()};
  return kModels;
}

Result<const ArmModel*> model_by_name(std::string_view name) {
  for (const ArmModel* model : all_models()) {
    if (model->name == name) return model;
  }
  return Error{fmt::format("there is no robot {}; the robots are eezybot, roboarm and panda",
                           in_quotes(name))};
}

Result<JointVector> named_position(const ArmModel& model, std::string_view name) {
  std::string known;
  for (const NamedPosition& position : model.positions) {
    if (position.name == name) return position.q_rad;
    known += (known.empty() ? "" : ", ") + position.name;
  }
  return Error{fmt::format("{} has no position {}; it has {}", model.name, in_quotes(name), known)};
}

Range joint_range(const ArmModel& model, const JointVector& q_rad, int joint) {
  const JointLimits& own = model.joints[static_cast<std::size_t>(joint)];
  Range range{.min = own.min_rad, .max = own.max_rad};
  for (const CoupledLimits& limits : model.coupled) {
    if (limits.joint != joint) continue;
    const Range coupled = coupled_range(limits, q_rad[limits.on]);
    range.min = std::max(range.min, coupled.min);
    range.max = std::min(range.max, coupled.max);
  }
  return range;
}

bool within_limits(const ArmModel& model, const JointVector& q_rad, double tolerance_rad) {
  assert(q_rad.size() == joint_count(model));
  for (int i = 0; i < joint_count(model); ++i) {
    const Range range = joint_range(model, q_rad, i);
    // Written so that NaN counts as outside.
    if (!(q_rad[i] >= range.min - tolerance_rad && q_rad[i] <= range.max + tolerance_rad)) {
      return false;
    }
  }
  return true;
}

std::optional<std::string> limit_violation(const ArmModel& model, const JointVector& q_rad,
                                           double tolerance_rad) {
  for (int i = 0; i < joint_count(model); ++i) {
    const Range range = joint_range(model, q_rad, i);
    if (q_rad[i] >= range.min - tolerance_rad && q_rad[i] <= range.max + tolerance_rad) continue;
    return fmt::format("joint {} ({}) would stand at {:.1f} degrees, its range is {:.1f} to {:.1f}",
                       i + 1, model.joints[static_cast<std::size_t>(i)].name, degrees(q_rad[i]),
                       degrees(range.min), degrees(range.max));
  }
  return std::nullopt;
}

JointVector clamped(const ArmModel& model, JointVector q_rad) {
  for (int i = 0; i < joint_count(model); ++i) {
    const JointLimits& own = model.joints[static_cast<std::size_t>(i)];
    q_rad[i] = std::clamp(q_rad[i], own.min_rad, own.max_rad);
  }
  // A coupled joint gives way to the joint it depends on.
  for (const CoupledLimits& limits : model.coupled) {
    const Range range = coupled_range(limits, q_rad[limits.on]);
    q_rad[limits.joint] = std::clamp(q_rad[limits.joint], range.min, range.max);
  }
  return q_rad;
}

}  // namespace rowbot::arm
