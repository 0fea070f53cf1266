#include "trials/hostile_trials.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "robot/arm/random_joints.h"
#include "robot/cell/drop_plan.h"
#include "robot/sim/twin.h"

namespace rowbot::trials {
namespace {

using arm::JointVector;
using cell::ArmState;

class Villain {
 public:
  Villain(sim::Twin& twin, const cell::CellLayout& layout, std::uint64_t seed)
      : twin_(twin), around_(cell::surroundings(layout)), rng_(seed) {}

  void act() {
    ++report_.commands;
    switch (rng_.below(8)) {
      case 0:
        return absurd_goal();
      case 1:
        return motion_from_elsewhere();
      case 2:
        return absurd_grip();
      case 3:
        return wrong_order();
      default:
        return random_goal();
    }
  }

  [[nodiscard]] HostileReport report() && { return std::move(report_); }

 private:
  void count(bool accepted) { report_.refused += accepted ? 0 : 1; }

  /// After a fault: the way back that a person would take.
  void recover() {
    if (twin_.read().state == cell::ArmState::kFault) {
      twin_.advance(0.1);
      (void)twin_.clear_fault();
    }
    if (twin_.read().state == cell::ArmState::kReady) (void)twin_.activate();
  }

  void random_goal() {
    const arm::JointVector from = twin_.read().q_rad;
    const arm::JointVector to = arm::random_joints(twin_.model(), rng_);
    const double share = rng_.below(3) == 0 ? 1.0 : 0.2;
    const auto motion = arm::joint_move(twin_.model(), from, from + share * (to - from),
                                        0.3 + 0.7 * rng_.uniform());
    // What stands in the cell is the planner's knowledge, not the driver's.
    if (!arm::check(twin_.model(), motion, around_)) return count(false);
    const bool accepted = twin_.start(motion).has_value();
    count(accepted);
    if (!accepted) return recover();
    run_for_a_while(motion.duration_s());
  }

  void run_for_a_while(double duration_s) {
    switch (rng_.below(4)) {
      case 0: {  // halted on the way
        pass(rng_.uniform() * duration_s);
        halt();
        break;
      }
      case 1: {  // left alone: the watchdog must act
        twin_.advance(std::min(duration_s, twin_.watchdog_s()) + 0.05);
        break;
      }
      default:
        (void)twin_.wait();
    }
    recover();
  }

  /// With signs of life.
  void pass(double seconds) {
    for (double t = 0; t < seconds; t += 0.02) {
      twin_.heartbeat();
      twin_.advance(0.02);
    }
  }

  void halt() {
    const bool moving = twin_.read().moving;
    twin_.halt();
    double stop_s = 0;
    do {
      twin_.advance(twin_.world().state.step_s());
      stop_s += twin_.world().state.step_s();
    } while (stop_s < 1 && twin_.read().v_rad_s.cwiseAbs().maxCoeff() > 0.05);
    if (!moving) return;
    ++report_.halts;
    report_.worst_stop_s = std::max(report_.worst_stop_s, stop_s);
  }

  void absurd_goal() {
    arm::JointVector to = arm::random_joints(twin_.model(), rng_);
    const auto joint = static_cast<Eigen::Index>(rng_.below(static_cast<std::uint32_t>(to.size())));
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    constexpr double kEndless = std::numeric_limits<double>::infinity();
    const std::array<double, 6> absurd = {kNone, kEndless, -kEndless, 1e300, -1e300, 40};
    to[joint] = absurd[rng_.below(static_cast<std::uint32_t>(absurd.size()))];
    count(twin_.start(arm::joint_move(twin_.model(), twin_.read().q_rad, to)).has_value());
    twin_.advance(0.01);
    recover();
  }

  void motion_from_elsewhere() {
    const arm::JointVector from = arm::random_joints(twin_.model(), rng_);
    const arm::JointVector to = arm::random_joints(twin_.model(), rng_);
    const auto motion = arm::joint_move(twin_.model(), from, to);
    // Started by chance where the arm stands, it would be a motion like any other.
    if (arm::check(twin_.model(), motion, around_)) count(twin_.start(motion).has_value());
    if (twin_.read().moving) (void)twin_.wait();
    recover();
  }

  void absurd_grip() {
    count(twin_.grip({.width_m = 10 * rng_.uniform() - 5, .force_n = 1000 * rng_.uniform() - 500})
              .has_value());
    recover();
  }

  void wrong_order() {
    const bool accepted = twin_.configure().has_value() || twin_.clear_fault().has_value();
    count(accepted);
    if (rng_.below(2) == 0) (void)twin_.deactivate();
    twin_.halt();
    twin_.advance(0.01);
    recover();
  }

  sim::Twin& twin_;
  arm::Surroundings around_;
  Rng rng_;
  HostileReport report_;
};

}  // namespace

Result<HostileReport> run_hostile(const cell::CellLayout& layout, const HostileOptions& options) {
  auto created = sim::Twin::create(layout, {.seed = options.seed});
  if (!created) return created.error();
  sim::Twin& twin = **created;
  if (auto done = twin.configure(); !done) return done.error();
  if (auto done = twin.activate(); !done) return done.error();
  Villain villain(twin, layout, options.seed);
  for (std::uint64_t k = 0; k < options.count; ++k) {
    villain.act();
    if (options.progress) options.progress(k + 1);
  }
  HostileReport report = std::move(villain).report();
  const sim::SafetyCounts& counters = twin.world().safety.counts();
  report.limit_violations = counters.limit_violations;
  report.unwanted_contacts = counters.unwanted_contacts;
  report.first_unwanted = counters.first_unwanted;
  report.sim_seconds = twin.world().state.time_s();
  return report;
}

}  // namespace rowbot::trials
