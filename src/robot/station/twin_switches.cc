#include "robot/station/twin_switches.h"

#include <chrono>
#include <utility>
#include <vector>

namespace rowbot::station {

using drivers::Edge;
using drivers::Nanoseconds;

/// Ten lines, pulled up, on the twin's clock.
class TwinSwitches::Lines final : public drivers::InputLines {
 public:
  Result<std::vector<Edge>> wait(Nanoseconds /*timeout*/) override {
    return std::exchange(edges_, {});
  }
  [[nodiscard]] Result<std::vector<bool>> levels() override { return levels_; }
  [[nodiscard]] Nanoseconds now() const override { return now_; }

  void set_time(double seconds) {
    now_ = std::chrono::duration_cast<Nanoseconds>(std::chrono::duration<double>(seconds));
  }
  /// A contact bounces once or twice before it stays.
  void change(std::size_t line, bool high) {
    constexpr std::array kBounces = {std::chrono::microseconds(0), std::chrono::microseconds(300),
                                     std::chrono::microseconds(700)};
    bool level = high;
    for (const auto after : kBounces) {
      // The step has passed: what happens in it lies before now.
      edges_.push_back({.index = line, .high = level, .time = now_ - kStep + after});
      level = !level;
    }
    levels_[line] = high;
  }

 private:
  static constexpr Nanoseconds kStep = std::chrono::milliseconds(2);

  std::vector<Edge> edges_;
  std::vector<bool> levels_ = std::vector<bool>(game::kColumns + 3, true);
  Nanoseconds now_{};
};

TwinSwitches::TwinSwitches(Lines& lines, std::unique_ptr<drivers::SwitchPanel> panel)
    : lines_(lines), panel_(std::move(panel)) {}

Result<std::unique_ptr<TwinSwitches>> TwinSwitches::create() {
  auto lines = std::make_unique<Lines>();
  Lines& kept = *lines;
  auto panel = drivers::SwitchPanel::open(std::move(lines), {});
  if (!panel) return panel.error();
  return std::unique_ptr<TwinSwitches>(new TwinSwitches(kept, *std::move(panel)));
}

void TwinSwitches::watch(const sim::World& world) {
  now_s_ = world.state.time_s();
  lines_.set_time(now_s_);
  const auto touched = world.board.touched_mouths();
  for (std::size_t column = 0; column < touched.size(); ++column) {
    const bool closed = touched[column] || now_s_ < sparks_until_s_[column];
    if (closed == closed_[column]) continue;
    closed_[column] = closed;
    lines_.change(column, !closed);
  }
}

void TwinSwitches::spark(game::Column column) {
  sparks_until_s_.at(static_cast<std::size_t>(column.index())) = now_s_ + 0.02;
}

Result<std::optional<cell::PanelEvent>> TwinSwitches::next(Nanoseconds /*timeout*/) {
  return panel_->next(Nanoseconds(0));
}

}  // namespace rowbot::station
