// A step of the physics can end in NaN or infinity, for example when a falling arm presses a disc
// into the table. MuJoCo then begins everything anew. This remembers how it was before the step, so
// that only what broke has to go.
// Thread safety: none.
#pragma once

#include <optional>
#include <vector>

#include "robot/sim/mujoco_types.h"

namespace rowbot::sim {

class LastGoodState {
 public:
  explicit LastGoodState(const mjModel_& model);

  void remember(const mjModel_& model, const mjData_& data);
  /// After a step that broke: puts back what was remembered, and answers with the degree of freedom
  /// that broke. None after a good step.
  [[nodiscard]] std::optional<int> restore_if_broken(const mjModel_& model, mjData_& data) const;

 private:
  std::vector<double> qpos_;
  std::vector<double> qvel_;
  std::vector<double> ctrl_;
  double time_s_ = 0;
};

}  // namespace rowbot::sim
