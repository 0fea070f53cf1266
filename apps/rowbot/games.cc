// rowbot games: the stored games of matches: list, show, export.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "commands.h"
#include "fmt/core.h"
#include "game/game_record.h"
#include "game/moves_text.h"
#include "lab/matches/match_spec.h"
#include "lab/matches/match_store.h"
#include "lab_commands.h"
#include "lab_session.h"
#include "nlohmann/json.hpp"

namespace rowbot::app {
namespace {

struct GamesArguments {
  LabOptions lab;
  std::int64_t match = 0;  // 0: all
  std::uint64_t number = 0;
  std::string format = "jsonl";
  bool json = false;
};

std::vector<store::LabMatch> wanted_matches(store::LabGames& tables, std::int64_t wanted) {
  auto matches = tables.matches();
  if (!matches) fail(matches.error());
  if (wanted == 0) return *std::move(matches);
  for (const store::LabMatch& match : *matches) {
    if (match.id == wanted) return {match};
  }
  fail_usage(Error{fmt::format("there is no match {}; rowbot games list shows them", wanted)});
}

void list_games(const GamesArguments& arguments) {
  store::LabGames tables = open_tables(arguments.lab);
  auto array = nlohmann::ordered_json::array();
  const auto matches = wanted_matches(tables, 0);
  if (!arguments.json) {
    fmt::print("{:>6} {:>9} {:>8} {:>4}  match\n", "id", "games", "seed", "open");
  }
  for (const store::LabMatch& match : matches) {
    if (arguments.json) {
      array.push_back({{"id", match.id},
                       {"games", match.games},
                       {"a", match.a},
                       {"b", match.b},
                       {"seed", match.seed},
                       {"openings", match.opening_plies},
                       {"first", match.colours},
                       {"experiment", match.group}});
    } else {
      fmt::print("{:>6} {:>9} {:>8} {:>4}  {} - {}{}\n", match.id, match.games, match.seed,
                 match.opening_plies, match.a, match.b,
                 match.group.empty() ? "" : fmt::format("  ({})", match.group));
    }
  }
  if (arguments.json) fmt::print("{}\n", array.dump(2));
}

template <class Visit>
void each_game(store::LabGames& tables, const store::LabMatch& match, std::uint64_t below,
               const Visit& visit) {
  const lab::MatchSpec spec = usage_value(lab::spec_of(match));
  const auto read = tables.each_game(
      match.id, below, [&](const store::LabGame& game) { visit(spec, lab::played_game(game)); });
  if (!read) fail(read.error());
}

void show_game(const GamesArguments& arguments) {
  store::LabGames tables = open_tables(arguments.lab);
  const store::LabMatch match = wanted_matches(tables, arguments.match).front();
  bool found = false;
  each_game(tables, match, arguments.number + 1,
            [&](const lab::MatchSpec& spec, const lab::PlayedGame& game) {
              if (game.number != arguments.number) return;
              found = true;
              fmt::print("{}", game::record_text(lab::record_of(game, spec)));
              if (!game.note.empty()) fmt::print(stderr, "The loser {}.\n", game.note);
            });
  if (!found) {
    fail_usage(Error{fmt::format("match {} has no game {}; it holds {} games", match.id,
                                 arguments.number, match.games)});
  }
}

/// A field of a CSV line: quoted when it must be.
std::string csv(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    quoted += c;
    if (c == '"') quoted += c;
  }
  return quoted + '"';
}

void export_games(const GamesArguments& arguments) {
  store::LabGames tables = open_tables(arguments.lab);
  const bool lines = arguments.format == "jsonl";
  if (!lines) {
    fmt::print("match,number,first,second,moves,result,reason,first_us,second_us,note\n");
  }
  for (const store::LabMatch& match : wanted_matches(tables, arguments.match)) {
    each_game(
        tables, match, INT64_MAX, [&](const lab::MatchSpec& spec, const lab::PlayedGame& game) {
          const game::GameRecord record = lab::record_of(game, spec);
          const bool a_first = lab::side_of(lab::Role::kA, spec, game.number) == game::Side::kFirst;
          const std::int64_t first_us = game.thinking.at(a_first ? 0 : 1).count();
          const std::int64_t second_us = game.thinking.at(a_first ? 1 : 0).count();
          if (lines) {
            nlohmann::ordered_json json = game::record_json(record);
            json["match"] = match.id;
            json["number"] = game.number;
            json["first_us"] = first_us;
            json["second_us"] = second_us;
            if (!game.note.empty()) json["note"] = game.note;
            fmt::print("{}\n", json.dump());
          } else {
            fmt::print("{},{},{},{},{},{},{},{},{},{}\n", match.id, game.number,
                       csv(record.first.name), csv(record.second.name),
                       game::moves_text(game.moves), game::result_text(game.result),
                       game::reason_text(game.reason), first_us, second_us, csv(game.note));
          }
        });
  }
}

}  // namespace

void add_games_command(CLI::App& app) {
  CLI::App* games = app.add_subcommand("games", "The stored games of matches and experiments");
  games->require_subcommand(1);
  auto arguments = std::make_shared<GamesArguments>();

  CLI::App* list = games->add_subcommand("list", "All matches with the number of their games");
  add_database_option(*list, arguments->lab);
  list->add_flag("--json", arguments->json, "Print an array of objects");
  list->callback([arguments] { list_games(*arguments); });

  CLI::App* show = games->add_subcommand("show", "One game as a record");
  add_database_option(*show, arguments->lab);
  show->add_option("match", arguments->match, "The match's id")->required();
  show->add_option("number", arguments->number, "The game's number, from 0")->required();
  show->callback([arguments] { show_game(*arguments); });

  CLI::App* exporting = games->add_subcommand("export", "Games as JSON lines or CSV");
  add_database_option(*exporting, arguments->lab);
  exporting->add_option("--match", arguments->match, "Only this match");
  exporting->add_option("--format", arguments->format, "jsonl or csv")
      ->check(CLI::IsMember({"jsonl", "csv"}))
      ->capture_default_str();
  exporting->callback([arguments] { export_games(*arguments); });
}

}  // namespace rowbot::app
