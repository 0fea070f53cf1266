// A whole cell in simulation: the twin, its camera with an eye, its hand, and the pace of simulated
// time. What people do happens while time passes.
// Thread safety: none; one thread makes, uses and destroys a Stage.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "game/position.h"
#include "robot/cell/hand.h"
#include "robot/farend/rig.h"
#include "robot/sim/twin.h"
#include "robot/station/twin_camera.h"
#include "robot/station/twin_switches.h"
#include "robot/table/pace.h"
#include "robot/vision/camera_sensor.h"

namespace rowbot::station {

struct StageOptions {
  cell::CellLayout layout;
  std::uint64_t seed = 1;
  sim::ServoModel servo;
  TwinCameraOptions camera;
  /// The arm's real driver on a simulated wire whose far end moves the twin; without it the twin
  /// is the driver.
  std::optional<farend::RigWire> wire;
  bool switches = false;  // in the columns' mouths
  /// Simulated seconds per second; as fast as it goes without.
  std::optional<double> speed;
  /// Holds what is in the board, so that the simulated board outlives the program as a real one
  /// would. Nothing is kept without.
  std::string world_file;
};

class Stage final : public table::Pace {
 public:
  /// Shows the eye some discs of both colours first, then empties the board, or puts in what the
  /// world file holds.
  [[nodiscard]] static Result<std::unique_ptr<Stage>> create(const StageOptions& options);

  void wait(double seconds) override;
  [[nodiscard]] double now_s() const override { return twin_->world().state.time_s(); }

  [[nodiscard]] sim::Twin& twin() { return *twin_; }
  /// Whatever drives the arm: the twin, or a driver on a wire.
  [[nodiscard]] cell::ArmDriver& arm() { return rig_ ? *rig_->driver : *twin_; }
  /// Null without switches.
  [[nodiscard]] TwinSwitches* switches() { return switches_.get(); }
  [[nodiscard]] vision::CameraSensor& eye() { return *eye_; }
  [[nodiscard]] cell::ArmHand& hand() { return *hand_; }
  /// People mend whatever is broken, and set the arm on its marks.
  void repair();
  /// The cell as the hand believes it.
  [[nodiscard]] const cell::CellLayout& layout() const { return options_.layout; }
  /// Measures with the eye where the board stands now, and tells the hand.
  [[nodiscard]] Result<void> realign(const cell::BoardReading& before,
                                     const cell::BoardReading& now);

  /// Called at the end of each wait.
  void on_wait(std::function<void()> people) { people_ = std::move(people); }
  /// Called after each step of the physics.
  void on_step(std::function<void(const sim::World&)> watcher) {
    watchers_.push_back(std::move(watcher));
  }

 private:
  Stage(const StageOptions& options, std::unique_ptr<sim::Twin> twin);
  [[nodiscard]] Result<void> wire_up();
  [[nodiscard]] Result<void> open_eye();
  [[nodiscard]] Result<void> restore_world();
  void step_done(const sim::World& world);
  void save_world(const sim::World& world);

  StageOptions options_;
  std::unique_ptr<sim::Twin> twin_;
  std::optional<farend::Rig> rig_;
  std::unique_ptr<TwinSwitches> switches_;
  std::unique_ptr<TwinCamera> camera_;
  std::unique_ptr<vision::CameraSensor> eye_;
  std::unique_ptr<cell::ArmHand> hand_;
  std::function<void()> people_;
  std::vector<std::function<void(const sim::World&)>> watchers_;
  std::chrono::steady_clock::time_point began_;
  double began_s_ = 0;
  std::string saved_;
  bool keeping_ = false;
};

/// The twin's words for a position, and whether every disc of the position is really there.
[[nodiscard]] sim::BoardTruth truth_of(const game::Position& position, game::Side human);
[[nodiscard]] bool shows(const sim::BoardTruth& truth, const game::Position& position,
                         game::Side human);

}  // namespace rowbot::station
