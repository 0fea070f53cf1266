#include "robot/sim/last_good_state.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <mujoco/mujoco.h>

namespace rowbot::sim {
namespace {

/// A free joint has seven positions and six degrees of freedom.
int dof_of_position(const mjModel& model, int position) {
  int dof = 0;
  for (int joint = 0; joint < model.njnt && model.jnt_qposadr[joint] <= position; ++joint) {
    dof = model.jnt_dofadr[joint];
  }
  return dof;
}

}  // namespace

LastGoodState::LastGoodState(const mjModel& model)
    : qpos_(static_cast<std::size_t>(model.nq)),
      qvel_(static_cast<std::size_t>(model.nv)),
      ctrl_(static_cast<std::size_t>(model.nu)) {}

void LastGoodState::remember(const mjModel& model, const mjData& data) {
  std::copy_n(data.qpos, model.nq, qpos_.begin());
  std::copy_n(data.qvel, model.nv, qvel_.begin());
  std::copy_n(data.ctrl, model.nu, ctrl_.begin());
  time_s_ = data.time;
}

std::optional<int> LastGoodState::restore_if_broken(const mjModel& model, mjData& data) const {
  constexpr std::array kBroken = {mjWARN_BADQPOS, mjWARN_BADQVEL, mjWARN_BADQACC};
  std::optional<int> broken;
  for (const mjtWarning kind : kBroken) {
    mjWarningStat& warning = data.warning[kind];
    if (warning.number == 0) continue;
    broken = kind == mjWARN_BADQPOS ? dof_of_position(model, warning.lastinfo) : warning.lastinfo;
    warning.number = 0;
  }
  // MuJoCo would find these only at the beginning of the next step.
  for (int i = 0; i < model.nv && !broken; ++i) {
    if (!(std::abs(data.qvel[i]) < mjMAXVAL)) broken = i;
  }
  for (int i = 0; i < model.nq && !broken; ++i) {
    if (!(std::abs(data.qpos[i]) < mjMAXVAL)) broken = dof_of_position(model, i);
  }
  if (!broken) return std::nullopt;
  std::copy(qpos_.begin(), qpos_.end(), data.qpos);
  std::copy(qvel_.begin(), qvel_.end(), data.qvel);
  std::copy(ctrl_.begin(), ctrl_.end(), data.ctrl);
  std::fill_n(data.qacc_warmstart, model.nv, 0.0);
  std::fill_n(data.qfrc_applied, model.nv, 0.0);
  data.time = time_s_;
  return broken;
}

}  // namespace rowbot::sim
