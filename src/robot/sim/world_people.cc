// What people and mishaps do to the cell; the physics itself is in world.cc.
#include <algorithm>
#include <array>
#include <mujoco/mujoco.h>
#include <vector>

#include "robot/arm/forward.h"
#include "robot/sim/world.h"

namespace rowbot::sim {

using arm::Pose;
using Eigen::Vector3d;

bool World::release_human_piece(game::Column column, const Vector3d& offset_m) {
  const auto piece = stored_piece(Side::kHuman);
  if (!piece) return false;
  const Vector3d above((column.index() - 3) * layout_.board.pitch_m, 0,
                       layout_.piece.radius_m + layout_.board.lip_m);
  put(*piece, upright_in_board(above + offset_m));
  wake(*piece);
  return true;
}

bool World::take_top(game::Column column) {
  std::optional<std::size_t> top;
  int height = -1;
  for (std::size_t k = 0; k < pieces_.size(); ++k) {
    if (pieces_[k].state == PieceState::kStored || pieces_[k].stuck) continue;
    const auto spot = spot_of(k);
    if (!spot || spot->column != column.index() || spot->row <= height) continue;
    height = spot->row;
    top = k;
  }
  if (top) store(*top);
  return top.has_value();
}

void World::set_board(const BoardTruth& board) {
  for (std::size_t k = 0; k < pieces_.size(); ++k) {
    if (pieces_[k].state != PieceState::kStored && spot_of(k)) store(k);
  }
  const double r = layout_.piece.radius_m;
  const double floor = cell::board_floor_m(layout_) - cell::board_pose(layout_).translation().z();
  for (int column = 0; column < kColumns; ++column) {
    for (int row = 0; row < kRows; ++row) {
      const auto side = board[static_cast<std::size_t>(column)][static_cast<std::size_t>(row)];
      if (!side) continue;
      auto piece = stored_piece(*side);
      if (!piece) {  // the rest of them wait on the rail or lie about
        tidy();
        const bool fed = feeding_;
        empty_rail();
        feeding_ = fed;
        piece = stored_piece(*side);
      }
      if (!piece) return;
      put(*piece,
          upright_in_board({(column - 3) * layout_.board.pitch_m, 0, floor + (2 * row + 1) * r}));
      wake(*piece);
      rest(*piece);
    }
  }
  mj_forward(model_, data_);
}

void World::tidy() {
  for (std::size_t k = 0; k < pieces_.size(); ++k) {
    if (pieces_[k].state == PieceState::kStored) continue;
    const bool in_place = !pieces_[k].stuck && (spot_of(k) || on_rail(k));
    const double to_hand = (pose_of(k).translation() - tool_pose().translation()).norm();
    if (!in_place && to_hand > 2 * layout_.piece.radius_m) store(k);
  }
}

void World::open_gate(bool open) {
  gate_open_ = open;
  data_->ctrl[arm::joint_count(arm_) + 2] = open ? gate_travel_m(layout_) : 0.0;
  if (open) wake_all();
}

void World::empty_rail() {
  feeding_ = false;
  for (std::size_t k = 0; k < pieces_.size(); ++k) {
    if (pieces_[k].state != PieceState::kStored && on_rail(k)) store(k);
  }
}

void World::jam(game::Column column) {
  const auto piece = stored_piece(Side::kHuman);
  if (!piece) return;
  // In the topmost cell, where the next piece must pass.
  const double floor = cell::board_floor_m(layout_) - cell::board_pose(layout_).translation().z();
  const double top = floor + (2 * kRows - 1) * layout_.piece.radius_m;
  put(*piece, upright_in_board({(column.index() - 3) * layout_.board.pitch_m, 0, top}));
  wake(*piece);
  rest(*piece);
  pieces_[*piece].stuck = true;
}

void World::move_board(const Eigen::Vector2d& by_m, double turned_rad) {
  set_board_place(cell::with_board_moved(layout_, by_m, turned_rad));
}

void World::put_board_back() { set_board_place(marks_); }

void World::set_board_place(const cell::CellLayout& there) {
  const Pose X_before = cell::board_pose(layout_);
  std::vector<std::size_t> inside;
  for (std::size_t k = 0; k < pieces_.size(); ++k) {
    if (pieces_[k].state == PieceState::kResting && spot_of(k)) inside.push_back(k);
  }
  layout_ = there;
  const int body = mj_name2id(model_, mjOBJ_BODY, "board");
  const Pose X = cell::board_pose(layout_);
  const Eigen::Quaterniond q(X.linear());
  std::copy_n(X.translation().data(), 3, model_->body_pos + 3 * body);
  const std::array<double, 4> quat = {q.w(), q.x(), q.y(), q.z()};
  std::ranges::copy(quat, model_->body_quat + 4 * body);
  // The pieces inside go along.
  for (const std::size_t k : inside) {
    put(k, X * X_before.inverse() * pose_of(k));
    rest(k);
  }
  mj_forward(model_, data_);
}

void World::kill_joint(int joint) {
  if (dead_.contains(joint)) return;
  double& gain = model_->actuator_gainprm[joint * mjNGAIN];
  double& damping = model_->dof_damping[link_dof_[static_cast<std::size_t>(joint)]];
  dead_[joint] = {.gain = gain, .damping = damping};
  gain = 0;
  model_->actuator_biasprm[joint * mjNBIAS + 1] = 0;
  // Without its drive the joint turns almost freely.
  damping *= 0.02;
}

void World::revive_joints() {
  for (const auto& [joint, motor] : dead_) {
    model_->actuator_gainprm[joint * mjNGAIN] = motor.gain;
    model_->actuator_biasprm[joint * mjNBIAS + 1] = -motor.gain;
    model_->dof_damping[link_dof_[static_cast<std::size_t>(joint)]] = motor.damping;
  }
  dead_.clear();
}

void World::put_arm(const arm::JointVector& q_rad) {
  const arm::JointVector link_rad = arm::link_angles(arm_, q_rad);
  for (std::size_t i = 0; i < link_qpos_.size(); ++i) {
    data_->qpos[link_qpos_[i]] = link_rad[static_cast<Eigen::Index>(i)];
    data_->qvel[link_dof_[i]] = 0;
  }
  mj_forward(model_, data_);
}

void World::show_arm(const arm::JointVector& q_rad, double gripper_width_m) {
  data_->qpos[finger_qpos_] = data_->qpos[finger_qpos_ + 1] = gripper_width_m / 2;
  put_arm(q_rad);
}

}  // namespace rowbot::sim
