// rowbot replay: the games of a table's log once more.
#include <memory>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "board_view.h"
#include "commands.h"
#include "fmt/format.h"
#include "game/game_record.h"
#include "game/moves_text.h"
#include "json.h"
#include "lab_session.h"
#include "robot/table/journal.h"
#include "terminal.h"

namespace rowbot::app {
namespace {

void show_game(const table::LoggedGame& game, bool every_move, const BoardStyle& style) {
  fmt::print("game {}{}: {} against {}\n", game.number,
             game.robot.empty() ? "" : " with " + game.robot, game.record.first.name,
             game.record.second.name);
  game::Position position;
  std::optional<game::Column> last;
  for (const game::Column column : game.record.moves) {
    position = position.after(column);
    last = column;
    if (every_move) fmt::print("{}\n", draw_board(position, last, style));
  }
  if (!every_move) fmt::print("{}", draw_board(position, last, style));
  fmt::print("{} moves: {}\nresult {}, {}\n\n", game.record.moves.size(),
             game::moves_text(game.record.moves), game::result_text(game.record.result),
             game::reason_text(game.record.reason));
}

/// Keeps the log's finished games in a database, each of them once however often this is called.
void keep_games(const std::vector<table::LoggedGame>& games, const std::string& database) {
  store::Archive archive = open_tables({.database = database});
  for (const table::LoggedGame& game : games) {
    if (game.record.reason == game::EndReason::kOngoing) continue;
    bool known = false;
    const auto read = archive.each_game(
        {.kind = store::GameKind::kTable, .number = game.number},
        [&](const Result<store::StoredGame>& stored) -> Result<void> {
          known =
              known || (stored && stored->head.site == game.robot && stored->record == game.record);
          return {};
        });
    if (!read) fail(read.error());
    if (known) continue;
    const auto kept = archive.add({.kind = store::GameKind::kTable,
                                   .number = static_cast<std::int64_t>(game.number),
                                   .site = game.robot},
                                  game.record);
    if (!kept) fail(kept.error());
  }
}

}  // namespace

void add_replay_command(CLI::App& app) {
  struct ReplayArguments {
    std::string log;
    std::string database;
    bool every_move = false;
    bool json = false;
  };
  CLI::App* command = app.add_subcommand("replay", "Show the games of a table's log again");
  auto args = std::make_shared<ReplayArguments>();
  command->add_option("log", args->log, "The log that 'rowbot table --log' wrote")->required();
  command->add_option("--db", args->database, "Keep its finished games in this database")
      ->type_name("FILE");
  command->add_flag("--moves", args->every_move, "The board after every move");
  command->add_flag("--json", args->json, "One JSON object per game");
  command->callback([args] {
    const auto games = table::read_journal(args->log);
    if (!games) fail(games.error());
    if (!args->database.empty()) keep_games(*games, args->database);
    const BoardStyle style = style_for(stdout, ColorWish::kAuto);
    for (const table::LoggedGame& game : *games) {
      if (args->json) {
        Json line = {{"game", game.number}, {"robot", game.robot}};
        line.update(game::record_json(game.record));
        fmt::print("{}\n", line.dump());
      } else {
        show_game(game, args->every_move, style);
      }
    }
    if (games->empty() && !args->json) fmt::print("no game in {}\n", args->log);
  });
}

}  // namespace rowbot::app
