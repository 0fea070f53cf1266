#include "robot/sim/physics_state.h"

#include <algorithm>
#include <mujoco/mujoco.h>
#include <utility>

namespace rowbot::sim {

PhysicsState::PhysicsState(std::shared_ptr<const Scene> scene)
    : scene_(std::move(scene)),
      layout_(scene_->layout),
      model_(mj_copyModel(nullptr, scene_->model.get())),
      data_(mj_makeData(model_.get())),
      neighbourhood_(*model_),
      last_good_(*model_) {
  std::ranges::copy(scene_->start_qpos, data_->qpos);
  mj_forward(model_.get(), data_.get());
  std::ranges::copy(scene_->start_qacc, data_->qacc_warmstart);
}

std::optional<int> PhysicsState::step() {
  neighbourhood_.refresh(*model_, *data_);
  last_good_.remember(*model_, *data_);
  mj_step(model_.get(), data_.get());
  const auto broken = last_good_.restore_if_broken(*model_, *data_);
  if (broken) ++broken_steps_;
  ++steps_;
  return broken;
}

void PhysicsState::update() { mj_forward(model_.get(), data_.get()); }

double PhysicsState::step_s() const { return model_->opt.timestep; }

}  // namespace rowbot::sim
