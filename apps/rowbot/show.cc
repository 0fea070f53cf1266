#include <cstdio>
#include <memory>
#include <string>

#include "board_view.h"
#include "commands.h"
#include "fmt/core.h"
#include "game/position_text.h"
#include "nlohmann/json.hpp"
#include "terminal.h"

namespace rowbot::app {
namespace {

void print_position(const game::Position& position, bool json) {
  const game::Outcome outcome = position.outcome();
  const std::string_view to_move = position.to_move() == game::Side::kFirst ? "first" : "second";
  if (json) {
    const nlohmann::ordered_json object{{"board", game::board_text(position)},
                                        {"state", game::state_text(position)},
                                        {"list", nlohmann::json::parse(game::list_text(position))},
                                        {"key", position.key()},
                                        {"discs", position.discs()},
                                        {"to_move", to_move},
                                        {"result", game::result_text(outcome.result)}};
    fmt::print("{}\n", object.dump());
    return;
  }
  fmt::print("{}\n", draw_board(position, std::nullopt, style_for(stdout, ColorWish::kAuto)));
  fmt::print("to move  {}\nresult   {}\nstate    {}\nlist     {}\n", to_move,
             game::result_text(outcome.result), game::state_text(position),
             game::list_text(position));
}

}  // namespace

void add_show_command(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("show", "Show a position, and the same in every other notation");
  auto text = std::make_shared<std::string>();
  auto json = std::make_shared<bool>(false);
  command->add_option("position", *text,
                      "Moves (4453), a drawing (rows of . x o joined by /), a compact state "
                      "(00102201000) or a ConnectX list; left out: the empty board");
  command->add_flag("--json", *json, "Print one JSON object");
  command->callback([text, json] { print_position(usage_value(game::parse_any(*text)), *json); });
}

}  // namespace rowbot::app
