#include "robot/cell/calibration.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "robot/arm/forward.h"
#include "robot/arm/inverse.h"
#include "robot/cell/drop_plan.h"

namespace rowbot::cell {
namespace {

using Eigen::Vector3d;

constexpr double kSmallestStepM = 0.0005;
constexpr double kLargestStepM = 0.016;

}  // namespace

Calibration::Calibration(ArmDriver& driver, CellLayout believed)
    : driver_(driver), layout_(std::move(believed)), q_rad_(arm::neutral(driver.model())) {}

std::string_view Calibration::help() {
  return "a d: x down, up   s w: y down, up   f r: z down, up   - +: step   Enter: accept   n: "
         "skip";
}

Vector3d Calibration::target() const {
  if (place_ == 0) return layout_.board.first_slot_m;
  return place_ == 1 ? layout_.board.last_slot_m : layout_.magazine.pick_m;
}

Result<void> Calibration::accept() {
  const Vector3d found = arm::forward(driver_.model(), driver_.read().q_rad).translation() -
                         Vector3d(0, 0, hand_above_m() + layout_.lift_m / 2);
  CellLayout updated = layout_;
  if (place_ == 0) {
    // A board that stands elsewhere does so with both ends: a better guess for the next step.
    updated.board.last_slot_m += found - updated.board.first_slot_m;
    updated.board.first_slot_m = found;
  } else {
    (place_ == 1 ? updated.board.last_slot_m : updated.magazine.pick_m) = found;
  }
  if (auto sound = check_layout(updated); !sound) return sound;
  layout_ = std::move(updated);
  return next();
}

double Calibration::hand_above_m() const {
  return place_ == 2 ? 0.0 : layout_.board.release_height_m;
}

std::string Calibration::prompt() const {
  if (finished()) return "calibrated";
  const char* place = place_ == 0   ? "the slot of column 1"
                      : place_ == 1 ? "the slot of column 7"
                                    : "the waiting piece in the magazine";
  const Vector3d p = arm::forward(driver_.model(), q_rad_).translation();
  return fmt::format(
      "step {} of 3: bring the hand over {}, then press Enter\n"
      "hand at {:.1f}, {:.1f}, {:.1f} mm; one key moves {:.1f} mm",
      place_ + 1, place, 1000 * p.x(), 1000 * p.y(), 1000 * p.z(), 1000 * step_m_);
}

Result<void> Calibration::begin() {
  if (auto sound = check_layout(layout_); !sound) return sound;
  if (driver_.read().state != ArmState::kActive) return Error{"the arm is not active"};
  return go_to_place();
}

Result<void> Calibration::go_to_place() {
  const Vector3d along =
      place_ == 2 ? Vector3d(Eigen::AngleAxisd(layout_.magazine.yaw_rad, Vector3d::UnitZ()) *
                             Vector3d::UnitX())
                  : Vector3d(board_pose(layout_).linear().col(0));
  // Well above first: the real place may be a little higher than believed.
  const Vector3d point = target() + Vector3d(0, 0, hand_above_m() + layout_.lift_m / 2);
  std::string last_error = "no posture reaches it";
  for (const arm::Pose& X : hold_poses(layout_, point, along)) {
    const auto goal = arm::inverse(driver_.model(), X);
    if (!goal) {
      last_error = goal.error().message;
      continue;
    }
    const auto way = plan_to(layout_, q_rad_, goal->q_rad);
    if (!way) {
      last_error = way.error().message;
      continue;
    }
    auto done = run(driver_, *way);
    if (done) q_rad_ = way->end_rad();
    return done;
  }
  return Error{last_error};
}

Result<void> Calibration::jog(const Vector3d& by_m) {
  arm::Pose X = arm::forward(driver_.model(), q_rad_);
  X.translation() += by_m;
  const auto line = arm::straight_line(driver_.model(), q_rad_, X, 0.5);
  if (!line) return line.error();
  auto done = run(driver_, *line);
  if (done) q_rad_ = line->end_rad();
  return done;
}

Result<void> Calibration::next() {
  ++place_;
  if (finished()) return {};
  return go_to_place();
}

Result<void> Calibration::key(char key) {
  if (finished()) return Error{"the calibration is finished"};
  switch (key) {
    case 'a':
      return jog({-step_m_, 0, 0});
    case 'd':
      return jog({step_m_, 0, 0});
    case 's':
      return jog({0, -step_m_, 0});
    case 'w':
      return jog({0, step_m_, 0});
    case 'f':
      return jog({0, 0, -step_m_});
    case 'r':
      return jog({0, 0, step_m_});
    case '-':
      step_m_ = std::max(step_m_ / 2, kSmallestStepM);
      return {};
    case '+':
      step_m_ = std::min(step_m_ * 2, kLargestStepM);
      return {};
    case 'n':
      return next();
    case '\n':
    case '\r':
      return accept();
    default:
      return Error{fmt::format("there is no key '{}'; {}", key, help())};
  }
}

}  // namespace rowbot::cell
