// Random faults on a driver's wire, one after the other, in simulated time: whatever happens to the
// messages, the arm at the far end stays within its limits, nothing hangs, and each fault either
// does no harm or is reported in words.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/rng.h"
#include "cell/arm_driver.h"
#include "drivers/pacer.h"

namespace rowbot::drivers {

struct FarEndCounters {
  std::uint64_t limit_violations = 0;  // a joint out of its range, or told to move too fast
  std::string first_violation;
  /// The same, but by a fault that no driver can prevent on this kind of wire.
  std::uint64_t excursions = 0;
  double worst_excursion_rad = 0;
};

/// What stands at the other end of a wire, speaks its protocol, and can misbehave.
/// Thread safety: none.
class FarEnd {
 public:
  FarEnd() = default;
  virtual ~FarEnd() = default;
  FarEnd(const FarEnd&) = delete;
  FarEnd& operator=(const FarEnd&) = delete;
  FarEnd(FarEnd&&) = delete;
  FarEnd& operator=(FarEnd&&) = delete;

  [[nodiscard]] virtual cell::ArmDriver& driver() = 0;
  /// The driver's; its on_time() moves the far end.
  [[nodiscard]] virtual SimulatedPacer& pacer() = 0;
  [[nodiscard]] virtual std::span<const std::string_view> faults() const = 0;
  /// Something goes wrong with one of the next messages.
  virtual void inject(std::size_t fault, Rng& rng) = 0;
  /// Has the injected fault met a message yet?
  [[nodiscard]] virtual bool struck() const = 0;
  /// Everything works again; a device that was gone is back.
  virtual void heal() = 0;
  /// Where the arm really is.
  [[nodiscard]] virtual arm::JointVector pose_rad() const = 0;
  /// How far that may be from the commanded pose when all is well.
  [[nodiscard]] virtual double accuracy_rad() const = 0;
  [[nodiscard]] virtual const FarEndCounters& counters() const = 0;
};

struct WireTrialOptions {
  std::uint64_t count = 1000;
  std::uint64_t seed = 1;
  /// Called after each fault with the number done so far.
  std::function<void(std::uint64_t)> progress;
};

struct FaultTally {
  std::string name;
  std::uint64_t count = 0;
  std::uint64_t reported = 0;
  std::uint64_t harmless = 0;  // the motion ended where it should
  std::uint64_t seen = 0;      // the wire cannot tell; a look at the arm afterwards did
  std::string example;         // what the driver said
};

struct WireTrialReport {
  std::uint64_t faults = 0;
  std::uint64_t reported = 0;
  std::uint64_t harmless = 0;
  std::uint64_t seen = 0;
  std::uint64_t unnoticed = 0;    // the driver believes that all is well, and it is not
  std::uint64_t hung = 0;         // took much longer than the motion
  std::uint64_t unrecovered = 0;  // no way back although the wire works again
  std::string first_trouble;      // of the three above
  FarEndCounters far_end;
  double sim_seconds = 0;
  std::vector<FaultTally> by_fault;
};

/// Fails only when the arm cannot be brought up at all.
[[nodiscard]] Result<WireTrialReport> run_wire_trials(FarEnd& far_end,
                                                      const WireTrialOptions& options);

}  // namespace rowbot::drivers
