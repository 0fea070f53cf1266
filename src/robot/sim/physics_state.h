// One simulation's state: what changes while time passes. MuJoCo keeps most of it in its data; what
// it keeps in its model but changes here (which shapes may touch, where the board and the pieces at
// rest stand, the gains of the motors) is in a copy of the scene's model, which belongs to the
// state. The scene itself stays as it was compiled.
// Thread safety: none; one thread owns a state.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "robot/sim/last_good_state.h"
#include "robot/sim/neighbourhood.h"
#include "robot/sim/scene.h"

namespace rowbot::sim {

class PhysicsState {
 public:
  explicit PhysicsState(std::shared_ptr<const Scene> scene);

  /// 2 ms. Answers with the degree of freedom for which there was no solution, if any: then
  /// positions and speeds are those of before, and only the time has passed.
  [[nodiscard]] std::optional<int> step();
  /// Everything that follows from positions which were set by hand.
  void update();

  [[nodiscard]] double step_s() const;
  [[nodiscard]] double time_s() const { return static_cast<double>(steps_) * step_s(); }
  [[nodiscard]] std::uint64_t steps() const { return steps_; }
  [[nodiscard]] std::uint64_t broken_steps() const { return broken_steps_; }

  [[nodiscard]] const Scene& scene() const { return *scene_; }
  /// The cell as it stands now: people move the board.
  [[nodiscard]] const cell::CellLayout& layout() const { return layout_; }
  void set_layout(const cell::CellLayout& layout) { layout_ = layout; }

  [[nodiscard]] mjModel_& model() { return *model_; }
  [[nodiscard]] const mjModel_& model() const { return *model_; }
  [[nodiscard]] mjData_& data() { return *data_; }
  [[nodiscard]] const mjData_& data() const { return *data_; }

 private:
  std::shared_ptr<const Scene> scene_;
  cell::CellLayout layout_;
  OwnedModel model_;
  OwnedData data_;
  Neighbourhood neighbourhood_;
  LastGoodState last_good_;
  std::uint64_t steps_ = 0;
  std::uint64_t broken_steps_ = 0;
};

}  // namespace rowbot::sim
