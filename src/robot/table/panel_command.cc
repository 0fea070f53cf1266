#include "robot/table/panel_command.h"

#include <string>
#include <variant>

#include "engine/roster/levels.h"

namespace rowbot::table {
namespace {

std::string level_agent(cell::PanelLevel level) {
  const auto levels = roster::rocker_levels();
  switch (level) {
    case cell::PanelLevel::kEasy:
      return std::string(levels[0].text);
    case cell::PanelLevel::kModerate:
      return std::string(levels[1].text);
    case cell::PanelLevel::kHard:
      break;
  }
  return std::string(levels[2].text);
}

struct Asks {
  std::optional<Command> operator()(const cell::ColumnPressed& pressed) const {
    return Command{.kind = Command::Kind::kDropSeen, .column = pressed.column, .text = {}};
  }
  std::optional<Command> operator()(const cell::LevelChanged& level) const {
    return Command{.kind = Command::Kind::kAgent, .column = {}, .text = level_agent(level.level)};
  }
  std::optional<Command> operator()(const cell::RestartPressed& /*pressed*/) const {
    return Command{.kind = Command::Kind::kRestart, .column = {}, .text = {}};
  }
  std::optional<Command> operator()(const cell::SwitchStuck& /*stuck*/) const {
    return std::nullopt;
  }
};

}  // namespace

std::optional<Command> panel_command(const cell::PanelEvent& event) {
  return std::visit(Asks{}, event.what);
}

}  // namespace rowbot::table
