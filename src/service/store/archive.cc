#include "service/store/archive.h"

#include <cstdlib>
#include <utility>

#include "fmt/core.h"
#include "service/store/game_rows.h"
#include "service/store/schema.h"

namespace rowbot::store {

Result<Archive> Archive::open(const std::string& path, const sqlite::OpenOptions& options) {
  auto database = open_database(path, options);
  if (!database) return database.error();
  return Archive(*std::move(database));
}

Result<std::int64_t> Archive::match_id(const LabMatch& match) {
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

Result<std::vector<LabMatch>> Archive::matches() {
  auto query = database_.prepare(
      "SELECT m.id, key, a, b, seed, openings, colours, limit_ms, grp,"
      " (SELECT count(*) FROM games g WHERE g.match = m.id)"
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

Result<void> Archive::forget_group(std::string_view group) {
  auto transaction = sqlite::Transaction::begin(database_);
  if (!transaction) return transaction.error();
  for (const std::string_view sql :
       {"DELETE FROM games WHERE match IN (SELECT id FROM lab_matches WHERE grp = ?1)",
        "DELETE FROM lab_matches WHERE grp = ?1"}) {
    if (auto ran = database_.run(sql, group); !ran) return ran.error();
  }
  return transaction->commit();
}

Result<void> Archive::forget_match(std::int64_t match) {
  auto transaction = sqlite::Transaction::begin(database_);
  if (!transaction) return transaction.error();
  for (const std::string_view sql :
       {"DELETE FROM games WHERE match = ?1", "DELETE FROM lab_matches WHERE id = ?1"}) {
    if (auto ran = database_.run(sql, match); !ran) return ran.error();
  }
  return transaction->commit();
}

Result<void> Archive::add(std::int64_t match, std::span<const game::NumberedGame> games) {
  auto transaction = sqlite::Transaction::begin(database_);
  if (!transaction) return transaction.error();
  GameHead head{.kind = GameKind::kMatch, .match = match};
  for (const game::NumberedGame& game : games) {
    head.number = static_cast<std::int64_t>(game.number);
    if (auto ran = insert_game(database_, head, game.record); !ran) return ran.error();
  }
  return transaction->commit();
}

Result<void> Archive::add(const GameHead& head, const game::GameRecord& record) {
  return insert_game(database_, head, record);
}

Result<void> Archive::each_game(const GameFilter& filter, const Visit& visit) {
  std::string sql =
      fmt::format("SELECT {} FROM games WHERE coalesce(number, 0) < ?1", kGameColumns);
  if (filter.id) sql += " AND id = ?2";
  if (filter.kind) sql += " AND kind = ?3";
  if (filter.match) sql += " AND match = ?4";
  if (filter.outside_matches) sql += " AND match IS NULL";
  if (filter.number) sql += " AND number = ?5";
  sql += filter.match ? " ORDER BY number" : " ORDER BY id";
  auto query = database_.prepare(sql);
  if (!query) return query.error();
  query->bind(static_cast<std::int64_t>(filter.below), filter.id,
              filter.kind ? std::optional(kind_text(*filter.kind)) : std::nullopt, filter.match,
              filter.number);
  while (true) {
    const auto row = query->step();
    if (!row) return row.error();
    if (!*row) return {};
    if (auto visited = visit(read_game(*query)); !visited) return visited;
  }
}

Result<void> Archive::keep_report(std::string_view experiment, std::string_view json) {
  return database_.run("INSERT OR REPLACE INTO lab_reports (experiment, json) VALUES (?1, ?2)",
                       experiment, json);
}

Result<std::optional<std::string>> Archive::report(std::string_view experiment) {
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
