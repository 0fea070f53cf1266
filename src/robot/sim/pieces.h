// The pieces as rigid bodies, held by contact and friction alone. A piece that has come to rest in
// the board or on the rail is replaced by a fixed shape in the same place, its ghost, until
// something disturbs it: that keeps the simulation faster than real time. Pieces that are not in
// play are in the store, below the table.
// Thread safety: none; as PhysicsState.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>

#include "robot/sim/physics_state.h"

namespace rowbot::sim {

/// Whose piece it is. The robot's have the first numbers.
enum class Side { kRobot, kHuman };
[[nodiscard]] constexpr Side owner_of(std::size_t piece) {
  return piece < kPiecesPerSide ? Side::kRobot : Side::kHuman;
}

class Pieces {
 public:
  explicit Pieces(PhysicsState& state) : state_(state) {}

  [[nodiscard]] static constexpr std::size_t count() { return kPieces; }
  /// Where a piece is, moving or at rest; none while it is in the store.
  [[nodiscard]] std::optional<arm::Pose> pose(std::size_t piece) const;
  [[nodiscard]] bool in_play(std::size_t piece) const;
  [[nodiscard]] bool moves(std::size_t piece) const;
  [[nodiscard]] bool rests(std::size_t piece) const;
  [[nodiscard]] bool is_stuck(std::size_t piece) const { return pieces_[piece].stuck; }
  [[nodiscard]] bool all_at_rest() const;
  [[nodiscard]] std::optional<std::size_t> stored(Side side) const;

  void store(std::size_t piece);
  void store_all();
  /// Lets go of it there.
  void release(std::size_t piece, const arm::Pose& X_base_piece);
  /// At rest there; one that is stuck is never woken.
  void fix(std::size_t piece, const arm::Pose& X_base_piece, bool stuck = false);
  /// A piece at rest becomes a movable body again.
  void wake(std::size_t piece);
  void wake_all();

  /// After each step. A piece that lies still where it may rest is fixed there; one that has left
  /// the table goes into the store.
  void tend(const std::function<bool(std::size_t)>& may_rest);
  /// Takes the piece with this degree of freedom out of play; false when it belongs to no piece.
  bool store_owner_of(int dof);

 private:
  enum class State : std::uint8_t { kStored, kMoving, kResting };
  struct Piece {
    State state = State::kStored;
    bool stuck = false;
    double still_s = 0;
  };
  struct Solid {
    bool body;
    bool ghost;
  };

  void put(std::size_t piece, const arm::Pose& X_base_piece);
  void rest(std::size_t piece);
  void keep_in_place(std::size_t piece);
  /// Who stands for the piece in the physics.
  void let_touch(std::size_t piece, Solid solid);
  [[nodiscard]] const PieceIds& ids(std::size_t piece) const {
    return state_.scene().pieces[piece];
  }

  PhysicsState& state_;
  std::array<Piece, kPieces> pieces_;
};

/// A piece that stands upright at a point of the board or the rail: a disc's axis (z of its shape)
/// lies across them.
[[nodiscard]] arm::Pose upright(const arm::Pose& X_base_place, const Eigen::Vector3d& p_place);

}  // namespace rowbot::sim
