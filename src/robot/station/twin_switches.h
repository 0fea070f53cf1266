// Micro switches in the mouths of the twin's columns: contacts that bounce, read by the real
// panel's driver. Thread safety: none; of the thread that drives the twin.
#pragma once

#include <array>
#include <memory>
#include <optional>

#include "robot/cell/panel.h"
#include "robot/drivers/panel/switch_panel.h"
#include "robot/sim/world.h"

namespace rowbot::station {

class TwinSwitches final : public cell::Panel {
 public:
  [[nodiscard]] static Result<std::unique_ptr<TwinSwitches>> create();

  /// After each step of the physics.
  void watch(const sim::World& world);
  /// The next thing that the panel has made of its contacts. Never waits: the time is the twin's.
  [[nodiscard]] Result<std::optional<cell::PanelEvent>> next(
      std::chrono::nanoseconds timeout) override;

  /// A switch that closes although nothing touches it, for a moment.
  void spark(game::Column column);

 private:
  class Lines;
  TwinSwitches(Lines& lines, std::unique_ptr<drivers::SwitchPanel> panel);

  Lines& lines_;  // of the panel
  std::unique_ptr<drivers::SwitchPanel> panel_;
  std::array<bool, game::kColumns> closed_{};
  std::array<double, game::kColumns> sparks_until_s_{};
  double now_s_ = 0;
};

}  // namespace rowbot::station
