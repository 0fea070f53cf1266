#include "robot/farend/servo_far_end.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <fmt/format.h>
#include <unistd.h>

#include "robot/arm/angles.h"

namespace rowbot::farend {
namespace {

// MG90S at 4.8 V without load: 60 degrees in 0.1 s.
constexpr double kServoSpeedRadS = 10.5;
// It does not stir for less than half its dead band of 5 us.
constexpr double kDeadUs = 2.5;

std::filesystem::path own_folder() {
  static std::atomic<int> number = 0;
  // In memory where there is a folder for that: thousands of trials write many small files.
  const std::filesystem::path memory = "/dev/shm";
  return (::access(memory.c_str(), W_OK) == 0 ? memory : std::filesystem::temp_directory_path()) /
         fmt::format("rowbot-servos-{}-{}", ::getpid(), ++number);
}

std::unique_ptr<SimulatedServoWire> make_wire(drivers::WireKind kind,
                                              const drivers::ServoCalibration& calibration,
                                              const std::filesystem::path& folder) {
  switch (kind) {
    case drivers::WireKind::kSysfs:
      return simulated_sysfs_wire(folder, calibration.frequency_hz);
    case drivers::WireKind::kGpio:
      return simulated_gpio_wire(calibration);
    case drivers::WireKind::kI2c:
      return simulated_i2c_wire(calibration);
  }
  return nullptr;
}

/// A servo takes no notice of what cannot be meant for it.
bool understandable(const std::optional<double>& pulse_us) {
  return pulse_us && *pulse_us >= 400 && *pulse_us <= 2600;
}

}  // namespace

ServoFarEnd::ServoFarEnd(drivers::ServoCalibration calibration, drivers::WireKind kind)
    : calibration_(std::move(calibration)),
      model_(**arm::model_by_name(calibration_.robot)),
      folder_(own_folder()),
      wire_(make_wire(kind, calibration_, folder_)),
      pacer_(std::make_shared<drivers::SimulatedPacer>()),
      held_us_(calibration_.joints.size() + 1),
      pose_rad_(arm::neutral(model_)) {
  pacer_->on_time([this](double elapsed_s) { pass(elapsed_s); });
}

Result<std::unique_ptr<ServoFarEnd>> ServoFarEnd::create(drivers::WireKind kind) {
  auto far_end =
      std::unique_ptr<ServoFarEnd>(new ServoFarEnd(drivers::default_calibration(kind), kind));
  auto arm = drivers::ServoArm::create(
      far_end->calibration_,
      [wire = far_end->wire_.get()](drivers::WireKind, const std::vector<int>& channels) {
        return wire->wire(channels);
      },
      far_end->pacer_);
  if (!arm) return arm.error();
  far_end->arm_ = *std::move(arm);
  return far_end;
}

ServoFarEnd::~ServoFarEnd() {
  arm_.reset();
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

double ServoFarEnd::accuracy_rad() const {
  const drivers::PulseRange& pulses = calibration_.joints.front().pulses;
  const double rad_per_us = arm::radians(pulses.travel_deg) / (pulses.max_us - pulses.min_us);
  return (wire_->step_us() + kDeadUs) * rad_per_us;
}

void ServoFarEnd::inject(std::size_t fault, Rng& rng) {
  wire_->inject(fault, rng);
  // The last kind of each wire is slowness.
  if (fault + 1 == faults().size()) pacer_->stall(0.5 * rng.uniform());
}

std::optional<arm::JointVector> ServoFarEnd::told_rad() const {
  arm::JointVector q_rad = pose_rad_;
  bool any = false;
  for (std::size_t i = 0; i < calibration_.joints.size(); ++i) {
    if (!held_us_[i]) continue;  // limp: it stays where it is
    q_rad[static_cast<Eigen::Index>(i)] =
        drivers::joint_angle_rad(calibration_.joints[i], *held_us_[i]);
    any = true;
  }
  if (!any) return std::nullopt;
  return q_rad;
}

std::optional<double> ServoFarEnd::told_width_m() const {
  if (!held_us_.back()) return std::nullopt;
  return grip_share(calibration_.gripper, *held_us_.back()) * model_.gripper.max_width_m;
}

void ServoFarEnd::hear(std::size_t servo, int channel) {
  const auto pulse_us = wire_->pulse_us(channel);
  std::optional<double>& held_us = held_us_[servo];
  if (!understandable(pulse_us)) {
    held_us.reset();
  } else if (!held_us) {
    held_us = pulse_us;
  } else if (const double gap = *pulse_us - *held_us; std::abs(gap) > kDeadUs) {
    held_us = *pulse_us - std::copysign(kDeadUs, gap);
  }
}

void ServoFarEnd::pass(double elapsed_s) {
  wire_->next_period();
  for (std::size_t i = 0; i < calibration_.joints.size(); ++i) {
    hear(i, calibration_.joints[i].channel);
  }
  hear(calibration_.joints.size(), calibration_.gripper.channel);
  const arm::JointVector before_rad = pose_rad_;
  if (const auto told = told_rad()) {
    const double most = kServoSpeedRadS * elapsed_s;
    for (Eigen::Index i = 0; i < pose_rad_.size(); ++i) {
      pose_rad_[i] += std::clamp((*told)[i] - pose_rad_[i], -most, most);
    }
  }
  watch(before_rad, elapsed_s);
}

void ServoFarEnd::watch(const arm::JointVector& before_rad, double elapsed_s) {
  // What a wire can express is a grid; a joint may lie one step beside what was meant.
  const double grid_rad = accuracy_rad();
  double beyond_rad = 0;
  std::string what;
  if (const auto broken = arm::limit_violation(model_, pose_rad_, grid_rad)) {
    what = *broken;
    beyond_rad = (pose_rad_ - arm::clamped(model_, pose_rad_)).cwiseAbs().maxCoeff();
  }
  for (Eigen::Index i = 0; i < pose_rad_.size(); ++i) {
    const double most = model_.joints[static_cast<std::size_t>(i)].velocity_rad_s * elapsed_s;
    const double step = std::abs(pose_rad_[i] - before_rad[i]);
    if (step <= most + 2 * grid_rad) continue;
    beyond_rad = std::max(beyond_rad, step - most);
    if (what.empty()) {
      what = fmt::format("joint {} turned {:.1f} degrees in {:.0f} ms", i + 1, arm::degrees(step),
                         1000 * elapsed_s);
    }
  }
  // The way back from an excursion is part of it.
  const bool beyond = wire_->beyond_the_driver();
  const bool excused = beyond || was_beyond_;
  was_beyond_ = beyond;
  if (what.empty()) return;
  if (excused) {
    ++counters_.excursions;
    counters_.worst_excursion_rad = std::max(counters_.worst_excursion_rad, beyond_rad);
    return;
  }
  if (counters_.limit_violations++ == 0) {
    counters_.first_violation = fmt::format("{} after {:.2f} s", what, pacer_->now_s());
  }
}

}  // namespace rowbot::farend
