// The physics behind the twin: one MuJoCo model of the cell, its pieces, and what is watched while
// time passes. Pieces are rigid bodies, held by contact and friction alone. A piece that has come
// to rest in the board or on the rail is replaced by a fixed shape in the same place until
// something disturbs it: that keeps the simulation faster than real time. Thread safety: none; one
// thread owns a World.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/rng.h"
#include "game/column.h"
#include "robot/arm/arm_model.h"
#include "robot/cell/layout.h"
#include "robot/sim/neighbourhood.h"
#include "robot/sim/scene.h"

// MuJoCo's types, so that its header stays in the .cc files. They are aliases of tagged structs.
struct mjModel_;  // NOLINT(readability-identifier-naming)
struct mjData_;   // NOLINT(readability-identifier-naming)

namespace rowbot::sim {

class LastGoodState;

enum class Side { kRobot, kHuman };

/// What is really in the board, column by column from the bottom.
using BoardTruth = std::array<std::array<std::optional<Side>, 6>, 7>;

struct WorldCounters {
  std::uint64_t steps = 0;
  std::uint64_t limit_violations = 0;   // joint beyond its range or speed
  std::uint64_t unwanted_contacts = 0;  // arm or fingers on board, table, rail or mast
  std::string first_unwanted;           // what touched what
  std::uint64_t broken_steps = 0;       // that had no solution and were taken back
};

class World {
 public:
  static Result<std::unique_ptr<World>> create(const arm::ArmModel& model,
                                               const cell::CellLayout& layout, std::uint64_t seed);
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;
  World(World&&) = delete;
  World& operator=(World&&) = delete;

  /// What the motors are told: where each joint should be and how fast it should move there.
  void command(const arm::JointVector& q_rad, const arm::JointVector& v_rad_s);
  void command_gripper(double width_m, double force_n);
  /// A motor that no longer pulls.
  void kill_joint(int joint);
  void revive_joints();
  /// A person leads the arm to a place by hand.
  void put_arm(const arm::JointVector& q_rad);
  /// Stands as another arm does, for a world that is only looked at.
  void show_arm(const arm::JointVector& q_rad, double gripper_width_m);

  /// One step of 2 ms.
  void step();
  [[nodiscard]] double step_s() const;
  [[nodiscard]] double time_s() const;

  [[nodiscard]] arm::JointVector joints_rad() const;
  [[nodiscard]] arm::JointVector velocities_rad_s() const;
  /// How far ahead the motors must hold the joints so that they come to rest soonest.
  [[nodiscard]] arm::JointVector stopping_way_rad() const;
  [[nodiscard]] double gripper_width_m() const;
  [[nodiscard]] arm::Pose tool_pose() const;
  [[nodiscard]] const WorldCounters& counters() const { return counters_; }

  [[nodiscard]] BoardTruth board() const;
  [[nodiscard]] int pieces_in_board() const;
  [[nodiscard]] int pieces_on_rail() const;
  /// Where a moving piece touches the switch in the mouth of a column.
  [[nodiscard]] std::array<bool, kColumns> pieces_in_mouths() const;
  [[nodiscard]] bool all_at_rest() const;
  /// Where a piece is, moving or at rest; none while it is in the store. The robot's come first.
  [[nodiscard]] std::optional<arm::Pose> piece_pose(std::size_t piece) const;
  /// A piece is between the fingers, touching both.
  [[nodiscard]] bool holds_piece() const;

  /// Lets go of one of the human's pieces above a column; `offset_m` is along board, across it and
  /// up. False when none is left.
  bool release_human_piece(game::Column column, const Eigen::Vector3d& offset_m);
  /// A person takes the topmost piece out of a column; false when there is none.
  bool take_top(game::Column column);
  /// Pieces at rest in the board, just these.
  void set_board(const BoardTruth& board);
  /// Picks up what lies about or is stuck, and puts it back into the store.
  void tidy();
  void open_gate(bool open);
  /// Puts every piece back into the store and fills the rail again.
  void reload();
  /// Puts a piece on the upper end of the rail when there is room. Called by step().
  void feed_rail();
  void set_feeding(bool on);
  void empty_rail();
  /// A piece stuck in the mouth of a column.
  void jam(game::Column column);
  void move_board(const Eigen::Vector2d& by_m, double turned_rad);
  /// On its marks again.
  void put_board_back();
  /// Pieces at rest become movable bodies again.
  void wake_rail();
  void wake_all();

  [[nodiscard]] const arm::ArmModel& arm() const { return arm_; }
  [[nodiscard]] const cell::CellLayout& layout() const { return layout_; }
  [[nodiscard]] const mjModel_* model() const { return model_; }
  [[nodiscard]] const mjData_* data() const { return data_; }

 private:
  enum class PieceState { kStored, kMoving, kResting };
  struct PieceInfo {
    PieceState state = PieceState::kStored;
    bool stuck = false;  // jammed: never woken
    double still_s = 0;
    int joint_qpos = 0;
    int joint_dof = 0;
    int body = 0;
    int geoms = 0;
    int body_geom = 0;
    int flat_geom = -1;  // discs have one
    int ghost_geom = 0;
  };
  struct Spot {
    int column = 0;
    int row = 0;
  };
  struct Motor {
    double gain = 0;
    double damping = 0;
  };
  enum class Kind : std::uint8_t { kOther, kArm, kFinger, kObstacle, kPiece };

  World(const arm::ArmModel& model, const cell::CellLayout& layout, std::uint64_t seed);
  void find_names();
  void tune_motors();
  struct Solid {
    bool body;
    bool ghost;
  };
  /// Who stands for the piece in the physics.
  void let_touch(const PieceInfo& info, Solid solid);
  void store(std::size_t piece);
  void rest(std::size_t piece);
  void wake(std::size_t piece);
  void put(std::size_t piece, const arm::Pose& X_base_piece);
  void take_back_broken_step(int dof);
  void tend_pieces();
  void let_rail_roll();
  void watch();
  void set_board_place(const cell::CellLayout& there);
  [[nodiscard]] arm::Pose pose_of(std::size_t piece) const;
  [[nodiscard]] std::optional<Spot> spot_of(std::size_t piece) const;
  [[nodiscard]] bool on_rail(std::size_t piece) const;
  [[nodiscard]] std::optional<std::size_t> stored_piece(Side side) const;
  [[nodiscard]] arm::Pose upright_in_board(const Eigen::Vector3d& p_board) const;

  arm::ArmModel arm_;
  cell::CellLayout layout_;
  cell::CellLayout marks_;  // as the cell was built
  Rng rng_;
  mjModel_* model_ = nullptr;
  mjData_* data_ = nullptr;
  std::optional<Neighbourhood> neighbourhood_;  // once there is a model
  std::unique_ptr<LastGoodState> last_good_;    // the same
  std::array<PieceInfo, kPieces> pieces_;
  std::vector<Kind> kind_of_geom_;
  std::vector<int> link_qpos_;
  std::vector<int> link_dof_;
  int finger_qpos_ = 0;
  arm::JointVector stiffness_;
  arm::JointVector damping_;
  std::map<int, Motor> dead_;  // as they were before
  WorldCounters counters_;
  double fed_s_ = 0;
  bool feeding_ = true;
  bool gate_open_ = false;
};

}  // namespace rowbot::sim
