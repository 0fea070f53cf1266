#include "robot/sim/magazine.h"

#include <cmath>

namespace rowbot::sim {

using arm::Pose;
using Eigen::Vector3d;

bool Magazine::holds(std::size_t piece) const {
  const auto X = pieces_.pose(piece);
  if (!X) return false;
  const cell::CellLayout& layout = state_.layout();
  const Vector3d p = cell::magazine_pose(layout).inverse() * X->translation();
  const double r = layout.piece.radius_m;
  return p.x() > -r && p.x() < 2 * r * (layout.magazine.capacity + 1) &&
         std::abs(p.y()) < layout.board.slot_depth_m / 2 && std::abs(p.z()) < r;
}

int Magazine::count() const {
  int count = 0;
  for (std::size_t k = 0; k < Pieces::count(); ++k) count += holds(k) ? 1 : 0;
  return count;
}

void Magazine::fill() {
  fed_s_ = -1;
  const cell::CellLayout& layout = state_.layout();
  for (int i = 0; i < layout.magazine.capacity && feeding_; ++i) {
    const auto piece = pieces_.stored(Side::kRobot);
    if (!piece) return;
    pieces_.release(*piece, upright(cell::magazine_pose(layout),
                                    Vector3d(2.001 * layout.piece.radius_m * i, 0, 0)));
  }
}

double Magazine::along_rail_m(std::size_t piece) const {
  return (cell::magazine_pose(state_.layout()).inverse() * pieces_.pose(piece)->translation()).x();
}

/// A piece at rest must lean on the stop or on the piece before it; otherwise it rolls on.
void Magazine::let_roll() {
  const double r = state_.layout().piece.radius_m;
  for (std::size_t k = 0; k < Pieces::count(); ++k) {
    if (!pieces_.rests(k) || !holds(k)) continue;
    const double x = along_rail_m(k);
    bool held = x < 0.2 * r;
    for (std::size_t i = 0; i < Pieces::count() && !held; ++i) {
      if (i == k || !holds(i)) continue;
      const double ahead = x - along_rail_m(i);
      held = ahead > 0 && ahead < 2.1 * r;
    }
    if (!held) pieces_.wake(k);
  }
}

bool Magazine::has_room_at(double along_m) const {
  const cell::CellLayout& layout = state_.layout();
  const double r = layout.piece.radius_m;
  for (std::size_t k = 0; k < Pieces::count(); ++k) {
    const auto X = pieces_.pose(k);
    if (!X) continue;
    const Vector3d p = cell::magazine_pose(layout).inverse() * X->translation();
    if (std::abs(p.x() - along_m) < 2.2 * r && p.norm() < 10 * r * layout.magazine.capacity &&
        std::abs(p.z()) < 3 * r) {
      return false;
    }
  }
  return true;
}

void Magazine::tend() {
  if (state_.steps() % 50 == 0) let_roll();
  if (!feeding_ || state_.time_s() - fed_s_ < 0.4) return;
  fed_s_ = state_.time_s();
  const cell::CellLayout& layout = state_.layout();
  if (count() >= layout.magazine.capacity) return;
  const double r = layout.piece.radius_m;
  const double at = 2 * r * (layout.magazine.capacity + 0.2);
  const auto piece = pieces_.stored(Side::kRobot);
  if (!piece || !has_room_at(at)) return;
  pieces_.release(*piece, upright(cell::magazine_pose(layout), Vector3d(at, 0, 0.3 * r)));
}

void Magazine::clear() {
  for (std::size_t k = 0; k < Pieces::count(); ++k) {
    if (holds(k)) pieces_.store(k);
  }
}

void Magazine::wake() {
  for (std::size_t k = 0; k < Pieces::count(); ++k) {
    if (pieces_.rests(k) && holds(k)) pieces_.wake(k);
  }
}

}  // namespace rowbot::sim
