// rowbot parent: one game played by seven children, as in 1993, on any machines a command reaches.

#include "lab/cluster/parent.h"

#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "base/memory.h"
#include "base/text.h"
#include "commands.h"
#include "engine/agents/agent.h"
#include "engine/roster/agent_spec.h"
#include "fmt/core.h"
#include "game/game_record.h"
#include "game/play_out.h"
#include "lab_commands.h"
#include "nlohmann/json.hpp"

namespace rowbot::app {
namespace {

struct ParentArguments {
  std::vector<std::string> children;
  std::string opponent = "human";
  std::string patience = "10s";
  std::uint64_t seed = 1;
  bool second = false;
  bool json = false;
};

/// A person at the terminal, or an agent.
class Opponent {
 public:
  explicit Opponent(const ParentArguments& arguments) {
    if (arguments.opponent == "human") return;
    agent_ = usage_value(roster::make_agent(arguments.opponent, machine_resources()));
    agent_->start_game(arguments.seed);
  }

  /// Nothing when the person leaves.
  [[nodiscard]] std::optional<game::Column> move(const game::Position& position) {
    if (agent_) {
      const auto decision = agent_->choose(position, agent_->budget(), {});
      if (!decision) fail(decision.error());
      return decision->column;
    }
    std::string line;
    while (true) {
      fmt::print(stderr, "Your column, 1 to 7: ");
      if (!std::getline(std::cin, line)) return std::nullopt;
      const std::string_view typed = trimmed(line);
      const auto column = typed.size() == 1 ? game::Column::from_digit(typed[0]) : std::nullopt;
      if (column && position.can_play(*column)) return column;
      fmt::print(stderr, "That column cannot be played.\n");
    }
  }

 private:
  std::unique_ptr<agents::Agent> agent_;
};

std::vector<std::string> own_child() {
  std::error_code failed;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", failed);
  if (failed) fail(Error{"cannot find this program; name the children's command by --children"});
  return {fmt::format("exec '{}' child", program.string())};
}

void run_parent(const ParentArguments& arguments) {
  Opponent opponent(arguments);
  auto started = cluster::Parent::start(
      {.commands = arguments.children.empty() ? own_child() : arguments.children,
       .computer_first = !arguments.second,
       .patience = std::chrono::duration_cast<std::chrono::milliseconds>(
           usage_value(parse_duration(arguments.patience))),
       .report = [](const std::string& text) { fmt::print(stderr, "{}\n", text); }});
  if (!started) fail(started.error());
  cluster::Parent parent = *std::move(started);
  const game::Side computer = arguments.second ? game::Side::kSecond : game::Side::kFirst;
  game::Game game;
  game::play_out(
      game,
      [&](game::Side side, const game::Position& position) {
        return side == computer ? std::optional(parent.choose()) : opponent.move(position);
      },
      [&](game::Side side) {
        const game::Column column = game.moves().back();
        if (side != computer) {
          parent.opponent_plays(column);
        } else if (!arguments.json) {
          fmt::print("The children play {}.\n", column.number());
        }
      });
  parent.end();
  game.interrupt();  // unless it is over
  game::GameRecord record = game.record();
  (arguments.second ? record.second : record.first).name = "rhodes";
  (arguments.second ? record.first : record.second).name = arguments.opponent;
  if (arguments.json) {
    nlohmann::ordered_json json = game::record_json(record);
    json["restarts"] = parent.restarts();
    json["orphans"] = parent.orphans();
    fmt::print("{}\n", json.dump());
  } else {
    fmt::print("{}", game::record_text(record));
  }
}

}  // namespace

void add_parent_command(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("parent", "Play one game with seven children, as in Rhodes 1993");
  auto arguments = std::make_shared<ParentArguments>();
  command
      ->add_option("--children", arguments->children,
                   "Shell commands that start a child; by default this program, seven times")
      ->type_name("CMD");
  command->add_option("--opponent", arguments->opponent, "human, or an agent")
      ->capture_default_str();
  command->add_option("--patience", arguments->patience, "How long to wait for a child's answer")
      ->capture_default_str();
  command->add_option("--seed", arguments->seed, "Seed of the opponent's randomness");
  command->add_flag("--second", arguments->second, "The opponent moves first");
  command->add_flag("--json", arguments->json, "Print the game as one object");
  command->callback([arguments] { run_parent(*arguments); });
}

}  // namespace rowbot::app
