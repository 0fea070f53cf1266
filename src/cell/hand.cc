#include "cell/hand.h"

#include <fmt/format.h>
#include <utility>

namespace rowbot::cell {

ArmHand::ArmHand(ArmDriver& driver, CellLayout layout, std::uint64_t seed, PlanRunner run_whole)
    : driver_(driver), layout_(std::move(layout)), seed_(seed), run_whole_(std::move(run_whole)) {}

bool ArmHand::holds_piece() const {
  if (!driver_.feels_grip()) return true;  // the eye will tell
  const double closed_on =
      layout_.piece.shape == PieceShape::kDisc ? layout_.piece.thickness_m : layout_.piece.radius_m;
  return driver_.read().gripper_width_m > 0.5 * closed_on;
}

Result<void> ArmHand::go_home() {
  const arm::JointVector home = arm::neutral(driver_.model());
  const arm::JointVector here = driver_.read().q_rad;
  if ((here - home).cwiseAbs().maxCoeff() < 0.01) return {};
  // After trouble slowly: from unusual places at full speed motors overshoot their limits.
  const auto way = plan_to(layout_, here, home, {.seed = seed_, .speed = 0.5});
  if (!way) return Error{"no way back to the neutral place: " + way.error().message};
  return run(driver_, *way);
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

HandReport ArmHand::back_home(HandTrouble trouble, std::string what) {
  if (auto home = go_home(); !home) {
    return {.trouble = HandTrouble::kFault,
            .what = fmt::format("{}; then {}", what, home.error().message)};
  }
  return {.trouble = trouble, .what = std::move(what)};
}

HandReport ArmHand::drop(game::Column column) {
  const auto plan = plan_drop(layout_, column, driver_.read().q_rad, {.seed = ++seed_});
  if (!plan) return {.trouble = HandTrouble::kFault, .what = plan.error().message};
  if (run_whole_) {
    const auto done = run_whole_(*plan);
    if (!done) return {.trouble = HandTrouble::kFault, .what = done.error().message};
    return {};
  }
  for (const DropStep& step : plan->steps) {
    if (step.name == "release" && !holds_piece()) {
      return back_home(HandTrouble::kLostPiece, "the disc was lost on the way to the board");
    }
    const auto done = run_step(driver_, step);
    if (!done) return {.trouble = HandTrouble::kFault, .what = done.error().message};
    if (step.name == "close" && !holds_piece()) {
      return back_home(HandTrouble::kNoPiece, "there was no disc to pick up in the magazine");
    }
  }
  return {};
}

}  // namespace rowbot::cell
