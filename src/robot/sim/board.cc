#include "robot/sim/board.h"

#include <algorithm>
#include <cmath>
#include <mujoco/mujoco.h>
#include <vector>

#include "robot/arm/forward.h"

namespace rowbot::sim {

using arm::Pose;
using Eigen::Vector3d;

double Board::floor_m() const {
  const cell::CellLayout& layout = state_.layout();
  return cell::board_floor_m(layout) - cell::board_pose(layout).translation().z();
}

std::optional<Board::Cell> Board::cell_of(std::size_t piece) const {
  const auto X = pieces_.pose(piece);
  if (!X) return std::nullopt;
  const cell::CellLayout& layout = state_.layout();
  const Vector3d p = cell::board_pose(layout).inverse() * X->translation();
  const double r = layout.piece.radius_m;
  const double column = p.x() / layout.board.pitch_m + 3;
  const double row = (p.z() - floor_m() - r) / (2 * r);
  if (std::abs(p.y()) > layout.board.slot_depth_m / 2) return std::nullopt;
  const Cell cell{.column = static_cast<int>(std::lround(column)),
                  .row = static_cast<int>(std::lround(row))};
  if (std::abs(column - cell.column) > 0.3 || std::abs(row - cell.row) > 0.4) return std::nullopt;
  if (cell.column < 0 || cell.column >= kColumns || cell.row < 0 || cell.row >= kRows) {
    return std::nullopt;
  }
  return cell;
}

BoardTruth Board::truth() const {
  BoardTruth truth;
  for (std::size_t k = 0; k < Pieces::count(); ++k) {
    const auto cell = cell_of(k);
    if (!cell || pieces_.is_stuck(k)) continue;
    truth[static_cast<std::size_t>(cell->column)][static_cast<std::size_t>(cell->row)] =
        owner_of(k);
  }
  return truth;
}

int Board::count() const {
  int count = 0;
  for (const auto& column : truth()) {
    for (const auto& cell : column) count += cell.has_value() ? 1 : 0;
  }
  return count;
}

std::array<bool, kColumns> Board::touched_mouths() const {
  std::array<bool, kColumns> touched{};
  const cell::CellLayout& layout = state_.layout();
  const Pose X_board_base = cell::board_pose(layout).inverse();
  const double r = layout.piece.radius_m;
  const double mouth = floor_m() + 2 * r * kRows;
  for (std::size_t k = 0; k < Pieces::count(); ++k) {
    if (!pieces_.moves(k)) continue;
    const Vector3d p = X_board_base * pieces_.pose(k)->translation();
    // A piece at rest in the topmost row has passed.
    if (std::abs(p.z() - mouth) > 0.8 * r || std::abs(p.y()) > layout.board.slot_depth_m / 2) {
      continue;
    }
    const auto column = std::lround(p.x() / layout.board.pitch_m + 3);
    if (column >= 0 && column < kColumns) touched[static_cast<std::size_t>(column)] = true;
  }
  return touched;
}

Pose Board::upright_in(const Cell& cell) const {
  const cell::CellLayout& layout = state_.layout();
  return upright(cell::board_pose(layout),
                 {(cell.column - 3) * layout.board.pitch_m, 0,
                  floor_m() + (2 * cell.row + 1) * layout.piece.radius_m});
}

bool Board::put(const Cell& cell, Side side) {
  const auto piece = pieces_.stored(side);
  if (piece) pieces_.fix(*piece, upright_in(cell));
  return piece.has_value();
}

void Board::clear() {
  for (std::size_t k = 0; k < Pieces::count(); ++k) {
    if (cell_of(k)) pieces_.store(k);
  }
}

bool Board::release_human_piece(game::Column column, const Vector3d& offset_m) {
  const auto piece = pieces_.stored(Side::kHuman);
  if (!piece) return false;
  const cell::CellLayout& layout = state_.layout();
  const Vector3d above((column.index() - 3) * layout.board.pitch_m, 0,
                       layout.piece.radius_m + layout.board.lip_m);
  pieces_.release(*piece, upright(cell::board_pose(layout), above + offset_m));
  return true;
}

bool Board::take_top(game::Column column) {
  std::optional<std::size_t> top;
  int height = -1;
  for (std::size_t k = 0; k < Pieces::count(); ++k) {
    const auto cell = cell_of(k);
    if (!cell || pieces_.is_stuck(k)) continue;
    if (cell->column != column.index() || cell->row <= height) continue;
    height = cell->row;
    top = k;
  }
  if (top) pieces_.store(*top);
  return top.has_value();
}

void Board::jam(game::Column column) {
  // In the topmost cell, where the next piece must pass.
  const auto piece = pieces_.stored(Side::kHuman);
  const Cell top{.column = column.index(), .row = kRows - 1};
  if (piece) pieces_.fix(*piece, upright_in(top), true);
}

void Board::open_gate(bool open) {
  gate_open_ = open;
  state_.data().ctrl[arm::joint_count(state_.scene().arm) + 2] =
      open ? gate_travel_m(state_.layout()) : 0.0;
  if (open) pieces_.wake_all();
}

void Board::move(const Eigen::Vector2d& by_m, double turned_rad) {
  move_to(cell::with_board_moved(state_.layout(), by_m, turned_rad));
}

void Board::move_to(const cell::CellLayout& there) {
  const Pose X_before = cell::board_pose(state_.layout());
  std::vector<std::size_t> inside;
  for (std::size_t k = 0; k < Pieces::count(); ++k) {
    if (pieces_.rests(k) && cell_of(k)) inside.push_back(k);
  }
  state_.set_layout(there);
  const int body = state_.scene().board_body;
  const Pose X = cell::board_pose(there);
  const Eigen::Quaterniond q(X.linear());
  std::copy_n(X.translation().data(), 3, state_.model().body_pos + 3 * body);
  const std::array<double, 4> quat = {q.w(), q.x(), q.y(), q.z()};
  std::ranges::copy(quat, state_.model().body_quat + 4 * body);
  for (const std::size_t k : inside) {
    pieces_.fix(k, X * X_before.inverse() * *pieces_.pose(k), pieces_.is_stuck(k));
  }
  state_.update();
}

}  // namespace rowbot::sim
