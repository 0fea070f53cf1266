// The rail from which the robot takes its pieces, and the feeder above it.
// Thread safety: none; as PhysicsState.
#pragma once

#include "robot/sim/pieces.h"

namespace rowbot::sim {

class Magazine {
 public:
  Magazine(PhysicsState& state, Pieces& pieces) : state_(state), pieces_(pieces) {}

  [[nodiscard]] bool holds(std::size_t piece) const;
  [[nodiscard]] int count() const;

  /// The first pieces stand in a row at once, as a person would place them.
  void fill();
  /// After each step: lets pieces roll on, and puts one on the upper end when there is room.
  void tend();
  void set_feeding(bool on) { feeding_ = on; }
  /// All its pieces go into the store.
  void clear();
  /// Pieces at rest on it become movable bodies again.
  void wake();

 private:
  void let_roll();
  [[nodiscard]] double along_rail_m(std::size_t piece) const;
  [[nodiscard]] bool has_room_at(double along_m) const;

  PhysicsState& state_;
  Pieces& pieces_;
  double fed_s_ = 0;
  bool feeding_ = true;
};

}  // namespace rowbot::sim
