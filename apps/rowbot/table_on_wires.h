// The robot's table with real parts: arm, camera and switches as a configuration names them, in
// real time.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "robot/cell/hand.h"
#include "robot/drivers/panel/switch_panel.h"
#include "robot/table/journal.h"
#include "robot/table/robot_table.h"
#include "robot/vision/camera_sensor.h"
#include "robot/vision/video_camera.h"
#include "table_parts.h"
#include "wired_arm.h"

namespace rowbot::app {

struct TableOnWiresOptions {
  std::string log;
  game::Side human = game::Side::kFirst;
  std::uint64_t seed = 1;
  std::function<void()> alive;  // again and again while time passes
};

/// Thread safety: as RobotTable; the rest from one thread.
class TableOnWires {
 public:
  [[nodiscard]] static Result<std::unique_ptr<TableOnWires>> open(
      const TableParts& parts, const TableOnWiresOptions& options);

  [[nodiscard]] table::RobotTable& table() { return *table_; }
  /// Null without an arm, or without a camera.
  [[nodiscard]] cell::ArmDriver* arm() { return arm_.driver.get(); }
  [[nodiscard]] vision::CameraSensor* eye() { return eye_.get(); }
  [[nodiscard]] const cell::CellLayout& layout() const { return layout_; }

 private:
  explicit TableOnWires(const TableParts& parts) : layout_(parts.layout) {}
  [[nodiscard]] Result<void> open_arm(const TableParts& parts, std::uint64_t seed);
  [[nodiscard]] Result<void> open_eye(const TableParts& parts);
  [[nodiscard]] Result<void> open_panel(const TableParts& parts);
  [[nodiscard]] Result<void> realign(const cell::BoardReading& before,
                                     const cell::BoardReading& now);

  cell::CellLayout layout_;
  WiredArm arm_;
  std::unique_ptr<cell::ArmHand> arm_hand_;
  std::unique_ptr<cell::Hand> hand_of_people_;
  std::unique_ptr<vision::VideoCamera> camera_;
  std::unique_ptr<vision::CameraSensor> eye_;
  std::unique_ptr<table::Pace> pace_;
  std::unique_ptr<table::Journal> journal_;
  std::unique_ptr<table::RobotTable> table_;
  std::unique_ptr<drivers::SwitchPanel> panel_;
  std::jthread panel_thread_;  // last: it ends before anything it uses
};

/// Until the games are played, somebody quits, or the service is stopped; for ever without a
/// number.
void run_table_on_wires(const TableParts& parts, const TableOnWiresOptions& options,
                        std::optional<std::uint64_t> games);

}  // namespace rowbot::app
