// The panel of micro switches, a rocker and a push button on GPIO lines, pulled up, closed to
// ground.
#pragma once

#include <deque>
#include <memory>

#include "robot/cell/panel.h"
#include "robot/drivers/gpio.h"
#include "robot/drivers/panel/debouncer.h"
#include "robot/drivers/panel/wiring.h"

namespace rowbot::drivers {

/// Lines in this order: seven columns, the rocker's two, restart.
[[nodiscard]] std::vector<int> panel_lines(const PanelWiring& wiring);

class SwitchPanel final : public cell::Panel {
 public:
  static Result<std::unique_ptr<SwitchPanel>> open(const PanelWiring& wiring);
  static Result<std::unique_ptr<SwitchPanel>> open(std::unique_ptr<InputLines> lines,
                                                   const PanelWiring& wiring);

  [[nodiscard]] Result<std::optional<cell::PanelEvent>> next(
      std::chrono::nanoseconds timeout) override;

 private:
  SwitchPanel(std::unique_ptr<InputLines> lines, const std::vector<bool>& levels,
              const PanelWiring& wiring);
  Result<void> listen(Nanoseconds until);
  void take(const Debouncer::Event& event);
  void watch_rocker(Nanoseconds now);

  std::unique_ptr<InputLines> lines_;
  Debouncer debouncer_;
  std::deque<cell::PanelEvent> events_;
  std::array<bool, 2> rocker_closed_{};
  Nanoseconds rocker_moved_{};
  std::array<bool, 2> rocker_told_{};
  bool rocker_pending_ = true;
  bool first_level_ = true;
};

}  // namespace rowbot::drivers
