// A cell in the twin: arm, board, discs, camera and switches in simulated time, and the pace of
// that time. What people do there happens while time passes.
// Thread safety: none; one thread makes, uses and destroys it.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "game/position.h"
#include "robot/cell/hand.h"
#include "robot/farend/rig.h"
#include "robot/sim/twin.h"
#include "robot/station/station_config.h"
#include "robot/station/twin_camera.h"
#include "robot/station/twin_switches.h"
#include "robot/vision/calibration.h"

namespace rowbot::station {

class SimulatedCell {
 public:
  /// With the camera and the switches that are the twin's by this configuration.
  [[nodiscard]] static Result<std::unique_ptr<SimulatedCell>> create(const StationConfig& config);

  [[nodiscard]] sim::Twin& twin() { return *twin_; }
  [[nodiscard]] double now_s() const { return twin_->world().state.time_s(); }
  /// Whatever drives the arm: the twin, or a driver on a wire.
  [[nodiscard]] cell::ArmDriver& arm() { return rig_ ? *rig_->driver : *twin_; }
  /// A whole drop at once, for a wire that takes it; else empty.
  [[nodiscard]] cell::ArmHand::PlanRunner run_whole() const {
    return rig_ ? rig_->run_whole : cell::ArmHand::PlanRunner();
  }
  /// Null where they are not the twin's.
  [[nodiscard]] TwinCamera* camera() { return camera_.get(); }
  [[nodiscard]] TwinSwitches* switches() { return switches_.get(); }

  /// Shows the camera some discs of both colours, then empties the board.
  [[nodiscard]] Result<vision::Calibration> calibrate_camera();
  /// Puts into the board what the world file holds, and keeps the pace from now on.
  [[nodiscard]] Result<void> begin();
  /// People mend whatever is broken, and set the arm on its marks.
  void repair();

  /// Called after each step of the physics.
  void on_step(std::function<void(const sim::World&)> watcher) {
    watchers_.push_back(std::move(watcher));
  }

 private:
  SimulatedCell(const StationConfig& config, std::unique_ptr<sim::Twin> twin);
  [[nodiscard]] Result<void> wire_up(farend::RigWire wire);
  void step_done(const sim::World& world);
  void keep_pace();
  void save_world(const sim::World& world);

  StationConfig config_;
  std::unique_ptr<sim::Twin> twin_;
  std::optional<farend::Rig> rig_;
  std::unique_ptr<TwinSwitches> switches_;
  std::unique_ptr<TwinCamera> camera_;
  std::vector<std::function<void(const sim::World&)>> watchers_;
  std::chrono::steady_clock::time_point anchor_;  // of the pace: this instant
  double anchor_s_ = 0;                           // is this simulated one
  std::string saved_;
  bool keeping_ = false;
};

/// The twin's words for a position, and whether every disc of the position is really there.
[[nodiscard]] sim::BoardTruth truth_of(const game::Position& position, game::Side human);
[[nodiscard]] bool shows(const sim::BoardTruth& truth, const game::Position& position,
                         game::Side human);

}  // namespace rowbot::station
