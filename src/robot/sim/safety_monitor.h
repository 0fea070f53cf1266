// What must not happen in the cell, counted while time passes.
// Thread safety: none; as PhysicsState.
#pragma once

#include <cstdint>
#include <string>

#include "robot/sim/simulated_arm.h"

namespace rowbot::sim {

struct SafetyCounts {
  std::uint64_t limit_violations = 0;   // joint beyond its range or speed
  std::uint64_t unwanted_contacts = 0;  // arm or fingers on board, table, rail or mast
  std::string first_unwanted;           // what touched what
};

class SafetyMonitor {
 public:
  SafetyMonitor(const PhysicsState& state, const SimulatedArm& arm) : state_(state), arm_(arm) {}

  /// After each step.
  void check();
  [[nodiscard]] const SafetyCounts& counts() const { return counts_; }
  /// A piece is between the fingers, touching both.
  [[nodiscard]] bool holds_piece() const;

 private:
  [[nodiscard]] bool within_limits() const;

  const PhysicsState& state_;
  const SimulatedArm& arm_;
  SafetyCounts counts_;
};

}  // namespace rowbot::sim
