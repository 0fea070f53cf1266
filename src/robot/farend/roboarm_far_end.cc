#include "robot/farend/roboarm_far_end.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>
#include <utility>

#include "robot/arm/angles.h"
#include "robot/drivers/serial/roboarm_program.h"

namespace rowbot::farend {

using arm::JointVector;

const char* line_fault_name(LineFault fault) {
  switch (fault) {
    case LineFault::kLost:
      return "lost byte";
    case LineFault::kDoubled:
      return "doubled byte";
    case LineFault::kBroken:
      return "broken byte";
    case LineFault::kLate:
      return "late bytes";
    case LineFault::kUnplugged:
      return "pulled plug";
  }
  return "?";
}

RoboArmFarEnd::RoboArmFarEnd(WireWorld& world, const RoboArmFarEndOptions& options)
    : world_(world), options_(options), rng_(options.seed), decoder_(options.config.commands) {
  rest();
  world_.command_gripper(width_m_, options_.hand_force_n);
}

Result<std::unique_ptr<RoboArmFarEnd>> RoboArmFarEnd::create(WireWorld& world,
                                                             const RoboArmFarEndOptions& options) {
  std::unique_ptr<RoboArmFarEnd> made(new RoboArmFarEnd(world, options));
  std::string folder = (std::filesystem::temp_directory_path() / "rowbot-roboarm-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) {
    return Error{
        fmt::format("cannot make a folder for a simulated serial port: {}", std::strerror(errno))};
  }
  made->path_ = folder + "/port";
  if (auto plugged = made->plug(); !plugged) return plugged.error();
  return made;
}

RoboArmFarEnd::~RoboArmFarEnd() {
  unplug();
  if (path_.empty()) return;
  std::error_code ignored;
  std::filesystem::remove_all(std::filesystem::path(path_).parent_path(), ignored);
}

void RoboArmFarEnd::unplug() {
  if (master_ >= 0) ::close(master_);
  master_ = -1;
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
  line_.clear();
}

Result<void> RoboArmFarEnd::plug() {
  unplug();
  master_ = ::posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  std::array<char, 128> name{};
  std::error_code failed;
  if (master_ < 0 || ::grantpt(master_) != 0 || ::unlockpt(master_) != 0 ||
      ::ptsname_r(master_, name.data(), name.size()) != 0) {
    return Error{fmt::format("cannot open a pseudo terminal: {}", std::strerror(errno))};
  }
  std::filesystem::create_symlink(name.data(), path_, failed);
  if (failed) return Error{fmt::format("cannot link {}: {}", path_, failed.message())};
  if (written_) received_ = written_();
  return {};
}

void RoboArmFarEnd::rest() {
  at_deg_ = world_.joints_rad() * (180.0 / arm::kPi);
  width_m_ = world_.gripper_width_m();
  running_.clear();
  loading_ = false;
  stored_.clear();
  world_.command(world_.joints_rad(), JointVector::Zero(at_deg_.size()));
}

void RoboArmFarEnd::inject(LineFault fault, std::uint64_t after, double late_s) {
  fault_ = Pending{.kind = fault, .after = after, .late_s = late_s};
}

void RoboArmFarEnd::listen() {
  // The kernel passes bytes on in its own time; simulated time waits for it.
  constexpr int kPatienceMs = 20;
  while (master_ >= 0) {
    const bool awaited = written_ && written_() > received_;
    pollfd watched{.fd = master_, .events = POLLIN, .revents = 0};
    if (::poll(&watched, 1, awaited ? kPatienceMs : 0) <= 0 || (watched.revents & POLLIN) == 0) {
      if (awaited) received_ = written_();  // thrown away by an urgent stop
      return;
    }
    std::array<std::uint8_t, 512> bytes{};
    const ssize_t got = ::read(master_, bytes.data(), bytes.size());
    if (got <= 0) return;
    received_ += static_cast<std::uint64_t>(got);
    for (ssize_t i = 0; i < got; ++i) arrive(bytes[static_cast<std::size_t>(i)]);
  }
}

void RoboArmFarEnd::arrive(std::uint8_t byte) {
  if (!fault_ || fault_->after-- > 0) return line_.push_back(byte);
  const Pending fault = *std::exchange(fault_, std::nullopt);
  switch (fault.kind) {
    case LineFault::kLost:
      return;
    case LineFault::kDoubled:
      line_.push_back(byte);
      return line_.push_back(byte);
    case LineFault::kBroken:
      return line_.push_back(static_cast<std::uint8_t>(byte ^ (1U + rng_.below(255))));
    case LineFault::kLate:
      held_s_ = fault.late_s;
      return line_.push_back(byte);
    case LineFault::kUnplugged:
      return unplug();
  }
}

void RoboArmFarEnd::advance(double seconds) {
  listen();
  held_s_ = std::max(0.0, held_s_ - seconds);
  budget_ += seconds * options_.config.baud / 10;
  while (held_s_ == 0 && budget_ >= 1 && !line_.empty()) {
    budget_ -= 1;
    const std::uint8_t byte = line_.front();
    line_.pop_front();
    hear(byte);
  }
  if (line_.empty()) budget_ = std::min(budget_, 1.0);
  const double step_s = world_.step_s();
  for (double left = seconds; left > step_s / 2; left -= step_s) move_on(step_s);
}

void RoboArmFarEnd::hear(std::uint8_t byte) {
  if (const auto order = decoder_.feed(byte)) obey(*order);
}

void RoboArmFarEnd::obey(const drivers::RoboArmOrder& order) {
  if (loading_) {
    if (order.verb == drivers::RoboArmVerb::kLoaded) {
      loading_ = false;
    } else if (order.verb == drivers::RoboArmVerb::kStop) {
      loading_ = false;
      stored_.clear();
    } else if (order.verb == drivers::RoboArmVerb::kLoad) {
      stored_.clear();
    } else if (order.verb != drivers::RoboArmVerb::kRun &&
               static_cast<int>(stored_.size()) < options_.config.buffer_orders) {
      stored_.push_back(order);
    }
    return;
  }
  // Whatever arrives, it ends what runs.
  running_.clear();
  order_s_ = 0;
  if (order.verb == drivers::RoboArmVerb::kLoad) {
    loading_ = true;
    stored_.clear();
  } else if (order.verb == drivers::RoboArmVerb::kRun) {
    running_.assign(stored_.begin(), stored_.end());
  } else if (order.verb != drivers::RoboArmVerb::kStop &&
             order.verb != drivers::RoboArmVerb::kLoaded) {
    running_.push_back(order);
  }
}

void RoboArmFarEnd::move_on(double seconds) {
  const drivers::RoboArmConfig& config = options_.config;
  const arm::ArmModel& model = world_.model();
  JointVector speed = JointVector::Zero(at_deg_.size());
  double left = seconds;
  while (left > 1e-9 && !running_.empty()) {
    const drivers::RoboArmOrder order = running_.front();
    const double whole_s = drivers::order_s(config, order) / options_.speed_share;
    const double now_s = std::min(left, whole_s - order_s_);
    if (drivers::moves_a_joint(order.verb)) {
      const drivers::Turn turn = drivers::turn_of(order.verb);
      const arm::JointLimits& limits = model.joints[static_cast<std::size_t>(turn.joint)];
      const double wait_s = config.each_order_s / options_.speed_share;
      const double turning_s =
          std::max(0.0, order_s_ + now_s - wait_s) - std::max(0.0, order_s_ - wait_s);
      const double rate = turn.sign * options_.speed_share *
                          config.speed_deg_s[static_cast<std::size_t>(turn.joint)];
      const double wanted = at_deg_[turn.joint] + rate * turning_s;
      at_deg_[turn.joint] =
          std::clamp(wanted, arm::degrees(limits.min_rad), arm::degrees(limits.max_rad));
      if (at_deg_[turn.joint] != wanted)
        ++end_stops_;
      else if (turning_s > 0)
        speed[turn.joint] = rate;
    } else {
      const double goal_m = order.verb == drivers::RoboArmVerb::kOpen ? config.open_width_m : 0.0;
      const double step_m = config.open_width_m / config.hand_s * now_s * 1.05;
      width_m_ += std::clamp(goal_m - width_m_, -step_m, step_m);
      world_.command_gripper(width_m_, options_.hand_force_n);
    }
    order_s_ += now_s;
    left -= now_s;
    if (order_s_ < whole_s - 1e-9) continue;
    running_.pop_front();
    order_s_ = 0;
    ++orders_run_;
    if (options_.drift_deg > 0 && drivers::moves_a_joint(order.verb)) {
      const int joint = drivers::turn_of(order.verb).joint;
      at_deg_[joint] += options_.drift_deg * (2 * rng_.uniform() - 1);
    }
  }
  const JointVector q_rad = arm::clamped(model, at_deg_ * (arm::kPi / 180.0));
  world_.command(q_rad, speed * (arm::kPi / 180.0));
  world_.step();
}

}  // namespace rowbot::farend
