// The arm in simulation, behind the same port as a real one. Time is simulated: it passes inside
// wait(), grip() and advance(), as fast as the machine allows.
// Thread safety: as ArmDriver; the rest from the thread that drives it.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/rng.h"
#include "robot/cell/arm_driver_base.h"
#include "robot/sim/world.h"

namespace rowbot::sim {

/// How exactly the motors do what they are told.
struct ServoModel {
  double step_rad = 0;            // resolution of the commands; 0: none
  double backlash_rad = 0;        // play between motor and link
  double drift_rad_per_move = 0;  // of free-running motors: grows with each move
};

/// Commands arrive as calculated.
[[nodiscard]] ServoModel exact_servos();
/// Carlo 2020 with its library's PWM: steps of 4 degrees, play in the printed joints.
[[nodiscard]] ServoModel coarse_servos();
/// Rhodes 1993: no feedback, so errors add up over five to ten moves.
[[nodiscard]] ServoModel drifting_motors();

struct TwinOptions {
  std::uint64_t seed = 1;
  ServoModel servo;
  double watchdog_s = 0.2;
};

/// What can go wrong on command.
enum class Fault {
  kSlippedPiece,
  kEmptyMagazine,
  kPieceOnRim,
  kJammedColumn,
  kDeadJoint,
  kDriftedJoint,  // it stands five degrees from where it believes to stand
  kLateMessages,
  kLostMessages,
  kMovedBoard,
  kCoveredCamera,
};
[[nodiscard]] const char* fault_name(Fault fault);
[[nodiscard]] Result<Fault> fault_by_name(std::string_view name);

class Twin final : public cell::ArmDriverBase {
 public:
  static Result<std::unique_ptr<Twin>> create(const cell::CellLayout& layout,
                                              const TwinOptions& options = {});

  Result<void> wait() override;
  void halt() noexcept override { halt_ = true; }

  /// Lets time pass without giving the arm a sign of life.
  void advance(double seconds);
  /// From now on others command the motors, for example the far end of a wire. Time passes as
  /// `pass` lets it, by calls of step_world(); the twin is no driver any more.
  void yield_motors(std::function<void(double seconds)> pass) { pass_ = std::move(pass); }
  /// One step of the physics, whoever commands the motors.
  void step_world();
  /// Until every piece lies still; false when that takes longer than `seconds`.
  bool settle(double seconds);

  /// The human's move; false when no piece is left.
  bool human_drop(game::Column column);
  /// Opens the bottom, lets all pieces fall out, closes it and fills the magazine.
  void new_game();
  /// Column for kJammedColumn and kPieceOnRim, joint for kDeadJoint and kDriftedJoint.
  void inject(Fault fault, int index = 0);
  /// A technician mends whatever was injected, and leads an arm in fault to its neutral place.
  void repair();
  void uncover_camera() { camera_covered_ = false; }
  [[nodiscard]] bool camera_covered() const { return camera_covered_; }

  [[nodiscard]] World& world() { return *world_; }
  [[nodiscard]] const World& world() const { return *world_; }

  /// Called after each step, for recording.
  void on_step(std::function<void(const World&)> watcher) { watcher_ = std::move(watcher); }

 private:
  Twin(const arm::ArmModel& model, std::unique_ptr<World> world, const TwinOptions& options);
  Result<void> on_configure() override;
  Result<void> on_activate() override;
  Result<void> on_clear_fault() override;
  Result<void> on_start(const arm::Trajectory& motion) override;
  Result<double> on_grip(const cell::GripCommand& command) override;
  void on_fault(bool was_moving) override;
  [[nodiscard]] arm::JointVector start_pose_rad() const override { return target_rad_; }

  void tick();
  [[nodiscard]] arm::JointVector follow_motion();
  void check_following();
  void let_drift();
  void publish_state();
  [[nodiscard]] arm::JointVector as_servo(const arm::JointVector& q_rad);

  std::unique_ptr<World> world_;
  TwinOptions options_;
  Rng rng_;
  std::function<void(const World&)> watcher_;
  std::function<void(double)> pass_;  // once others command the motors

  std::optional<arm::Trajectory> motion_;
  double motion_s_ = 0;
  double delay_s_ = 0;
  arm::JointVector target_rad_;  // where the motors are told to be
  arm::JointVector drift_rad_;
  arm::JointVector slide_rad_;  // drift that is still to come
  arm::JointVector play_rad_;
  double grip_width_m_ = 0;
  double grip_force_n_ = 0;
  bool slip_ = false;
  bool late_ = false;
  bool lost_ = false;
  bool camera_covered_ = false;

  std::atomic<bool> halt_ = false;
};

}  // namespace rowbot::sim
