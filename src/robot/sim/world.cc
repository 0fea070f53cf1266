#include "robot/sim/world.h"

#include <utility>

namespace rowbot::sim {

World::World(std::shared_ptr<const Scene> scene) : state(std::move(scene)) { reload(); }

Result<std::unique_ptr<World>> World::create(const arm::ArmModel& arm,
                                             const cell::CellLayout& layout) {
  auto scene = Scene::compile(arm, layout);
  if (!scene) return scene.error();
  return std::make_unique<World>(*std::move(scene));
}

double World::distance_to_tool_m(std::size_t piece) const {
  return (pieces.pose(piece)->translation() - arm.tool_pose().translation()).norm();
}

void World::step() {
  if (const auto broken = state.step()) {
    // A piece that broke the physics is off the table; an arm that did stands still.
    if (!pieces.store_owner_of(*broken)) arm.stop();
    state.update();
  }
  pieces.tend([this](std::size_t k) {
    // Not while the fingers are at it.
    return !board.gate_open() && (board.cell_of(k) || magazine.holds(k)) &&
           distance_to_tool_m(k) > 3 * state.layout().piece.radius_m;
  });
  magazine.tend();
  safety.check();
}

void World::reload() {
  pieces.store_all();
  magazine.fill();
  state.update();
}

void World::set_board(const BoardTruth& truth) {
  board.clear();
  for (int column = 0; column < kColumns; ++column) {
    for (int row = 0; row < kRows; ++row) {
      const auto side = truth[static_cast<std::size_t>(column)][static_cast<std::size_t>(row)];
      const Board::Cell cell{.column = column, .row = row};
      if (!side || board.put(cell, *side)) continue;
      // The rest of them wait on the rail or lie about.
      tidy();
      magazine.clear();
      if (!board.put(cell, *side)) return;
    }
  }
  state.update();
}

void World::tidy() {
  for (std::size_t k = 0; k < Pieces::count(); ++k) {
    if (!pieces.in_play(k)) continue;
    const bool in_place = !pieces.is_stuck(k) && (board.cell_of(k) || magazine.holds(k));
    if (!in_place && distance_to_tool_m(k) > 2 * state.layout().piece.radius_m) pieces.store(k);
  }
}

}  // namespace rowbot::sim
