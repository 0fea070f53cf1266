// What stands at the other end of a driver's wire in trials and tests.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/rng.h"
#include "robot/cell/arm_driver.h"
#include "robot/drivers/pacer.h"

namespace rowbot::farend {

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
  [[nodiscard]] virtual drivers::SimulatedPacer& pacer() = 0;
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

}  // namespace rowbot::farend
