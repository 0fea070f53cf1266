#include "service/store/changes.h"

#include "fmt/core.h"

namespace rowbot::store {
namespace {

std::int64_t milliseconds(Time time) { return time.time_since_epoch().count(); }

/// The statement must have met exactly one row; else the change did not fit what is stored.
Result<void> must_change_one(const sqlite::Database& database, const Result<void>& ran,
                             const char* complaint) {
  if (!ran) return ran.error();
  if (database.changes() != 1) return Error{complaint};
  return {};
}

Result<void> apply(sqlite::Database& database, const NewGame& change) {
  const GameHead& head = change.head;
  return database.run(
      "INSERT INTO games (token, guest, kind, level, first, second, start, created) "
      "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
      head.token, head.guest, head.kind, head.level, head.first, head.second, head.start,
      milliseconds(head.created));
}

/// The first move stands at the end of the start, every other one behind its predecessor: no game
/// gets a gap. Since the ply was free, what is stored beyond it stands behind a gap that an older
/// Rowbot left, belongs to no position, and goes.
Result<void> apply(sqlite::Database& database, const AddMove& change) {
  std::optional<std::int64_t> thinking;
  if (change.move.thinking) thinking = change.move.thinking->count();
  const auto ran = database.run(
      "INSERT INTO moves (game, ply, column, microseconds) "
      "SELECT id, ?2, ?3, ?4 FROM games WHERE token = ?1 AND reason IS NULL AND "
      "(?2 = length(start) OR (?2 > length(start) AND "
      "EXISTS (SELECT 1 FROM moves WHERE game = games.id AND ply = ?2 - 1)))",
      change.token, change.ply, change.move.column.number(), thinking);
  if (auto one = must_change_one(
          database, ran,
          "the move's game is not there or has ended, or the move before is missing");
      !one) {
    return one;
  }
  return database.run(
      "DELETE FROM moves WHERE ply > ?2 AND game = (SELECT id FROM games WHERE token = ?1)",
      change.token, change.ply);
}

Result<void> apply(sqlite::Database& database, const TakeBack& change) {
  if (auto ran = database.run("DELETE FROM moves WHERE ply >= ?2 AND game = "
                              "(SELECT id FROM games WHERE token = ?1 AND reason IS NULL)",
                              change.token, change.ply);
      !ran) {
    return ran;
  }
  const auto ran =
      database.run("UPDATE games SET helped = 1 WHERE token = ?1 AND reason IS NULL", change.token);
  return must_change_one(database, ran, "the game to take back from is not there or has ended");
}

Result<void> apply(sqlite::Database& database, const EndGame& change) {
  const auto ran = database.run(
      "UPDATE games SET result = ?2, reason = ?3, ended = ?4 WHERE token = ?1 AND reason IS NULL",
      change.token, game::result_text(change.result), game::reason_text(change.reason),
      milliseconds(change.ended));
  if (auto one = must_change_one(database, ran, "the game to end is not there or has ended");
      !one || !change.winner || !change.level) {
    return one;
  }
  return database.run(
      "INSERT INTO tally (level, winner, games) VALUES (?1, ?2, 1) "
      "ON CONFLICT (level, winner) DO UPDATE SET games = games + 1",
      *change.level, *change.winner);
}

Result<void> apply(sqlite::Database& database, const AnswerSurvey& change) {
  if (!change.token) {
    return database.run("INSERT INTO surveys (feel, age, answered) VALUES (?1, ?2, ?3)",
                        change.feel, change.age, milliseconds(change.answered));
  }
  const auto ran = database.run(
      "INSERT INTO surveys (game, feel, age, answered) "
      "SELECT id, ?2, ?3, ?4 FROM games WHERE token = ?1 "
      "ON CONFLICT (game) DO UPDATE SET feel = excluded.feel, age = excluded.age, "
      "answered = excluded.answered",
      *change.token, change.feel, change.age, milliseconds(change.answered));
  return must_change_one(database, ran, "the survey's game is not there");
}

Result<void> apply(sqlite::Database& database, const SetNote& change) {
  if (change.value.empty()) {
    return database.run("DELETE FROM notes WHERE name = ?1", change.name);
  }
  return database.run(
      "INSERT INTO notes (name, value) VALUES (?1, ?2) "
      "ON CONFLICT (name) DO UPDATE SET value = excluded.value",
      change.name, change.value);
}

}  // namespace

Result<void> apply_change(sqlite::Database& database, const Change& change) {
  return std::visit([&database](const auto& one) { return apply(database, one); }, change);
}

}  // namespace rowbot::store
