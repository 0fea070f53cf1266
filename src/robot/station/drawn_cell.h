// A real cell as something to draw, from its layout, the arm's model and the game: no physics.
// Thread safety: constant after it is made; poses() from any thread.
#pragma once

#include <span>

#include "game/outcome.h"
#include "robot/cell/arm_driver.h"
#include "robot/cell/layout.h"
#include "robot/sim/scene_export.h"

namespace rowbot::station {

class DrawnCell {
 public:
  /// The layout's robot is known; its arm is left out when people move for it.
  DrawnCell(cell::CellLayout layout, bool with_arm);

  [[nodiscard]] sim::SceneExport scene() const;
  /// The arm as it stands, and a disc for each move, in the order of the moves. An arm that has not
  /// been read yet stands in its neutral pose.
  [[nodiscard]] sim::ScenePoses poses(const cell::ArmReading& arm, double time_s,
                                      std::span<const game::Column> moves, game::Side human) const;

 private:
  void draw_arm(sim::SceneExport& scene) const;
  void draw_board(sim::SceneExport& scene) const;

  cell::CellLayout layout_;
  const arm::ArmModel& model_;
  bool with_arm_;
};

}  // namespace rowbot::station
