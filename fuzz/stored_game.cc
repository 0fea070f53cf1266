// Rows of a database that somebody has changed: a game read from them holds together or is refused.
// The input is lines: the moves at the start, result, reason, then `columns microseconds`. They go
// past the schema's checks, as another program's or a bad disk's would.
#include <array>
#include <filesystem>
#include <memory>
#include <sqlite3.h>
#include <string>
#include <unistd.h>

#include "base/text.h"
#include "fmt/core.h"
#include "fuzz.h"
#include "service/store/archive.h"
#include "service/store/sqlite_store.h"

namespace {

using rowbot::fuzz::require;
using rowbot::store::Archive;
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
    auto tables = Archive::open(path);
    require(tables.has_value(), "the laboratory's tables are there");
    laboratory = std::make_unique<Archive>(*std::move(tables));
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
  std::unique_ptr<Archive> laboratory;
  sqlite3* raw = nullptr;
  std::int64_t lab_match = 0;
};

void write_rows(const Tables& tables, std::string_view text) {
  const auto lines = rowbot::split(text, '\n');
  const auto line = [&](std::size_t i) { return i < lines.size() ? lines[i] : std::string_view(); };
  std::string digits;
  std::string thinking;
  for (std::size_t i = 3; i < lines.size(); ++i) {
    const auto words = rowbot::split(lines[i], ' ');
    digits += words[0];
    if (words.size() > 1) thinking += fmt::format("{} ", words[1]);
  }
  tables.run("BEGIN; DELETE FROM games");
  const std::string match = std::to_string(tables.lab_match);
  for (const char* place : {"NULL, NULL, '0123456789abcdef0123456789abcdef'", "?7, ?1, NULL"}) {
    tables.insert(fmt::format("INSERT INTO games (kind, first, second, match, number, token, "
                              "start_moves, result, reason, moves, thinking, note) VALUES "
                              "('website', 'human', 'easy', {}, ?1, ?2, ?3, ?4, ?5, ?6)",
                              place)
                      .c_str(),
                  std::array<std::string_view, 7>{line(0), line(1), line(2), digits, thinking,
                                                  line(3), match});
  }
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
    require(rowbot::game::replay((*stored)->record).has_value(), "what is read holds together");
  }
  const auto read = tables.laboratory->each_game({}, [](auto game) -> rowbot::Result<void> {
    if (!game) require(!game.error().message.empty(), "an error says what is wrong");
    return {};
  });
  if (!read) require(!read.error().message.empty(), "an error says what is wrong");
  return 0;
}
