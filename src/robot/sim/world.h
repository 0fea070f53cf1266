// One simulated cell: the parts of the simulation put together, in the order in which they depend
// on each other, and what concerns several of them.
// Thread safety: none; one thread owns a World.
#pragma once

#include <memory>

#include "robot/sim/board.h"
#include "robot/sim/magazine.h"
#include "robot/sim/safety_monitor.h"

namespace rowbot::sim {

struct World {
  [[nodiscard]] static Result<std::unique_ptr<World>> create(const arm::ArmModel& arm,
                                                             const cell::CellLayout& layout);
  /// The magazine is full, everything else in the store.
  explicit World(std::shared_ptr<const Scene> scene);
  ~World() = default;
  World(const World&) = delete;
  World& operator=(const World&) = delete;
  World(World&&) = delete;
  World& operator=(World&&) = delete;

  /// 2 ms.
  void step();
  /// Puts every piece back into the store and fills the magazine again.
  void reload();
  /// Pieces at rest in the board, just these.
  void set_board(const BoardTruth& truth);
  /// Picks up what lies about or is stuck, and puts it back into the store.
  void tidy();

  PhysicsState state;
  SimulatedArm arm{state};
  Pieces pieces{state};
  Board board{state, pieces};
  Magazine magazine{state, pieces};
  SafetyMonitor safety{state, arm};

 private:
  [[nodiscard]] double distance_to_tool_m(std::size_t piece) const;
};

}  // namespace rowbot::sim
