#include "robot/table/panel_command.h"

#include <variant>

namespace rowbot::table {
namespace {

const char* level_agent(cell::PanelLevel level) {
  switch (level) {
    case cell::PanelLevel::kEasy:
      return "mcts:level=table1";
    case cell::PanelLevel::kModerate:
      return "mcts:level=table2";
    case cell::PanelLevel::kHard:
      return "mcts:level=table3";
  }
  return "mcts:level=table3";
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
