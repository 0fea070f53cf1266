#include "service/store/lab_games.h"

#include <cstdlib>
#include <utility>

#include "fmt/core.h"
#include "game/moves_text.h"
#include "service/store/schema.h"

namespace rowbot::store {
namespace {

Result<LabGame> read_lab_game(const sqlite::Statement& row) {
  LabGame game{.number = static_cast<std::uint64_t>(row.integer(0)), .moves = row.text(1)};
  const auto result = game::parse_result(row.text(2));
  const std::int64_t reason = row.integer(3);
  if (!result || reason < 0 || reason > static_cast<int>(game::EndReason::kInterrupted) ||
      !game::parse_moves(game.moves)) {
    return Error{fmt::format("game {} in the database is not one a laboratory wrote", game.number)};
  }
  game.result = *result;
  game.reason = static_cast<game::EndReason>(reason);
  game.thinking = {std::chrono::microseconds(row.integer(4)),
                   std::chrono::microseconds(row.integer(5))};
  game.note = row.text(6);
  return game;
}

}  // namespace

Result<LabGames> LabGames::open(const std::string& path, const sqlite::OpenOptions& options) {
  auto database = sqlite::Database::open(path, migrations(), options);
  if (!database) return database.error();
  return LabGames(*std::move(database));
}

Result<std::int64_t> LabGames::match_id(const LabMatch& match) {
  auto inserted = database_.run(
      "INSERT OR IGNORE INTO lab_matches (key, a, b, seed, openings, colours, limit_ms, grp)"
      " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
      match.key, match.a, match.b, static_cast<std::int64_t>(match.seed), match.opening_plies,
      match.colours, match.limit_ms, match.group);
  if (!inserted) return inserted.error();
  auto found = database_.cached("SELECT id FROM lab_matches WHERE key = ?1");
  if (!found) return found.error();
  const auto row = (*found)->bind(match.key).step();
  if (!row) return row.error();
  if (!*row) return Error{"the match just written is not in the database"};
  const std::int64_t id = (*found)->integer(0);
  return id;
}

Result<std::vector<LabMatch>> LabGames::matches() {
  auto query = database_.prepare(
      "SELECT m.id, key, a, b, seed, openings, colours, limit_ms, grp,"
      " (SELECT count(*) FROM lab_games g WHERE g.match = m.id)"
      " FROM lab_matches m ORDER BY m.id");
  if (!query) return query.error();
  std::vector<LabMatch> all;
  while (true) {
    const auto row = query->step();
    if (!row) return row.error();
    if (!*row) return all;
    all.push_back({.id = query->integer(0),
                   .key = query->text(1),
                   .a = query->text(2),
                   .b = query->text(3),
                   .seed = static_cast<std::uint64_t>(query->integer(4)),
                   .opening_plies = static_cast<int>(query->integer(5)),
                   .colours = query->text(6),
                   .limit_ms = query->integer(7),
                   .group = query->text(8),
                   .games = static_cast<std::uint64_t>(query->integer(9))});
  }
}

Result<void> LabGames::forget_group(std::string_view group) {
  auto transaction = sqlite::Transaction::begin(database_);
  if (!transaction) return transaction.error();
  for (const std::string_view sql :
       {"DELETE FROM lab_games WHERE match IN (SELECT id FROM lab_matches WHERE grp = ?1)",
        "DELETE FROM lab_matches WHERE grp = ?1"}) {
    if (auto ran = database_.run(sql, group); !ran) return ran.error();
  }
  return transaction->commit();
}

Result<void> LabGames::forget_match(std::int64_t match) {
  auto transaction = sqlite::Transaction::begin(database_);
  if (!transaction) return transaction.error();
  for (const std::string_view sql :
       {"DELETE FROM lab_games WHERE match = ?1", "DELETE FROM lab_matches WHERE id = ?1"}) {
    if (auto ran = database_.run(sql, match); !ran) return ran.error();
  }
  return transaction->commit();
}

Result<void> LabGames::add(std::int64_t match, std::span<const LabGame> games) {
  auto transaction = sqlite::Transaction::begin(database_);
  if (!transaction) return transaction.error();
  for (const LabGame& game : games) {
    auto ran = database_.run(
        "INSERT OR IGNORE INTO lab_games (match, number, moves, result, reason, a_us, b_us, note)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        match, static_cast<std::int64_t>(game.number), game.moves, game::result_text(game.result),
        static_cast<int>(game.reason), game.thinking[0].count(), game.thinking[1].count(),
        game.note);
    if (!ran) return ran.error();
  }
  return transaction->commit();
}

Result<void> LabGames::each_game(std::int64_t match, std::uint64_t below, const Visit& visit) {
  auto query = database_.prepare(
      "SELECT number, moves, result, reason, a_us, b_us, note FROM lab_games"
      " WHERE match = ?1 AND number < ?2 ORDER BY number");
  if (!query) return query.error();
  query->bind(match, static_cast<std::int64_t>(below));
  while (true) {
    const auto row = query->step();
    if (!row) return row.error();
    if (!*row) return {};
    const auto game = read_lab_game(*query);
    if (!game) return game.error();
    visit(*game);
  }
}

Result<void> LabGames::keep_report(std::string_view experiment, std::string_view json) {
  return database_.run("INSERT OR REPLACE INTO lab_reports (experiment, json) VALUES (?1, ?2)",
                       experiment, json);
}

Result<std::optional<std::string>> LabGames::report(std::string_view experiment) {
  auto query = database_.cached("SELECT json FROM lab_reports WHERE experiment = ?1");
  if (!query) return query.error();
  const auto row = (*query)->bind(experiment).step();
  if (!row) return row.error();
  std::optional<std::string> json;
  if (*row) json = (*query)->text(0);
  return json;
}

Result<std::string> default_database_path() {
  if (const char* data = std::getenv("XDG_DATA_HOME"); data != nullptr && *data != '\0') {
    return std::string(data) + "/rowbot/rowbot.db";
  }
  if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0') {
    return std::string(home) + "/.local/share/rowbot/rowbot.db";
  }
  return Error{"there is no HOME to keep games in; name a file with --db"};
}

}  // namespace rowbot::store
