#include "trials/wire_faults.h"

#include <cmath>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <utility>

#include "robot/arm/angles.h"
#include "robot/farend/driver_rigs.h"

namespace rowbot::trials {
namespace {

using arm::JointVector;
using cell::ArmState;

constexpr double kHangS = 60;
constexpr int kMostActions = 20;  // until a fault strikes
constexpr int kAttempts = 5;      // to come back from a fault

/// What both wires' trials share: random motions and grips, and the account of what came of them.
class WholeMotionTrials {
 public:
  WholeMotionTrials(cell::ArmDriver& driver, drivers::SimulatedPacer& pacer,
                    farend::KinematicWorld& world, const WireTrialOptions& options)
      : driver_(driver), pacer_(pacer), world_(world), options_(options), rng_(options.seed) {}

  [[nodiscard]] Rng& rng() { return rng_; }
  [[nodiscard]] bool enough() const { return report_.faults >= options_.count; }
  void know(const char* fault) { report_.by_fault.push_back({.name = fault}); }

  /// Did the last action end only because it was halted?
  [[nodiscard]] bool only_halted() const { return driver_.read().fault == "halted"; }

  /// How far the hand is from what a grip that reported success was told.
  [[nodiscard]] double hand_off_m() const {
    return gripped_m_ ? std::abs(world_.gripper_width_m() - *gripped_m_) : 0;
  }

  /// The way back that a person would take.
  bool bring_up() {
    for (int i = 0; i < kAttempts; ++i) {
      if (driver_.read().state == cell::ArmState::kFault) (void)driver_.clear_fault();
      if (driver_.read().state == cell::ArmState::kReady) (void)driver_.activate();
      if (driver_.read().state == cell::ArmState::kActive) return true;
    }
    ++report_.unrecovered;
    trouble(fmt::format("no way back: {}", driver_.read().fault));
    return false;
  }

  /// Motions and grips until the fault has struck; the words of the one that failed by it.
  template <class FarEndPart>
  Result<void> act_until_struck(const FarEndPart& far_end, double reach_rad) {
    for (int k = 0; k < kMostActions && far_end.fault_pending(); ++k) {
      auto done = act(reach_rad);
      if (done) continue;
      // Only halted: go on until the fault strikes.
      if (!far_end.fault_pending() || !bring_up()) return done;
    }
    return {};
  }

  enum class End { kReported, kSeen, kHarmless, kUnnoticed };
  void count(std::size_t fault, End end, const std::string& words) {
    FaultTally& tally = report_.by_fault[fault];
    ++report_.faults;
    ++tally.count;
    if (tally.example.empty() && end != End::kUnnoticed) tally.example = words;
    // A failure without a reason helps nobody.
    if (words.empty() && end != End::kHarmless) end = End::kUnnoticed;
    switch (end) {
      case End::kReported:
        ++tally.reported;
        ++report_.reported;
        break;
      case End::kSeen:
        ++tally.seen;
        ++report_.seen;
        break;
      case End::kHarmless:
        ++tally.harmless;
        ++report_.harmless;
        break;
      case End::kUnnoticed:
        ++report_.unnoticed;
        trouble(fmt::format("{}: {}", tally.name, words));
        break;
    }
    if (options_.progress) options_.progress(report_.faults);
  }

  void trouble(const std::string& what) {
    if (report_.first_trouble.empty()) report_.first_trouble = what;
  }

  [[nodiscard]] WireTrialReport report() && {
    report_.far_end.limit_violations = world_.violations();
    report_.far_end.first_violation = world_.first_violation();
    report_.sim_seconds = pacer_.now_s();
    return std::move(report_);
  }

 private:
  Result<void> act(double reach_rad) {
    const double before_s = pacer_.now_s();
    gripped_m_.reset();
    auto done = rng_.below(5) == 0 ? grip() : move(reach_rad);
    if (pacer_.now_s() - before_s > kHangS) {
      ++report_.hung;
      trouble(fmt::format("an action took {:.0f} s", pacer_.now_s() - before_s));
    }
    return done;
  }

  /// From where the driver believes the arm to be.
  Result<void> move(double reach_rad) {
    const arm::ArmModel& model = driver_.model();
    const arm::JointVector from = driver_.read().q_rad;
    arm::JointVector to = from;
    for (double& q : to) q += reach_rad * (2 * rng_.uniform() - 1);
    to = arm::clamped(model, to);
    const auto motion = arm::joint_move(model, arm::clamped(model, from), to);
    // Where the arm would touch itself, the driver refuses by itself: another goal, then.
    if (!arm::check(model, motion, {})) return {};
    if (auto started = driver_.start(motion); !started) return started;
    if (rng_.below(10) == 0) {
      driver_.heartbeat();
      pacer_.advance(0.15 * rng_.uniform());
      driver_.halt();
      pacer_.advance(0.2);
    }
    return driver_.wait();
  }

  Result<void> grip() {
    const arm::Gripper& gripper = driver_.model().gripper;
    const double width_m = rng_.below(2) == 0 ? gripper.max_width_m : 0;
    const auto done = driver_.grip({.width_m = width_m, .force_n = gripper.max_force_n / 4});
    if (!done) return done.error();
    gripped_m_ = width_m;
    return {};
  }

  cell::ArmDriver& driver_;
  drivers::SimulatedPacer& pacer_;
  farend::KinematicWorld& world_;
  const WireTrialOptions& options_;
  Rng rng_;
  std::optional<double> gripped_m_;  // what the last grip was told, when it reported success
  WireTrialReport report_;
};

using End = WholeMotionTrials::End;

}  // namespace

Result<WireTrialReport> run_serial_faults(const WireTrialOptions& options) {
  auto world = std::make_shared<farend::KinematicWorld>(arm::roboarm());
  auto made = farend::roboarm_rig(world, {.seed = options.seed});
  if (!made) return made.error();
  farend::RoboArmRig& rig = *made;
  drivers::RoboArm& driver = *rig.driver;
  if (auto done = driver.configure(); !done) return done.error();
  WholeMotionTrials trials(driver, *rig.pacer, *world, options);
  for (int k = 0; k < farend::kLineFaults; ++k)
    trials.know(farend::line_fault_name(static_cast<farend::LineFault>(k)));
  while (!trials.enough()) {
    // A person puts the arm where it belongs and says so: each fault starts afresh.
    rig.pacer->advance(0.1);
    world->put(arm::neutral(world->model()));
    rig.far_end->rest();
    driver.calibrated();
    if (!trials.bring_up()) break;
    rig.pacer->advance(0.1);  // the stops with which it begins are not what a fault should meet
    const std::size_t fault = trials.rng().below(farend::kLineFaults);
    const auto kind = static_cast<farend::LineFault>(fault);
    rig.far_end->inject(kind, trials.rng().below(30), 0.05 + 1.5 * trials.rng().uniform());
    const auto done = trials.act_until_struck(*rig.far_end, arm::radians(12));
    if (rig.far_end->fault_pending()) return Error{"a fault on the line never struck"};
    if (!done && !trials.only_halted()) {
      trials.count(fault, End::kReported, done.error().message);
    } else if (const auto looked = driver.seen_at(world->joints_rad(), world->gripper_width_m());
               !looked) {
      trials.count(fault, End::kSeen, looked.error().message);
    } else {
      trials.count(fault, End::kHarmless, "");
    }
    if (kind != farend::LineFault::kUnplugged) continue;
    if (driver.clear_fault()) trials.trouble("a fault was cleared without a port");
    if (auto plugged = rig.far_end->plug(); !plugged) return plugged.error();
  }
  return std::move(trials).report();
}

Result<WireTrialReport> run_rosbridge_faults(const WireTrialOptions& options) {
  auto world = std::make_shared<farend::KinematicWorld>(arm::panda());
  auto made = farend::panda_rig(world, {.seed = options.seed});
  if (!made) return made.error();
  farend::PandaRig& rig = *made;
  drivers::PandaArm& driver = *rig.driver;
  if (auto done = driver.configure(); !done) return done.error();
  WholeMotionTrials trials(driver, *rig.pacer, *world, options);
  for (int k = 0; k < farend::kBridgeFaults; ++k) {
    trials.know(farend::bridge_fault_name(static_cast<farend::BridgeFault>(k)));
  }
  while (!trials.enough()) {
    rig.far_end->clear_faults();
    rig.pacer->advance(0.1);
    if (!trials.bring_up()) break;
    const std::size_t fault = trials.rng().below(farend::kBridgeFaults);
    const auto kind = static_cast<farend::BridgeFault>(fault);
    const bool of_goals = kind == farend::BridgeFault::kLostGoal ||
                          kind == farend::BridgeFault::kRefusedGoal ||
                          kind == farend::BridgeFault::kAbortedGoal;
    rig.far_end->inject(kind, of_goals ? 0 : trials.rng().below(30),
                        0.02 + 1.2 * trials.rng().uniform());
    auto done = trials.act_until_struck(*rig.far_end, 0.25);
    // What strikes at the end of an action shows when the next one is asked for.
    rig.pacer->advance(0.05);
    if (trials.only_halted()) {
      rig.far_end->clear_faults();
      if (!trials.bring_up()) break;
      done = {};
    }
    if (done && driver.read().state == cell::ArmState::kFault) done = Error{driver.read().fault};
    const double off = (world->joints_rad() - driver.read().q_rad).cwiseAbs().maxCoeff();
    if (!done) {
      trials.count(fault, End::kReported, done.error().message);
    } else if (off > arm::radians(1)) {
      trials.count(
          fault, End::kUnnoticed,
          fmt::format("the arm is {:.1f} degrees from where the driver has it", arm::degrees(off)));
    } else if (trials.hand_off_m() > 0.003) {
      trials.count(fault, End::kUnnoticed, "the hand is not where the grip should have brought it");
    } else {
      trials.count(fault, End::kHarmless, "");
    }
  }
  return std::move(trials).report();
}

}  // namespace rowbot::trials
