// A station: one robot's cell, opened from one configuration. Each part is simulated, real or left
// out by itself, and is used in the same way then.
//
//   auto station = open({.layout = cell::default_layout(arm::eezybot())});
//   if (!station) return station.error();
//   (*station)->hand().drop(Column(3));
//
//   hand    drops discs: an arm's, or that of people who move for the robot
//   sensor  reads the whole board; null without a camera
//   panel   tells which switches were touched; null without switches
//   clock   the station itself: simulated time where the arm is simulated, else the clock's
//
// Thread safety: one thread makes, uses and destroys a station; arm()->halt(), arm()->read() and
// hand().halt() from any thread. poses() too when there is no twin.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "robot/cell/hand.h"
#include "robot/cell/panel.h"
#include "robot/sim/scene_export.h"
#include "robot/station/drawn_cell.h"
#include "robot/station/simulated_cell.h"
#include "robot/station/station_config.h"
#include "robot/table/pace.h"
#include "robot/table/table_snapshot.h"
#include "robot/vision/camera_sensor.h"

namespace rowbot::station {

class Station final : public table::Pace {
 public:
  /// Lets time pass; then everybody who asked for it acts.
  void wait(double seconds) override;
  [[nodiscard]] double now_s() const override;

  [[nodiscard]] cell::Hand& hand() { return *hand_; }
  [[nodiscard]] vision::CameraSensor* sensor() { return sensor_.get(); }
  [[nodiscard]] cell::Panel* panel();
  /// Null where people move for the robot.
  [[nodiscard]] cell::ArmDriver* arm();
  /// Null where nothing is simulated.
  [[nodiscard]] SimulatedCell* twin() { return twin_.get(); }

  /// One drop as planned: at once where the wire takes it, else step by step.
  [[nodiscard]] Result<void> run(const cell::DropPlan& plan);
  /// The cell as the hand believes it.
  [[nodiscard]] const cell::CellLayout& layout() const { return config_.layout; }
  /// The hand, when it is an arm's; else null.
  [[nodiscard]] cell::ArmHand* arm_hand() { return arm_hand_; }
  /// Measures with the camera where the board stands now, and tells the hand.
  [[nodiscard]] Result<void> realign(const cell::BoardReading& before,
                                     const cell::BoardReading& now);

  /// The cell as something to draw: the twin as it is, or else the layout with the arm and the
  /// discs where arm and game say they are.
  [[nodiscard]] sim::SceneExport scene();
  [[nodiscard]] sim::ScenePoses poses(const table::TableSnapshot& now);

  /// Called at the end of each wait.
  void on_wait(std::function<void()> watcher) { watchers_.push_back(std::move(watcher)); }

 private:
  friend Result<std::unique_ptr<Station>> open(const StationConfig& config);
  explicit Station(const StationConfig& config) : config_(config) {}
  [[nodiscard]] Result<void> open_arm();
  [[nodiscard]] Result<void> open_sensor();
  void make_hand();

  StationConfig config_;
  std::unique_ptr<SimulatedCell> twin_;
  std::unique_ptr<cell::ArmDriver> real_arm_;
  cell::ArmHand::PlanRunner run_whole_;
  std::unique_ptr<cell::Camera> real_camera_;
  std::unique_ptr<cell::Panel> real_panel_;
  std::unique_ptr<vision::CameraSensor> sensor_;
  std::unique_ptr<cell::Hand> hand_;
  cell::ArmHand* arm_hand_ = nullptr;  // hand_, when it is an arm's
  std::optional<DrawnCell> drawn_;     // without a twin
  table::WallPace wall_;
  std::vector<std::function<void()>> watchers_;
};

/// Fails with the field that is wrong, what is wrong with it and what to do. Real arms are not
/// configured yet: hand().prepare() does that, and can be tried again.
[[nodiscard]] Result<std::unique_ptr<Station>> open(const StationConfig& config);

}  // namespace rowbot::station
