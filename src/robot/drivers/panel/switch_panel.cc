#include "robot/drivers/panel/switch_panel.h"

#include <algorithm>
#include <fmt/format.h>

namespace rowbot::drivers {
namespace {

constexpr std::size_t kColumnSwitches = 7;
constexpr std::size_t kRestartSwitch = kColumnSwitches + 2;
// From one side to the other a rocker passes its middle; only where it stays is a level.
constexpr Nanoseconds kRockerRest = std::chrono::milliseconds(100);

// While a switch is closed, its level is looked at this often: its edge may have been lost.
constexpr Nanoseconds kLookAgain = std::chrono::milliseconds(200);

DebounceOptions debounce_options(const PanelWiring& wiring) {
  return {.stuck = std::chrono::duration_cast<Nanoseconds>(
              std::chrono::duration<double>(wiring.stuck_s))};
}

std::string switch_name(std::size_t line) {
  return line < kColumnSwitches ? fmt::format("column {}", line + 1) : "restart";
}

}  // namespace

std::vector<int> panel_lines(const PanelWiring& wiring) {
  std::vector<int> lines(wiring.columns.begin(), wiring.columns.end());
  lines.insert(lines.end(), wiring.rocker.begin(), wiring.rocker.end());
  lines.push_back(wiring.restart);
  return lines;
}

Result<std::unique_ptr<SwitchPanel>> SwitchPanel::open(const PanelWiring& wiring) {
  auto lines = open_inputs(wiring.chip, panel_lines(wiring));
  if (!lines) return lines.error();
  return open(*std::move(lines), wiring);
}

Result<std::unique_ptr<SwitchPanel>> SwitchPanel::open(std::unique_ptr<InputLines> lines,
                                                       const PanelWiring& wiring) {
  const auto levels = lines->levels();
  if (!levels) return levels.error();
  return std::unique_ptr<SwitchPanel>(new SwitchPanel(std::move(lines), *levels, wiring));
}

SwitchPanel::SwitchPanel(std::unique_ptr<InputLines> lines, const std::vector<bool>& levels,
                         const PanelWiring& wiring)
    : lines_(std::move(lines)),
      debouncer_(levels, lines_->now(), debounce_options(wiring)),
      rocker_closed_{!levels[kColumnSwitches], !levels[kColumnSwitches + 1]},
      rocker_moved_(lines_->now() - kRockerRest) {
  watch_rocker(lines_->now());
}

Result<std::optional<cell::PanelEvent>> SwitchPanel::next(std::chrono::nanoseconds timeout) {
  const Nanoseconds end = lines_->now() + timeout;
  while (events_.empty()) {
    const Nanoseconds now = lines_->now();
    if (now >= end && timeout.count() > 0) return std::optional<cell::PanelEvent>();
    Nanoseconds until = end;
    if (const auto deadline = debouncer_.next_deadline()) {
      until = std::min({end, *deadline, now + kLookAgain});
    }
    if (rocker_pending_) until = std::min(until, rocker_moved_ + kRockerRest);
    if (auto heard = listen(std::max(until, now)); !heard) return heard.error();
    if (timeout.count() <= 0) break;
  }
  if (events_.empty()) return std::optional<cell::PanelEvent>();
  cell::PanelEvent event = std::move(events_.front());
  events_.pop_front();
  return std::optional(std::move(event));
}

Result<void> SwitchPanel::listen(Nanoseconds until) {
  auto edges = lines_->wait(until - lines_->now());
  // Whatever is there is read before it is judged what a quiet line means.
  Nanoseconds now = lines_->now();
  const bool quiet = edges && edges->empty();
  while (edges && !edges->empty()) {
    for (const Edge& edge : *edges) debouncer_.feed(edge.index, edge.high, edge.time);
    now = lines_->now();
    edges = lines_->wait(Nanoseconds(0));
  }
  if (!edges) return edges.error();
  if (quiet) {
    // The kernel keeps few edges; after a storm of them the last may be missing.
    const auto levels = lines_->levels();
    if (!levels) return levels.error();
    for (std::size_t i = 0; i < levels->size(); ++i) {
      if ((*levels)[i] != debouncer_.high(i)) debouncer_.feed(i, (*levels)[i], now);
    }
  }
  for (const Debouncer::Event& event : debouncer_.advance(now)) take(event);
  watch_rocker(now);
  return {};
}

void SwitchPanel::take(const Debouncer::Event& event) {
  const bool rocker = event.line >= kColumnSwitches && event.line < kRestartSwitch;
  switch (event.kind) {
    case Debouncer::Kind::kPressed:
      if (rocker) break;
      if (event.line == kRestartSwitch) {
        events_.push_back({.time = event.time, .what = cell::RestartPressed{}});
      } else {
        events_.push_back(
            {.time = event.time,
             .what = cell::ColumnPressed{game::Column(static_cast<int>(event.line))}});
      }
      return;
    case Debouncer::Kind::kReleased:
      if (rocker) break;
      return;
    case Debouncer::Kind::kStuck:
      if (rocker) return;  // it stays where it is put
      events_.push_back({.time = event.time, .what = cell::SwitchStuck{switch_name(event.line)}});
      return;
  }
  rocker_closed_.at(event.line - kColumnSwitches) = event.kind == Debouncer::Kind::kPressed;
  rocker_moved_ = event.time;
  rocker_pending_ = true;
}

void SwitchPanel::watch_rocker(Nanoseconds now) {
  if (!rocker_pending_ || now - rocker_moved_ < kRockerRest) return;
  rocker_pending_ = false;
  if (!first_level_ && rocker_closed_ == rocker_told_) return;
  first_level_ = false;
  rocker_told_ = rocker_closed_;
  if (rocker_closed_[0] && rocker_closed_[1]) {  // no rocker closes both
    events_.push_back({.time = rocker_moved_, .what = cell::SwitchStuck{"rocker"}});
    return;
  }
  const auto level = rocker_closed_[0]   ? cell::PanelLevel::kModerate
                     : rocker_closed_[1] ? cell::PanelLevel::kHard
                                         : cell::PanelLevel::kEasy;
  events_.push_back({.time = rocker_moved_, .what = cell::LevelChanged{level}});
}

}  // namespace rowbot::drivers
