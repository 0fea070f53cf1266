// A RoboArm at the other end of a serial line: a pseudo terminal whose bytes move a simulated arm,
// as far as Rhodes 1993 tells how the real one took them. It can misbehave: bytes get lost, doubled
// or broken, the line lags, the plug is pulled, the motors drift. Its motors stop at the ends of
// their ranges, as those of Rhodes 1993 are limited. Thread safety: none; advance() is called where
// time is simulated.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/rng.h"
#include "robot/drivers/serial/roboarm_config.h"
#include "robot/farend/wire_world.h"

namespace rowbot::farend {

enum class LineFault { kLost, kDoubled, kBroken, kLate, kUnplugged };
inline constexpr int kLineFaults = 5;
[[nodiscard]] const char* line_fault_name(LineFault fault);

struct RoboArmFarEndOptions {
  drivers::RoboArmConfig config;
  std::uint64_t seed = 1;
  double speed_share = 1.0;  // of the speeds in the configuration
  double drift_deg = 0;      // at most, of one order
  double hand_force_n = 1.5;
};

class RoboArmFarEnd {
 public:
  /// `world` outlives it.
  [[nodiscard]] static Result<std::unique_ptr<RoboArmFarEnd>> create(
      WireWorld& world, const RoboArmFarEndOptions& options);
  ~RoboArmFarEnd();
  RoboArmFarEnd(const RoboArmFarEnd&) = delete;
  RoboArmFarEnd& operator=(const RoboArmFarEnd&) = delete;
  RoboArmFarEnd(RoboArmFarEnd&&) = delete;
  RoboArmFarEnd& operator=(RoboArmFarEnd&&) = delete;

  /// What a driver opens; stays the same when the plug is pulled and put back.
  [[nodiscard]] const std::string& path() const { return path_; }
  /// How many bytes the driver has written: in simulated time the line has to keep up with it.
  void expect(std::function<std::uint64_t()> written) { written_ = std::move(written); }
  void advance(double seconds);

  /// Befalls the byte after `after` others; kLate holds everything back for `late_s`.
  void inject(LineFault fault, std::uint64_t after, double late_s = 0.5);
  [[nodiscard]] bool fault_pending() const { return fault_.has_value(); }
  void unplug();
  Result<void> plug();
  /// A person has moved the arm by hand: its motors are where the world's joints are.
  void rest();

  [[nodiscard]] bool running() const { return !running_.empty(); }
  [[nodiscard]] std::uint64_t bytes() const { return received_; }
  [[nodiscard]] std::uint64_t orders_run() const { return orders_run_; }
  /// How often a motor was driven against the end of its range.
  [[nodiscard]] std::uint64_t end_stops() const { return end_stops_; }

 private:
  struct Pending {
    LineFault kind = LineFault::kLost;
    std::uint64_t after = 0;
    double late_s = 0;
  };

  RoboArmFarEnd(WireWorld& world, const RoboArmFarEndOptions& options);
  void listen();
  void arrive(std::uint8_t byte);
  void hear(std::uint8_t byte);
  void obey(const drivers::RoboArmOrder& order);
  void move_on(double seconds);

  WireWorld& world_;
  RoboArmFarEndOptions options_;
  Rng rng_;
  std::string path_;
  int master_ = -1;
  std::function<std::uint64_t()> written_;
  std::uint64_t received_ = 0;
  std::optional<Pending> fault_;
  double held_s_ = 0;  // the line lags
  double budget_ = 0;  // bytes that the line's speed lets through
  std::deque<std::uint8_t> line_;

  drivers::RoboArmDecoder decoder_;
  bool loading_ = false;
  std::vector<drivers::RoboArmOrder> stored_;
  std::deque<drivers::RoboArmOrder> running_;
  double order_s_ = 0;  // into the first of running_
  arm::JointVector at_deg_;
  double width_m_ = 0;
  std::uint64_t orders_run_ = 0;
  std::uint64_t end_stops_ = 0;
};

}  // namespace rowbot::farend
