#include "robot/sim/pieces.h"

#include <algorithm>
#include <cmath>
#include <mujoco/mujoco.h>

#include "robot/arm/angles.h"
#include "robot/sim/mjcf_text.h"

namespace rowbot::sim {

using arm::Pose;
using Eigen::Vector3d;

namespace {
constexpr double kStoreDepth = -3;
}  // namespace

bool Pieces::in_play(std::size_t piece) const { return pieces_[piece].state != State::kStored; }
bool Pieces::moves(std::size_t piece) const { return pieces_[piece].state == State::kMoving; }
bool Pieces::rests(std::size_t piece) const { return pieces_[piece].state == State::kResting; }

std::optional<Pose> Pieces::pose(std::size_t piece) const {
  if (!in_play(piece)) return std::nullopt;
  const double* at = state_.data().qpos + ids(piece).qpos;
  Pose X = Pose::Identity();
  X.translation() = Vector3d(at[0], at[1], at[2]);
  X.linear() = Eigen::Quaterniond(at[3], at[4], at[5], at[6]).normalized().toRotationMatrix();
  return X;
}

bool Pieces::all_at_rest() const {
  return std::ranges::none_of(
      pieces_, [](const Piece& p) { return p.state == State::kMoving && p.still_s < 0.1; });
}

std::optional<std::size_t> Pieces::stored(Side side) const {
  for (std::size_t k = 0; k < count(); ++k) {
    if (owner_of(k) == side && !in_play(k)) return k;
  }
  return std::nullopt;
}

void Pieces::put(std::size_t piece, const Pose& X) {
  mjData& data = state_.data();
  const Eigen::Quaterniond q(X.linear());
  const std::array<double, 7> at = {
      X.translation().x(), X.translation().y(), X.translation().z(), q.w(), q.x(), q.y(), q.z()};
  std::ranges::copy(at, data.qpos + ids(piece).qpos);
  std::fill_n(data.qvel + ids(piece).dof, 6, 0.0);
  std::fill_n(data.qacc_warmstart + ids(piece).dof, 6, 0.0);
}

void Pieces::let_touch(std::size_t piece, Solid solid) {
  mjModel& model = state_.model();
  const PieceIds& id = ids(piece);
  const auto set = [&model](int geom, bool on) {
    model.geom_contype[geom] = model.geom_conaffinity[geom] = on ? 1 : 0;
  };
  set(id.geom, solid.body);
  set(id.ghost_geom, solid.ghost);
  if (id.flat_geom >= 0) model.geom_contype[id.flat_geom] = solid.body ? kFlatOfPiece : 0;
  // MuJoCo compares the shapes of two bodies before it asks whether they may touch.
  model.body_geomnum[id.body] = solid.body ? id.geoms : 0;
}

void Pieces::store(std::size_t piece) {
  pieces_[piece].state = State::kStored;
  pieces_[piece].stuck = false;
  let_touch(piece, {.body = false, .ghost = false});
  state_.model().geom_pos[3 * ids(piece).ghost_geom + 2] = kStoreDepth;
  Pose X = Pose::Identity();
  X.translation() =
      Vector3d(3 * state_.layout().piece.radius_m * static_cast<double>(piece), 0, kStoreDepth);
  put(piece, X);
}

void Pieces::store_all() {
  for (std::size_t k = 0; k < count(); ++k) store(k);
}

void Pieces::release(std::size_t piece, const Pose& X) {
  put(piece, X);
  wake(piece);
}

void Pieces::fix(std::size_t piece, const Pose& X, bool stuck) {
  put(piece, X);
  rest(piece);
  pieces_[piece].stuck = stuck;
}

void Pieces::rest(std::size_t piece) {
  mjModel& model = state_.model();
  const PieceIds& id = ids(piece);
  const double* at = state_.data().qpos + id.qpos;
  std::copy_n(at, 3, model.geom_pos + 3 * id.ghost_geom);
  std::copy_n(at + 3, 4, model.geom_quat + 4 * id.ghost_geom);
  let_touch(piece, {.body = false, .ghost = true});
  model.geom_rgba[4 * id.geom + 3] = 0;
  pieces_[piece].state = State::kResting;
}

void Pieces::wake(std::size_t piece) {
  const PieceIds& id = ids(piece);
  if (rests(piece)) {
    if (is_stuck(piece)) return;
    state_.model().geom_pos[3 * id.ghost_geom + 2] = kStoreDepth;
  }
  let_touch(piece, {.body = true, .ghost = false});
  state_.model().geom_rgba[4 * id.geom + 3] = 1;
  std::fill_n(state_.data().qvel + id.dof, 6, 0.0);
  pieces_[piece].state = State::kMoving;
  pieces_[piece].still_s = 0;
}

void Pieces::wake_all() {
  for (std::size_t k = 0; k < count(); ++k) {
    if (rests(k)) wake(k);
  }
}

/// Its body is not part of the physics and stays where it was.
void Pieces::keep_in_place(std::size_t piece) {
  mjData& data = state_.data();
  const PieceIds& id = ids(piece);
  if (rests(piece)) {
    std::copy_n(state_.model().geom_pos + 3 * id.ghost_geom, 3, data.qpos + id.qpos);
  } else {
    data.qpos[id.qpos + 2] = kStoreDepth;
  }
  std::fill_n(data.qvel + id.dof, 6, 0.0);
  std::fill_n(data.qacc_warmstart + id.dof, 6, 0.0);
}

void Pieces::tend(const std::function<bool(std::size_t)>& may_rest) {
  const double r = state_.layout().piece.radius_m;
  for (std::size_t k = 0; k < count(); ++k) {
    if (!moves(k)) {
      keep_in_place(k);
      continue;
    }
    if (state_.data().qpos[ids(k).qpos + 2] < -0.15) {  // through the opening, or off the table
      store(k);
      continue;
    }
    const double* v = state_.data().qvel + ids(k).dof;
    const double speed = std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    const double spin = r * std::sqrt(v[3] * v[3] + v[4] * v[4] + v[5] * v[5]);
    double& still_s = pieces_[k].still_s;
    still_s = speed < 0.008 && spin < 0.02 ? still_s + state_.step_s() : 0;
    if (still_s > 0.1 && may_rest(k)) rest(k);
  }
}

bool Pieces::store_owner_of(int dof) {
  for (std::size_t k = 0; k < count(); ++k) {
    if (dof < ids(k).dof || dof >= ids(k).dof + 6) continue;
    store(k);
    return true;
  }
  return false;
}

Pose upright(const Pose& X_base_place, const Vector3d& p_place) {
  Pose X = X_base_place;
  X.translation() = X * p_place;
  X.linear() = X.linear() * Eigen::AngleAxisd(-arm::kPi / 2, Vector3d::UnitX()).toRotationMatrix();
  return X;
}

}  // namespace rowbot::sim
