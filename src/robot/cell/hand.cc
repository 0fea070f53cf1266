#include "robot/cell/hand.h"

#include <cmath>
#include <fmt/format.h>
#include <utility>

#include "robot/arm/forward.h"

namespace rowbot::cell {

ArmHand::ArmHand(ArmDriver& driver, CellLayout layout, std::uint64_t seed, PlanRunner run_whole)
    : driver_(driver), layout_(std::move(layout)), seed_(seed), run_whole_(std::move(run_whole)) {}

bool ArmHand::holds_piece() const {
  if (!driver_.feels_grip()) return true;  // the eye will tell
  const double closed_on =
      layout_.piece.shape == PieceShape::kDisc ? layout_.piece.thickness_m : layout_.piece.radius_m;
  return driver_.read().gripper_width_m > 0.5 * closed_on;
}

Result<void> ArmHand::open_fingers() {
  grip_ = Grip::kOpen;
  const auto width =
      driver_.grip({.width_m = layout_.grip_opening_m, .force_n = layout_.grip_force_n});
  if (!width) return width.error();
  return {};
}

Result<void> ArmHand::go_home() {
  const arm::JointVector home = arm::neutral(driver_.model());
  const arm::JointVector here = driver_.read().q_rad;
  if ((here - home).cwiseAbs().maxCoeff() < 0.01) return {};
  // A half-held disc stays in the magazine rather than fall on the way.
  if (grip_ == Grip::kClosing) {
    if (auto done = open_fingers(); !done) return done;
  }
  // After trouble slowly: from unusual places at full speed motors overshoot their limits.
  const auto ways =
      plan_return(layout_, here, {.seed = seed_, .speed = 0.5, .holding = grip_ == Grip::kHolding});
  if (!ways) return Error{"no way back to the neutral place: " + ways.error().message};
  for (const arm::Trajectory& way : *ways) {
    if (auto done = run(driver_, way); !done) return done;
  }
  return {};
}

Result<void> ArmHand::prepare() {
  if (driver_.read().state == ArmState::kUnconfigured) {
    if (auto done = driver_.configure(); !done) return done;
  }
  if (driver_.read().state == ArmState::kFault) {
    if (auto done = driver_.clear_fault(); !done) return done;
  }
  if (driver_.read().state == ArmState::kReady) {
    if (auto done = driver_.activate(); !done) return done;
  }
  return go_home();
}

void ArmHand::calibrated() {
  driver_.calibrated();
  correction_m_ = 0;
  grip_ = Grip::kOpen;
}

HandReport ArmHand::back_home(HandTrouble trouble, std::string what) {
  if (auto home = go_home(); !home) {
    return {.trouble = HandTrouble::kFault,
            .what = fmt::format("{}; then {}", what, home.error().message)};
  }
  return {.trouble = trouble, .what = std::move(what)};
}

Result<void> ArmHand::shift(arm::JointVector& q_rad, const arm::Pose& X_base_tool) {
  const auto line = arm::straight_line(driver_.model(), q_rad, X_base_tool, 0.3);
  if (!line) return line.error();
  if (auto done = run(driver_, *line); !done) return done;
  q_rad = line->end_rad();
  return {};
}

/// Corrects how the hand stands over a column until the eye is content. An eye that does not see
/// the marker has no say: the next look at the board tells where the disc fell.
HandReport ArmHand::aim(arm::JointVector& q_rad) {
  constexpr int kLooks = 3;
  constexpr double kContent = 0.1;  // columns; the motors' steps are no finer
  constexpr double kEnough = 0.2;   // the funnel does the rest
  constexpr double kLost = 0.8;     // so far off, the hand may hang on something
  const Eigen::Vector3d along = board_pose(layout_).linear().col(0);
  const double learned_before_m = correction_m_;
  for (int looks = 0; looks < kLooks; ++looks) {
    const auto seen = look_();
    // The hand means to stand where it would without the correction.
    const auto meant = marker_seen_at(layout_, q_rad);
    if (!seen || !meant) return {};
    const double off = *seen - (*meant - correction_m_ / layout_.board.pitch_m);
    if (std::abs(off) < (looks + 1 < kLooks ? kContent : kEnough)) return {};
    if (std::abs(off) > kLost) break;
    arm::Pose X = arm::forward(driver_.model(), q_rad);
    X.translation() -= off * layout_.board.pitch_m * along;
    if (auto done = shift(q_rad, X); !done) {
      return {.trouble = HandTrouble::kFault, .what = done.error().message};
    }
    correction_m_ -= off * layout_.board.pitch_m;
  }
  correction_m_ = learned_before_m;
  return {.trouble = HandTrouble::kAdrift,
          .what = "the hand does not stand over the column where it should"};
}

HandReport ArmHand::drop(game::Column column) {
  const Eigen::Vector3d along = board_pose(layout_).linear().col(0);
  // A drop that was halted on its way goes on with the disc it has.
  const bool holding = grip_ == Grip::kHolding && holds_piece();
  if (!holding) grip_ = Grip::kOpen;
  const auto plan =
      plan_drop(layout_, column, driver_.read().q_rad,
                {.seed = ++seed_, .holding = holding, .offset_m = correction_m_ * along});
  if (!plan) return {.trouble = HandTrouble::kNoWay, .what = plan.error().message};
  if (run_whole_) {
    const auto done = run_whole_(*plan);
    if (!done) return {.trouble = HandTrouble::kFault, .what = done.error().message};
    return {};
  }
  arm::JointVector q_rad;
  for (const DropStep& step : plan->steps) {
    if (step.kind == DropStepKind::kClose) grip_ = Grip::kClosing;
    if (step.kind == DropStepKind::kRelease) {
      if (HandReport report = release(step, q_rad); report.trouble != HandTrouble::kNone) {
        return report;
      }
      continue;
    }
    const auto done = run_step(driver_, step);
    if (!done) return {.trouble = HandTrouble::kFault, .what = done.error().message};
    if (step.motion) q_rad = step.motion->end_rad();
    if (step.kind == DropStepKind::kClose) {
      if (!holds_piece()) {
        return back_home(HandTrouble::kNoPiece, "there was no disc to pick up in the magazine");
      }
      grip_ = Grip::kHolding;
    }
  }
  return {};
}

/// Lets the disc go over its column, after a look at where the hand stands if there is an eye.
HandReport ArmHand::release(const DropStep& step, arm::JointVector& q_rad) {
  const auto fault = [](const Error& error) {
    return HandReport{.trouble = HandTrouble::kFault, .what = error.message};
  };
  if (!holds_piece()) {
    grip_ = Grip::kOpen;
    return back_home(HandTrouble::kLostPiece, "the disc was lost on the way to the board");
  }
  const arm::Pose planned = arm::forward(driver_.model(), q_rad);
  if (look_) {
    HandReport report = aim(q_rad);
    if (report.trouble == HandTrouble::kAdrift) report = back_home(report.trouble, report.what);
    if (report.trouble != HandTrouble::kNone) return report;
  }
  grip_ = Grip::kOpen;
  if (auto done = run_step(driver_, step); !done) return fault(done.error());
  // The rest was planned from where the hand meant to stand.
  if (look_) {
    if (auto done = shift(q_rad, planned); !done) return fault(done.error());
  }
  return {};
}

}  // namespace rowbot::cell
