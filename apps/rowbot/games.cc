// rowbot games: all stored games, whoever played them: list, show, export.

#include <cstdint>
#include <ctime>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "commands.h"
#include "fmt/chrono.h"
#include "fmt/core.h"
#include "game/game_record.h"
#include "game/moves_text.h"
#include "json.h"
#include "lab/matches/match_spec.h"
#include "lab/matches/match_store.h"
#include "lab_commands.h"
#include "lab_session.h"

namespace rowbot::app {
namespace {

struct GamesArguments {
  LabOptions lab;
  std::string kind;        // empty: all
  std::int64_t match = 0;  // 0: all
  std::vector<std::uint64_t> place;
  std::string format = "jsonl";
  bool json = false;

  [[nodiscard]] store::GameFilter filter() const {
    store::GameFilter filter{.kind = store::parse_kind(kind)};
    if (match != 0) filter.match = match;
    return filter;
  }
};

/// All matches by their id.
class Matches {
 public:
  explicit Matches(store::Archive& archive) {
    auto matches = archive.matches();
    if (!matches) fail(matches.error());
    for (store::LabMatch& match : *matches) matches_.emplace(match.id, std::move(match));
  }

  [[nodiscard]] const std::map<std::int64_t, store::LabMatch>& all() const { return matches_; }
  [[nodiscard]] const store::LabMatch& at(std::int64_t id) const {
    const auto found = matches_.find(id);
    if (found == matches_.end()) {
      fail_usage(Error{fmt::format("there is no match {}; rowbot games list shows them", id)});
    }
    return found->second;
  }
  /// Games of matches that an older Rowbot stored lack the agents' seeds, which follow from the
  /// match and the game's number.
  void add_seeds(store::StoredGame& game) const {
    if (!game.head.match || game.record.first.seed) return;
    const auto spec = lab::spec_of(at(*game.head.match));
    if (!spec) fail(spec.error());
    const auto number = static_cast<std::uint64_t>(game.head.number.value_or(0));
    const game::GameRecord unplayed = lab::unplayed_game(*spec, number).record;
    game.record.first.seed = unplayed.first.seed;
    game.record.second.seed = unplayed.second.seed;
  }

 private:
  std::map<std::int64_t, store::LabMatch> matches_;
};

/// Calls `visit` for each game: those outside of matches, then match by match. One that cannot be
/// read is told on standard error, and the command fails when it has shown the others.
template <class Visit>
void each_game(store::Archive& archive, const store::GameFilter& wanted, const Visit& visit) {
  const Matches matches(archive);
  std::vector<store::GameFilter> filters{wanted};
  if (wanted.match) {
    static_cast<void>(matches.at(*wanted.match));
  } else if (!wanted.id && !wanted.outside_matches) {
    filters.front().outside_matches = true;
    for (const auto& [id, match] : matches.all()) {
      filters.push_back(wanted);
      filters.back().match = id;
    }
  }
  int unreadable = 0;
  for (const store::GameFilter& filter : filters) {
    const auto read =
        archive.each_game(filter, [&](Result<store::StoredGame> game) -> Result<void> {
          if (game) {
            matches.add_seeds(*game);
            visit(*game);
          } else {
            ++unreadable;
            fmt::print(stderr, "{}\n", game.error().message);
          }
          return {};
        });
    if (!read) fail(read.error());
  }
  if (unreadable > 0) fail(Error{fmt::format("{} games could not be read", unreadable)});
}

/// 2026-11-18T07:32:15Z; empty if it is not known.
std::string utc_text(std::optional<store::Time> time,
                     const char* format = "{:%Y-%m-%dT%H:%M:%SZ}") {
  if (!time) return {};
  const std::time_t seconds =
      std::chrono::floor<std::chrono::seconds>(time->time_since_epoch()).count();
  return fmt::format(fmt::runtime(format), fmt::gmtime(seconds));
}

Json match_json(const store::LabMatch& match) {
  return {{"kind", "match"},
          {"id", match.id},
          {"games", match.games},
          {"a", match.a},
          {"b", match.b},
          {"seed", match.seed},
          {"openings", match.opening_plies},
          {"first", match.colours},
          {"experiment", match.group}};
}

/// The record, and where the game belongs. Never the token: it is the key to play.
Json game_json(const store::StoredGame& game) {
  Json json = game::record_json(game.record);
  json["id"] = game.id;
  json["kind"] = store::kind_text(game.head.kind);
  if (game.head.match) json["match"] = *game.head.match;
  if (game.head.number) json["number"] = *game.head.number;
  if (game.head.level) json["level"] = *game.head.level;
  if (!game.head.site.empty()) json["site"] = game.head.site;
  if (game.head.created) json["created"] = utc_text(game.head.created);
  if (game.head.ended) json["ended"] = utc_text(game.head.ended);
  return json;
}

void list_games(const GamesArguments& arguments) {
  store::Archive archive = open_tables(arguments.lab);
  Json array = Json::array();
  const bool all = arguments.kind.empty();
  if (all || arguments.kind == "match") {
    const Matches matches(archive);
    if (!arguments.json) {
      fmt::print("{:>6} {:>9} {:>8} {:>4}  match\n", "id", "games", "seed", "open");
    }
    for (const auto& [id, match] : matches.all()) {
      if (arguments.json) {
        array.push_back(match_json(match));
      } else {
        fmt::print("{:>6} {:>9} {:>8} {:>4}  {} - {}{}\n", match.id, match.games, match.seed,
                   match.opening_plies, match.a, match.b,
                   match.group.empty() ? "" : fmt::format("  ({})", match.group));
      }
    }
  }
  if (arguments.kind != "match") {
    if (!arguments.json) {
      fmt::print("{:>6} {:<8} {:<20} {:>5} {:<7}  players\n", "game", "kind", "begun", "moves",
                 "result");
    }
    store::GameFilter filter = arguments.filter();
    filter.outside_matches = true;
    each_game(archive, filter, [&](const store::StoredGame& game) {
      if (arguments.json) {
        array.push_back(game_json(game));
      } else {
        fmt::print("{:>6} {:<8} {:<20} {:>5} {:<7}  {} - {}\n", game.id,
                   store::kind_text(game.head.kind), utc_text(game.head.created),
                   game.record.moves.size(), game::result_text(game.record.result),
                   game.record.first.name, game.record.second.name);
      }
    });
  }
  if (arguments.json) fmt::print("{}\n", array.dump(2));
}

void show_game(const GamesArguments& arguments) {
  store::Archive archive = open_tables(arguments.lab);
  store::GameFilter filter;
  if (arguments.place.size() == 1) {
    filter.id = static_cast<std::int64_t>(arguments.place[0]);
  } else {
    filter.match = static_cast<std::int64_t>(arguments.place[0]);
    filter.number = arguments.place[1];
  }
  bool found = false;
  each_game(archive, filter, [&](const store::StoredGame& game) {
    found = true;
    fmt::print("{}", game::record_text(game.record));
  });
  if (found) return;
  fail_usage(Error{filter.id
                       ? fmt::format("there is no game {}; rowbot games list shows those "
                                     "outside of matches",
                                     *filter.id)
                       : fmt::format("match {} has no game {}", *filter.match, *filter.number)});
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

template <class T>
std::string text_or_nothing(const std::optional<T>& value) {
  return value ? fmt::format("{}", *value) : std::string();
}

void print_csv(const store::StoredGame& game) {
  const auto& [id, head, record] = game;
  const auto thinking = game::total_thinking(record);
  const auto us = [](game::MoveTime time) {
    return time ? std::to_string(time->count()) : std::string();
  };
  fmt::print("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", text_or_nothing(head.match),
             text_or_nothing(head.number), csv(record.first.name), csv(record.second.name),
             game::moves_text(record.moves), game::result_text(record.result),
             game::reason_text(record.reason), us(thinking[0]), us(thinking[1]), csv(record.note),
             id, store::kind_text(head.kind), record.start_moves, record.had_undo ? 1 : 0,
             head.level.value_or(""), csv(head.site), utc_text(head.created), utc_text(head.ended));
}

/// Portable Game Notation's tags and layout, with our columns in place of chess moves.
void print_pgn(const store::StoredGame& game) {
  const auto& [id, head, record] = game;
  const auto tag = [](const char* name, const std::string& value) {
    std::string quoted;
    for (const char c : value) {
      if (c == '"' || c == '\\') quoted += '\\';
      quoted += c;
    }
    fmt::print("[{} \"{}\"]\n", name, quoted);
  };
  const std::string date = utc_text(head.created, "{:%Y.%m.%d}");
  std::string round = text_or_nothing(head.number);
  if (head.match) round = fmt::format("{}.{}", *head.match, round);
  const char* result = "*";
  if (record.result == game::GameResult::kFirstWins) result = "1-0";
  if (record.result == game::GameResult::kSecondWins) result = "0-1";
  if (record.result == game::GameResult::kDraw) result = "1/2-1/2";
  tag("Event", fmt::format("Rowbot {}", store::kind_text(head.kind)));
  tag("Site", head.site.empty() ? "?" : head.site);
  tag("Date", date.empty() ? "????.??.??" : date);
  tag("Round", round.empty() ? "-" : round);
  tag("White", record.first.name);
  tag("Black", record.second.name);
  tag("Result", result);
  tag("Variant", "Connect Four");
  tag("Termination", std::string(game::reason_text(record.reason)));
  tag("GameId", std::to_string(id));
  if (record.start_moves > 0) tag("StartMoves", std::to_string(record.start_moves));
  if (record.had_undo) tag("HadUndo", "yes");
  if (!record.note.empty()) tag("Note", record.note);
  std::string line;
  const auto add = [&line](const std::string& word) {
    if (line.size() + word.size() > 78) {
      fmt::print("{}\n", line);
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  };
  fmt::print("\n");
  for (std::size_t ply = 0; ply < record.moves.size(); ++ply) {
    if (ply % 2 == 0) add(fmt::format("{}.", ply / 2 + 1));
    add(std::string(1, record.moves[ply].digit()));
  }
  add(result);
  fmt::print("{}\n\n", line);
}

void export_games(const GamesArguments& arguments) {
  store::Archive archive = open_tables(arguments.lab);
  if (arguments.format == "csv") {
    fmt::print(
        "match,number,first,second,moves,result,reason,first_us,second_us,note,id,kind,start_moves,"
        "had_undo,level,site,created,ended\n");
  }
  each_game(archive, arguments.filter(), [&](const store::StoredGame& game) {
    if (arguments.format == "csv") {
      print_csv(game);
    } else if (arguments.format == "pgn") {
      print_pgn(game);
    } else {
      fmt::print("{}\n", game_json(game).dump());
    }
  });
}

void add_kind_option(CLI::App& command, GamesArguments& arguments) {
  command
      .add_option("--kind", arguments.kind, "Only games of the website, table, terminal or match")
      ->check(CLI::IsMember({"website", "table", "terminal", "match"}));
}

}  // namespace

void add_games_command(CLI::App& app) {
  CLI::App* games =
      app.add_subcommand("games", "All stored games: website, table, terminal and matches");
  games->require_subcommand(1);
  auto arguments = std::make_shared<GamesArguments>();

  CLI::App* list = games->add_subcommand("list",
                                         "Matches with the number of their games, and all "
                                         "other games");
  add_database_option(*list, arguments->lab);
  add_kind_option(*list, *arguments);
  list->add_flag("--json", arguments->json, "Print an array of objects");
  list->callback([arguments] { list_games(*arguments); });

  CLI::App* show = games->add_subcommand("show", "One game as a record");
  add_database_option(*show, arguments->lab);
  show->add_option("game", arguments->place,
                   "The game's id; or the match's id and the game's number in it, from 0")
      ->required()
      ->expected(1, 2);
  show->callback([arguments] { show_game(*arguments); });

  CLI::App* exporting = games->add_subcommand("export", "Games as JSON lines, CSV or PGN");
  add_database_option(*exporting, arguments->lab);
  add_kind_option(*exporting, *arguments);
  exporting->add_option("--match", arguments->match, "Only this match");
  exporting->add_option("--format", arguments->format, "jsonl, csv or pgn (docs/notation.md)")
      ->check(CLI::IsMember({"jsonl", "csv", "pgn"}))
      ->capture_default_str();
  exporting->callback([arguments] { export_games(*arguments); });
}

}  // namespace rowbot::app
