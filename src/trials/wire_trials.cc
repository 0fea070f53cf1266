#include "trials/wire_trials.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <utility>

#include "robot/arm/random_joints.h"
#include "robot/arm/trajectory.h"

namespace rowbot::trials {
namespace {

using cell::ArmState;

class WireTrials {
 public:
  WireTrials(farend::FarEnd& far_end, std::uint64_t seed)
      : far_end_(far_end), driver_(far_end.driver()), rng_(seed) {
    for (const std::string_view name : far_end.faults()) {
      report_.by_fault.push_back({.name = std::string(name)});
    }
  }

  void one_fault() {
    // A fault that met no message, because the motion was over before, does not count.
    while (!try_one_fault()) {
    }
  }

  /// The way back that a person would take; false when there is none.
  bool recover() {
    constexpr int kTries = 5;
    for (int i = 0; i < kTries; ++i) {
      if (driver_.read().state == cell::ArmState::kFault) (void)driver_.clear_fault();
      if (driver_.read().state == cell::ArmState::kReady) (void)driver_.activate();
      if (driver_.read().state == cell::ArmState::kActive) return true;
    }
    return false;
  }

  [[nodiscard]] WireTrialReport report() && {
    report_.far_end = far_end_.counters();
    report_.sim_seconds = far_end_.pacer().now_s();
    return std::move(report_);
  }

 private:
  bool try_one_fault() {
    const std::optional<arm::Trajectory> motion = start_somewhere();
    if (!motion) return false;
    pass(rng_.uniform() * motion->duration_s());
    const auto kinds = static_cast<std::uint32_t>(far_end_.faults().size());
    const std::size_t fault = rng_.below(kinds);
    far_end_.inject(fault, rng_);
    const double begin_s = far_end_.pacer().now_s();
    const auto ended = driver_.wait();
    const bool hung = far_end_.pacer().now_s() - begin_s > motion->duration_s() + 5;
    const bool struck = far_end_.struck();
    if (struck) judge(report_.by_fault[fault], ended, hung);
    far_end_.pacer().advance(0.1);  // with the fault still there: the arm must not do anything
    far_end_.heal();
    far_end_.pacer().advance(0.1);
    if (!recover()) {
      ++report_.unrecovered;
      note(fmt::format("after {}: no way back: {}", report_.by_fault[fault].name,
                       driver_.read().fault));
    }
    return struck;
  }

  std::optional<arm::Trajectory> start_somewhere() {
    for (int attempt = 0; attempt < 100; ++attempt) {
      const arm::JointVector from = driver_.read().q_rad;
      const arm::JointVector to = arm::random_joints(driver_.model(), rng_);
      auto motion = arm::joint_move(driver_.model(), from, from + 0.3 * (to - from),
                                    0.4 + 0.6 * rng_.uniform());
      if (driver_.start(motion)) return motion;
    }
    return std::nullopt;
  }

  /// With signs of life.
  void pass(double seconds) {
    for (double t = 0; t < seconds; t += 0.04) {
      driver_.heartbeat();
      far_end_.pacer().advance(0.04);
    }
  }

  void judge(FaultTally& tally, const Result<void>& ended, bool hung) {
    ++report_.faults;
    ++tally.count;
    if (hung) {
      ++report_.hung;
      note(fmt::format("{}: the wait did not end in time", tally.name));
    }
    if (!ended) {
      ++tally.reported;
      ++report_.reported;
      if (tally.example.empty()) tally.example = ended.error().message;
      return;
    }
    far_end_.pacer().advance(0.1);
    const double off = (far_end_.pose_rad() - driver_.read().q_rad).cwiseAbs().maxCoeff();
    if (off <= far_end_.accuracy_rad()) {
      ++tally.harmless;
      ++report_.harmless;
    } else if (driver_.read().state == cell::ArmState::kFault) {  // noticed at rest
      ++tally.reported;
      ++report_.reported;
      if (tally.example.empty()) tally.example = driver_.read().fault;
    } else {
      ++report_.unnoticed;
      note(fmt::format("{}: the arm is {:.4f} rad off, and nobody was told", tally.name, off));
    }
  }

  void note(std::string trouble) {
    if (report_.first_trouble.empty()) report_.first_trouble = std::move(trouble);
  }

  farend::FarEnd& far_end_;
  cell::ArmDriver& driver_;
  Rng rng_;
  WireTrialReport report_;
};

}  // namespace

Result<WireTrialReport> run_wire_trials(farend::FarEnd& far_end, const WireTrialOptions& options) {
  if (far_end.driver().read().state == cell::ArmState::kUnconfigured) {
    if (auto done = far_end.driver().configure(); !done) return done.error();
  }
  WireTrials trials(far_end, options.seed);
  if (!trials.recover()) return Error{"the arm cannot be activated"};
  for (std::uint64_t k = 0; k < options.count; ++k) {
    trials.one_fault();
    if (options.progress) options.progress(k + 1);
    if (far_end.driver().read().state != cell::ArmState::kActive) break;
  }
  return std::move(trials).report();
}

}  // namespace rowbot::trials
