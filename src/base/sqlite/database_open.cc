// Opening a database: what it is, whether it is whole, and bringing it up to date.
#include <algorithm>
#include <array>
#include <filesystem>
#include <sqlite3.h>
#include <system_error>
#include <utility>

#include "base/sqlite/database.h"
#include "base/sqlite/failure.h"
#include "fmt/core.h"

namespace rowbot::sqlite {
namespace {

constexpr std::string_view kInMemory = ":memory:";

// The parts of a SQLite file's first 100 bytes that are looked at before the first statement, which
// might change the file: https://www.sqlite.org/fileformat.html
constexpr std::string_view kMagic{"SQLite format 3\0", 16};
constexpr std::size_t kHeaderBytes = 100;
constexpr std::size_t kVersionOffset = 60;
constexpr std::size_t kApplicationOffset = 68;

struct Header {
  std::array<unsigned char, kHeaderBytes> bytes{};
  std::size_t size = 0;  // less than kHeaderBytes when the file is shorter

  [[nodiscard]] std::int64_t big_endian(std::size_t offset) const {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) value = (value << 8) | bytes.at(offset + i);
    return value;
  }
  [[nodiscard]] bool has_magic() const {
    return size >= kMagic.size() &&
           std::equal(kMagic.begin(), kMagic.end(), bytes.begin(),
                      [](char a, unsigned char b) { return static_cast<unsigned char>(a) == b; });
  }
};

/// Reads through the handle that the connection has open already. A stream of our own would, when
/// it closes, drop every lock that this process holds on the file.
Result<Header> read_header(sqlite3* connection, const std::string& path) {
  Header header;
  sqlite3_file* file = nullptr;
  sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file);
  if (file == nullptr || file->pMethods == nullptr) return header;
  sqlite3_int64 size = 0;
  int code = file->pMethods->xFileSize(file, &size);
  if (code == SQLITE_OK && size > 0) {
    header.size = std::min(kHeaderBytes, static_cast<std::size_t>(size));
    code = file->pMethods->xRead(file, header.bytes.data(), static_cast<int>(header.size), 0);
  }
  if (code != SQLITE_OK) {
    return Error{fmt::format("cannot read {}: {}", path, sqlite3_errstr(code))};
  }
  return header;
}

Error foreign(const std::string& path) {
  return Error{
      fmt::format("{} is not a Rowbot database; it was left as it is. Name another file", path)};
}

Error too_new(const std::string& path, std::int64_t version, std::size_t known) {
  return Error{
      fmt::format("{} was written by a newer Rowbot (version {} of the database, this program "
                  "knows {}); it was left as it is. Update Rowbot or name another file",
                  path, version, known)};
}

Error damaged(const std::string& path, std::string_view what) {
  return Error{fmt::format(
      "{} is damaged ({}); it was left as it is. Restore a copy or name another file", path, what)};
}

/// Asks the file system by name only, without opening anything.
Result<void> prepare_place(const std::string& path) {
  std::error_code problem;
  const auto status = std::filesystem::status(path, problem);
  if (std::filesystem::is_directory(status)) {
    return Error{fmt::format("{} is a folder; name a file in it", path)};
  }
  if (std::filesystem::exists(status)) {
    if (std::filesystem::is_regular_file(status)) return {};
    return Error{fmt::format("{} is a device or a pipe; name a file", path)};
  }
  const auto folder = std::filesystem::path(path).parent_path();
  problem.clear();
  if (!folder.empty()) std::filesystem::create_directories(folder, problem);
  if (problem) {
    return Error{fmt::format("cannot make the folder {}: {}", folder.string(), problem.message())};
  }
  return {};
}

}  // namespace

Result<Database> Database::connect(const std::string& path,
                                   std::chrono::milliseconds busy_timeout) {
  sqlite3* raw = nullptr;
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  const int code = sqlite3_open_v2(path.c_str(), &raw, flags, nullptr);
  Database database(path, busy_timeout, std::unique_ptr<sqlite3, ConnectionCloser>(raw));
  if (raw == nullptr) return Error{fmt::format("{}: there is not enough memory", path)};
  if (code != SQLITE_OK) {
    return Error{fmt::format("cannot open {}: {}", path, failure_text(raw))};
  }
  database.wait_for_others(busy_timeout);
  sqlite3_extended_result_codes(raw, 1);
  return database;
}

Result<Database> Database::open(const std::string& path,
                                std::span<const std::string_view> migrations,
                                const OpenOptions& options) {
  if (path != kInMemory) {
    if (auto fine = prepare_place(path); !fine) return fine.error();
  }
  auto database = connect(path, options.busy_timeout);
  if (!database) return database;
  if (auto fine = database->check_header(migrations.size(), options.application_id); !fine) {
    return fine.error();
  }
  if (options.write && database->read_only()) {
    return Error{fmt::format("{} is read-only; may this user write it?", path)};
  }
  // Until all is known to be well, closing must not copy the log into the file.
  sqlite3* raw = database->connection_.get();
  sqlite3_db_config(raw, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  if (auto fine = database->check_content(migrations.size(), options); !fine) return fine.error();
  if (auto done = database->migrate(migrations, options); !done) {
    return done.error();
  }
  if (auto done = database->set_up(); !done) return done.error();
  if (options.write) {
    if (auto fine = database->check_writable(); !fine) return fine.error();
  }
  sqlite3_db_config(raw, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0, nullptr);
  return database;
}

Result<Database> Database::open_again() const {
  auto database = connect(path_, busy_timeout_);
  if (!database) return database;
  if (auto done = database->set_up(); !done) return done.error();
  return database;
}

bool Database::read_only() const { return sqlite3_db_readonly(connection_.get(), "main") == 1; }

Error Database::cannot_read(const Error& error) const {
  if ((sqlite3_errcode(connection_.get()) & 0xff) == SQLITE_NOTADB) return foreign(path_);
  if (is_damage(connection_.get())) return damaged(path_, error.message);
  return Error{fmt::format("cannot read {}: {}", path_, failure_text(connection_.get()))};
}

Result<std::int64_t> Database::ask_integer(std::string_view sql) {
  auto statement = prepare(sql);
  if (!statement) return statement.error();
  const auto row = statement->step();
  if (!row) return row.error();
  return *row ? statement->integer(0) : 0;
}

/// Looks at the file before the first statement does. An empty one is fine.
Result<void> Database::check_header(std::size_t known_version, std::int64_t application_id) const {
  const auto header = read_header(connection_.get(), path_);
  if (!header) return header.error();
  if (header->size == 0) return {};
  // A power cut in the very first transaction leaves anything at all in the file, and a journal
  // that SQLite must play back first.
  std::error_code ignored;
  if (std::filesystem::exists(path_ + "-journal", ignored)) return {};
  if (!header->has_magic()) return foreign(path_);
  if (header->size < kHeaderBytes) return damaged(path_, "cut short");
  if (header->big_endian(kApplicationOffset) != application_id) return foreign(path_);
  const std::int64_t version = header->big_endian(kVersionOffset);
  if (version > static_cast<std::int64_t>(known_version)) {
    return too_new(path_, version, known_version);
  }
  return {};
}

/// What the log beside the file says may be newer than the file's own header.
Result<void> Database::check_content(std::size_t known_version, const OpenOptions& options) {
  const auto tables = ask_integer("SELECT count(*) FROM sqlite_schema");
  if (!tables) return cannot_read(tables.error());
  const auto application = ask_integer("PRAGMA application_id");
  if (!application) return cannot_read(application.error());
  const bool fresh = *tables == 0 && *application == 0;
  if (!fresh && *application != options.application_id) return foreign(path_);
  const auto version = ask_integer("PRAGMA user_version");
  if (!version) return cannot_read(version.error());
  if (*version > static_cast<std::int64_t>(known_version)) {
    return too_new(path_, *version, known_version);
  }
  return options.check_all ? check_pages() : Result<void>();
}

Result<void> Database::check_pages() {
  auto check = prepare("PRAGMA quick_check(1)");
  if (!check) return cannot_read(check.error());
  const auto row = check->step();
  if (!row) return cannot_read(row.error());
  if (const std::string verdict = check->text(0); verdict != "ok") return damaged(path_, verdict);
  return {};
}

Result<void> Database::migrate(std::span<const std::string_view> migrations,
                               const OpenOptions& options) {
  // Two programs may open a new file at once: only the one that holds the lock looks and changes.
  auto seen = ask_integer("PRAGMA user_version");
  if (!seen) return seen.error();
  if (static_cast<std::size_t>(*seen) == migrations.size()) return {};
  auto transaction = Transaction::begin(*this);
  if (!transaction) {
    return Error{fmt::format(
        "{} has to be brought up to date and another program is writing it, or is doing "
        "so: {}. Try again when it has finished",
        path_, transaction.error().message)};
  }
  seen = ask_integer("PRAGMA user_version");
  if (!seen) return seen.error();
  if (*seen > 0 && static_cast<std::size_t>(*seen) < migrations.size() && options.before_update) {
    if (auto fine = options.before_update(); !fine) {
      return Error{fmt::format("{} is of an older version and cannot be brought up to date: {}",
                               path_, fine.error().message)};
    }
  }
  for (auto version = static_cast<std::size_t>(*seen); version < migrations.size(); ++version) {
    if (auto done = execute(std::string(migrations[version])); !done) return done.error();
  }
  if (auto done = execute(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}",
                                      options.application_id, migrations.size()));
      !done) {
    return done.error();
  }
  return transaction->commit();
}

/// The settings of a connection. The first is the file's own as well.
Result<void> Database::set_up() {
  if (!read_only()) {
    auto mode = prepare("PRAGMA journal_mode = WAL");
    if (!mode) return mode.error();
    const auto row = mode->step();
    if (!row) return failure("setting up the write-ahead log");
    if (const std::string set = mode->text(0); set != "wal" && path_ != kInMemory) {
      return Error{fmt::format(
          "{}: the file system allows no write-ahead log (mode {}); name a file on another disk",
          path_, set)};
    }
  }
  // The log is copied into the file after 200 pages (800 kB) instead of SQLite's 1000: a log that
  // filled a small disk alone would leave the file no room to grow, and could never be emptied.
  for (const char* setting : {"PRAGMA synchronous = FULL", "PRAGMA foreign_keys = ON",
                              "PRAGMA wal_autocheckpoint = 200"}) {
    if (auto done = execute(setting); !done) return done;
  }
  return {};
}

/// Takes the lock for writing and gives it back: a folder in which no log can be made is found now,
/// not by the first visitor. That another program writes at the moment is no obstacle.
Result<void> Database::check_writable() {
  wait_for_others(std::chrono::milliseconds(0));
  const int code =
      sqlite3_exec(connection_.get(), "BEGIN IMMEDIATE; ROLLBACK", nullptr, nullptr, nullptr);
  const bool fine = code == SQLITE_OK || (code & 0xff) == SQLITE_BUSY;
  auto result = fine ? Result<void>() : Result<void>(failure("writing"));
  wait_for_others(busy_timeout_);
  return result;
}

}  // namespace rowbot::sqlite
