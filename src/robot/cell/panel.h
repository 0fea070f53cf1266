// The port to the switches at a table: one in each column's mouth, a rocker for the level, a button
// for a new game.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <variant>

#include "base/result.h"
#include "game/column.h"

namespace rowbot::cell {

enum class PanelLevel { kEasy, kModerate, kHard };

/// A piece has passed the mouth of a column.
struct ColumnPressed {
  game::Column column;
  friend bool operator==(const ColumnPressed&, const ColumnPressed&) = default;
};
/// Also told once at the beginning.
struct LevelChanged {
  PanelLevel level = PanelLevel::kEasy;
  friend bool operator==(const LevelChanged&, const LevelChanged&) = default;
};
struct RestartPressed {
  friend bool operator==(const RestartPressed&, const RestartPressed&) = default;
};
/// A switch that does not come back; told once until it does.
struct SwitchStuck {
  std::string name;
  friend bool operator==(const SwitchStuck&, const SwitchStuck&) = default;
};

struct PanelEvent {
  std::chrono::nanoseconds time{};  // of the first contact, on a clock that never goes back
  std::variant<ColumnPressed, LevelChanged, RestartPressed, SwitchStuck> what;
};

/// Events come in the order in which the switches were touched.
/// Thread safety: none; one thread owns a panel.
class Panel {
 public:
  Panel() = default;
  virtual ~Panel() = default;
  Panel(const Panel&) = delete;
  Panel& operator=(const Panel&) = delete;
  Panel(Panel&&) = delete;
  Panel& operator=(Panel&&) = delete;

  /// Blocks until something happens, at most for `timeout`; nothing when nothing did. An error
  /// means that the panel is gone: open it again.
  [[nodiscard]] virtual Result<std::optional<PanelEvent>> next(
      std::chrono::nanoseconds timeout) = 0;
};

}  // namespace rowbot::cell
