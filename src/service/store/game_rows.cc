#include "service/store/game_rows.h"

#include <array>
#include <utility>

#include "fmt/core.h"
#include "game/moves_text.h"

namespace rowbot::store {
namespace {

constexpr std::array kKinds{GameKind::kWebsite, GameKind::kTable, GameKind::kTerminal,
                            GameKind::kMatch};

std::optional<std::int64_t> optional_integer(const sqlite::Statement& row, int column) {
  return row.is_null(column) ? std::nullopt : std::optional(row.integer(column));
}

std::optional<Time> optional_time(const sqlite::Statement& row, int column) {
  if (row.is_null(column)) return std::nullopt;
  return Time(std::chrono::milliseconds(row.integer(column)));
}

std::optional<std::int64_t> count_of(std::optional<Time> time) {
  return time ? std::optional(time->time_since_epoch().count()) : std::nullopt;
}

std::optional<std::int64_t> count_of(game::MoveTime time) {
  return time ? std::optional<std::int64_t>(time->count()) : std::nullopt;
}

/// SQLite's integers have a sign; the bits are kept.
std::optional<std::int64_t> signed_seed(std::optional<std::uint64_t> seed) {
  return seed ? std::optional(static_cast<std::int64_t>(*seed)) : std::nullopt;
}

game::PlayerRecord read_player(const sqlite::Statement& row, int name, int seed, int time) {
  game::PlayerRecord player{.name = row.text(name)};
  if (!row.is_null(seed)) player.seed = static_cast<std::uint64_t>(row.integer(seed));
  if (!row.is_null(time)) player.thinking = std::chrono::microseconds(row.integer(time));
  return player;
}

Result<game::GameRecord> read_record(const sqlite::Statement& row) {
  game::GameRecord record{.first = read_player(row, 10, 12, 14),
                          .second = read_player(row, 11, 13, 15)};
  auto played = game::parse_played(row.text(16));
  if (!played) return Error{"moves: " + played.error().message};
  record.moves = std::move(played->moves);
  auto thinking = game::parse_thinking(row.text(17));
  if (!thinking) return thinking.error();
  record.thinking = *std::move(thinking);
  const auto result = game::parse_result(row.text(18));
  const auto reason = game::parse_reason(row.text(19));
  if (!result || !reason) {
    return Error{fmt::format("an end that is not known ({}, {})", row.text(18), row.text(19))};
  }
  record.result = *result;
  record.reason = *reason;
  record.start_moves = static_cast<std::size_t>(row.integer(20));
  record.had_undo = row.integer(21) != 0;
  record.note = row.text(22);
  if (const auto sound = game::replay(record); !sound) return sound.error();
  return record;
}

}  // namespace

std::string_view kind_text(GameKind kind) {
  switch (kind) {
    case GameKind::kWebsite:
      return "website";
    case GameKind::kTable:
      return "table";
    case GameKind::kTerminal:
      return "terminal";
    case GameKind::kMatch:
      return "match";
  }
  return "website";
}

std::optional<GameKind> parse_kind(std::string_view text) {
  for (const GameKind kind : kKinds) {
    if (kind_text(kind) == text) return kind;
  }
  return std::nullopt;
}

Result<StoredGame> read_game(const sqlite::Statement& row) {
  const auto kind = parse_kind(row.text(1));
  auto record = read_record(row);
  if (!kind || !record) {
    return Error{fmt::format("game {} in the database cannot be read: {}", row.integer(0),
                             kind ? record.error().message : "its kind is not known")};
  }
  return StoredGame{.id = row.integer(0),
                    .head = {.kind = *kind,
                             .token = row.text(2),
                             .guest = row.optional_text(3),
                             .level = row.optional_text(4),
                             .match = optional_integer(row, 5),
                             .number = optional_integer(row, 6),
                             .site = row.text(7),
                             .created = optional_time(row, 8),
                             .ended = optional_time(row, 9)},
                    .record = *std::move(record)};
}

Result<void> insert_game(sqlite::Database& database, const GameHead& head,
                         const game::GameRecord& record) {
  const auto token = head.token.empty() ? std::nullopt : std::optional(head.token);
  return database.run(
      "INSERT INTO games (kind, token, guest, level, match, number, site, created, ended, first,"
      " second, first_seed, second_seed, first_us, second_us, moves, thinking, result, reason,"
      " start_moves, had_undo, note) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12,"
      " ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22)"
      " ON CONFLICT (match, number) WHERE match IS NOT NULL DO NOTHING",
      kind_text(head.kind), token, head.guest, head.level, head.match, head.number, head.site,
      count_of(head.created), count_of(head.ended), record.first.name, record.second.name,
      signed_seed(record.first.seed), signed_seed(record.second.seed),
      count_of(record.first.thinking), count_of(record.second.thinking),
      game::moves_text(record.moves), game::thinking_text(record.thinking),
      game::result_text(record.result), game::reason_text(record.reason),
      static_cast<std::int64_t>(record.start_moves), record.had_undo, record.note);
}

}  // namespace rowbot::store
