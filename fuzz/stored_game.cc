// Rows of a database that somebody has changed: a game read from them holds together or is refused.
// The input is lines: the position at the start, result, reason, then `ply column microseconds` of
// each move. They go past the schema's checks, as another program's or a bad disk's would.
#include <array>
#include <filesystem>
#include <memory>
#include <sqlite3.h>
#include <string>
#include <unistd.h>

#include "base/text.h"
#include "fuzz.h"
#include "service/store/lab_games.h"
#include "service/store/sqlite_store.h"

namespace {

using rowbot::fuzz::require;
using rowbot::store::LabGames;
using rowbot::store::SqliteStore;

constexpr const char* kToken = "0123456789abcdef0123456789abcdef";

struct Tables {
  Tables() {
    // In memory where there is such a folder: every commit waits for the disk.
    const std::filesystem::path memory("/dev/shm");
    const auto place =
        std::filesystem::exists(memory) ? memory : std::filesystem::temp_directory_path();
    std::string name = (place / "rowbot-fuzz-XXXXXX").string();
    require(::mkdtemp(name.data()) != nullptr, "there is a folder to work in");
    folder = name;
    const std::string path = folder / "rowbot.db";
    auto opened = SqliteStore::open(path);
    require(opened.has_value(), "a new store can be made");
    store = *std::move(opened);
    auto tables = LabGames::open(path);
    require(tables.has_value(), "the laboratory's tables are there");
    laboratory = std::make_unique<LabGames>(*std::move(tables));
    require(sqlite3_open(path.c_str(), &raw) == SQLITE_OK, "SQLite opens it");
    run("PRAGMA ignore_check_constraints = ON");
    run("PRAGMA synchronous = OFF");
    rowbot::store::LabMatch match{.key = "k", .a = "random", .b = "random"};
    match.colours = "swapped";
    auto id = laboratory->match_id(match);
    require(id.has_value(), "a match can be made");
    lab_match = *id;
  }
  Tables(const Tables&) = delete;
  Tables& operator=(const Tables&) = delete;
  Tables(Tables&&) = delete;
  Tables& operator=(Tables&&) = delete;
  ~Tables() {
    sqlite3_close(raw);
    laboratory.reset();
    store.reset();
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
  }

  void run(const char* sql) const {
    require(sqlite3_exec(raw, sql, nullptr, nullptr, nullptr) == SQLITE_OK, sql);
  }
  /// A row that SQLite itself refuses is not there.
  template <std::size_t kCount>
  void insert(const char* sql, const std::array<std::string_view, kCount>& values) const {
    sqlite3_stmt* statement = nullptr;
    require(sqlite3_prepare_v2(raw, sql, -1, &statement, nullptr) == SQLITE_OK, sql);
    int place = 1;
    for (const std::string_view value : values) {
      sqlite3_bind_text(statement, place++, value.data() != nullptr ? value.data() : "",
                        static_cast<int>(value.size()), SQLITE_TRANSIENT);
    }
    sqlite3_step(statement);
    sqlite3_finalize(statement);
  }

  std::filesystem::path folder;
  std::unique_ptr<SqliteStore> store;
  std::unique_ptr<LabGames> laboratory;
  sqlite3* raw = nullptr;
  std::int64_t lab_match = 0;
};

void write_rows(const Tables& tables, std::string_view text) {
  const auto lines = rowbot::split(text, '\n');
  const auto line = [&](std::size_t i) { return i < lines.size() ? lines[i] : std::string_view(); };
  tables.run("BEGIN; DELETE FROM moves; DELETE FROM games; DELETE FROM lab_games");
  tables.insert(
      "INSERT INTO games (id, token, kind, first, second, start, created, result, reason)"
      " VALUES (1, ?1, 'agent', 'human', 'easy', ?2, 0, ?3, ?4)",
      std::array<std::string_view, 4>{kToken, line(0), line(1), line(2)});
  if (line(2).empty()) tables.run("UPDATE games SET result = NULL, reason = NULL");
  std::string digits;
  for (std::size_t i = 3; i < lines.size(); ++i) {
    const auto words = rowbot::split(lines[i], ' ');
    const auto word = [&](std::size_t k) {
      return k < words.size() ? words[k] : std::string_view();
    };
    tables.insert("INSERT INTO moves (game, ply, column, microseconds) VALUES (1, ?1, ?2, ?3)",
                  std::array<std::string_view, 3>{word(0), word(1), word(2)});
    digits += word(1);
  }
  const std::string match = std::to_string(tables.lab_match);
  tables.insert(
      "INSERT INTO lab_games (match, number, moves, result, reason, a_us, b_us, note)"
      " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?2)",
      std::array<std::string_view, 7>{match, line(0), digits, line(1), line(2), line(3), line(4)});
  tables.run("COMMIT");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Tables tables;
  write_rows(tables, rowbot::fuzz::as_text(data, size));
  const auto stored = tables.store->game(kToken);
  if (!stored) {
    require(!stored.error().message.empty(), "an error says what is wrong");
  } else if (*stored) {
    for (const auto& move : (*stored)->moves) {
      require(move.column.number() >= 1 && move.column.number() <= 7, "a move has a column");
    }
  }
  const auto read = tables.laboratory->each_game(
      tables.lab_match, INT64_MAX, [](const rowbot::store::LabGame& game) {
        require(!rowbot::game::result_text(game.result).empty(), "a result has a name");
      });
  if (!read) require(!read.error().message.empty(), "an error says what is wrong");
  return 0;
}
