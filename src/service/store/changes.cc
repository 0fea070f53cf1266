#include "service/store/changes.h"

#include <algorithm>
#include <string>

#include "service/store/game_rows.h"

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
  game::GameRecord record = change.record;
  record.thinking.resize(record.moves.size());  // moves and times grow together from here on
  return insert_game(database, change.head, record);
}

/// Stands behind the last move, or the start: no game gets a gap.
Result<void> apply(sqlite::Database& database, const AddMove& change) {
  const auto ran = database.run(
      "UPDATE games SET moves = moves || ?3, thinking = ltrim(thinking || ' ' || ?4) "
      "WHERE token = ?1 AND reason = 'ongoing' AND length(moves) = ?2",
      change.token, change.ply, std::string(1, change.column.digit()),
      game::thinking_text({change.thinking}));
  return must_change_one(
      database, ran, "the move's game is not there or has ended, or the move before is missing");
}

/// Its times, those of these first moves. The statement ends here: while it is open, its end would
/// hide from storage_failed() how the next one failed.
Result<std::string> first_times(sqlite::Database& database, const std::string& token, int moves) {
  auto row = database.cached("SELECT thinking FROM games WHERE token = ?1");
  if (!row) return row.error();
  const auto found = (*row)->bind(token).step();
  if (!found) return found.error();
  auto times = game::parse_thinking(*found ? (*row)->text(0) : "");
  if (!times) return times.error();
  times->resize(std::min(times->size(), static_cast<std::size_t>(std::max(moves, 0))));
  return game::thinking_text(*times);
}

Result<void> apply(sqlite::Database& database, const TakeBack& change) {
  const auto times = first_times(database, change.token, change.ply);
  if (!times) return times.error();
  const auto ran = database.run(
      "UPDATE games SET moves = substr(moves, 1, ?2), thinking = ?3, had_undo = 1 "
      "WHERE token = ?1 AND reason = 'ongoing' AND ?2 BETWEEN start_moves AND length(moves)",
      change.token, change.ply, *times);
  return must_change_one(database, ran, "the game to take back from is not there or has ended");
}

Result<void> apply(sqlite::Database& database, const EndGame& change) {
  const auto ran = database.run(
      "UPDATE games SET result = ?2, reason = ?3, ended = ?4 WHERE token = ?1 AND "
      "reason = 'ongoing'",
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
