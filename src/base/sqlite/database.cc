#include "base/sqlite/database.h"

#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sqlite3.h>
#include <system_error>
#include <utility>

#include "fmt/core.h"

namespace rowbot::sqlite {
namespace {

constexpr int kBusyMilliseconds = 10'000;

// The parts of a SQLite file's first 100 bytes that are read without SQLite, which might change the
// file: https://www.sqlite.org/fileformat.html
constexpr std::string_view kMagic{"SQLite format 3\0", 16};
constexpr std::size_t kHeaderBytes = 100;
constexpr std::size_t kVersionOffset = 60;
constexpr std::size_t kApplicationOffset = 68;

std::int64_t big_endian(const std::array<char, kHeaderBytes>& header, std::size_t offset) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    value = (value << 8) | static_cast<unsigned char>(header.at(offset + i));
  }
  return value;
}

Error foreign(const std::string& path) {
  return Error{
      fmt::format("{} is not a Rowbot database; it was left as it is. Name another file", path)};
}

Error too_new(const std::string& path, std::int64_t version, std::size_t known) {
  return Error{
      fmt::format("{} was written by a newer Rowbot (version {} of the database, this program "
                  "knows {}); it was "
                  "left as it is. Update Rowbot or name another file",
                  path, version, known)};
}

Error damaged(const std::string& path, std::string_view what) {
  return Error{fmt::format(
      "{} is damaged ({}); it was left as it is. Restore a copy or name another file", path, what)};
}

/// Looks at the file before SQLite does. A file that is not there or empty is fine.
Result<void> check_header(const std::string& path, std::size_t known_version,
                          std::int64_t application_id) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return {};
  if (std::filesystem::is_directory(path, ignored)) {
    return Error{fmt::format("{} is a folder; name a file in it", path)};
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) return Error{fmt::format("cannot read {}; may this user read it?", path)};
  std::array<char, kHeaderBytes> header{};
  file.read(header.data(), header.size());
  if (file.gcount() == 0) return {};
  if (std::string_view(header.data(), kMagic.size()) != kMagic) return foreign(path);
  if (file.gcount() < static_cast<std::streamsize>(kHeaderBytes)) return damaged(path, "cut short");
  // A crash in the very first transaction leaves a journal that SQLite must play back first.
  if (std::filesystem::exists(path + "-journal", ignored)) return {};
  if (big_endian(header, kApplicationOffset) != application_id) return foreign(path);
  const std::int64_t version = big_endian(header, kVersionOffset);
  if (version > static_cast<std::int64_t>(known_version)) {
    return too_new(path, version, known_version);
  }
  return {};
}

std::string_view as_view(const unsigned char* text, int size) {
  return text == nullptr ? std::string_view()
                         : std::string_view(reinterpret_cast<const char*>(text),
                                            static_cast<std::size_t>(size));
}

}  // namespace

void StatementCloser::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
void ConnectionCloser::operator()(sqlite3* connection) const { sqlite3_close_v2(connection); }

// ---------------------------------------------------------------------------------- Statement

void Statement::note(int code) {
  if (code != SQLITE_OK && bind_failure_ == SQLITE_OK) bind_failure_ = code;
}

void Statement::reset() {
  sqlite3_reset(statement_.get());
  sqlite3_clear_bindings(statement_.get());
  bind_failure_ = SQLITE_OK;
}

void Statement::bind_integer(int index, std::int64_t value) {
  note(sqlite3_bind_int64(statement_.get(), index, value));
}
void Statement::bind_number(int index, double value) {
  note(sqlite3_bind_double(statement_.get(), index, value));
}
void Statement::bind_text(int index, std::string_view value) {
  // An empty view may have no address, and SQLite would read that as NULL.
  const char* data = value.data() == nullptr ? "" : value.data();
  // SQLITE_TRANSIENT: SQLite keeps its own copy. The macro holds a C cast, hence not its name.
  const auto copy = reinterpret_cast<sqlite3_destructor_type>(static_cast<std::intptr_t>(-1));
  note(sqlite3_bind_text64(statement_.get(), index, data, value.size(), copy, SQLITE_UTF8));
}

Result<bool> Statement::step() {
  if (bind_failure_ != SQLITE_OK) {
    return Error{fmt::format("database: cannot bind a value: {}", sqlite3_errstr(bind_failure_))};
  }
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return Error{fmt::format("database: {}", sqlite3_errmsg(sqlite3_db_handle(statement_.get())))};
}

Result<void> Statement::run() {
  while (true) {
    const auto row = step();
    if (!row) return row.error();
    if (!*row) return {};
  }
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}
std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}
double Statement::number(int column) const {
  return sqlite3_column_double(statement_.get(), column);
}
std::string Statement::text(int column) const {
  const unsigned char* text = sqlite3_column_text(statement_.get(), column);
  return std::string(as_view(text, sqlite3_column_bytes(statement_.get(), column)));
}
std::optional<std::string> Statement::optional_text(int column) const {
  if (is_null(column)) return std::nullopt;
  return text(column);
}

// ----------------------------------------------------------------------------------- Database

Error Database::failure(std::string_view doing) const {
  return Error{fmt::format("{}: {} failed: {}", path_, doing, sqlite3_errmsg(connection_.get()))};
}

Result<Database> Database::open(const std::string& path,
                                std::span<const std::string_view> migrations,
                                const OpenOptions& options) {
  const bool in_memory = path == ":memory:";
  if (!in_memory) {
    if (auto fine = check_header(path, migrations.size(), options.application_id); !fine)
      return fine.error();
    std::error_code problem;
    const auto folder = std::filesystem::path(path).parent_path();
    if (!folder.empty()) std::filesystem::create_directories(folder, problem);
    if (problem) {
      return Error{
          fmt::format("cannot make the folder {}: {}", folder.string(), problem.message())};
    }
  }
  sqlite3* raw = nullptr;
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  const int code = sqlite3_open_v2(path.c_str(), &raw, flags, nullptr);
  Database database(path, std::unique_ptr<sqlite3, ConnectionCloser>(raw));
  if (code != SQLITE_OK) return database.failure("opening");
  sqlite3_busy_timeout(raw, kBusyMilliseconds);
  sqlite3_extended_result_codes(raw, 1);
  // Until all is known to be well, closing must not copy the log into the file.
  sqlite3_db_config(raw, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  if (auto fine = database.check_content(migrations.size(), options); !fine) return fine.error();
  if (auto done = database.migrate(migrations, options.application_id); !done) return done.error();
  for (const char* setting :
       {"PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL", "PRAGMA foreign_keys = ON"}) {
    if (auto done = database.execute(setting); !done) return done.error();
  }
  sqlite3_db_config(raw, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0, nullptr);
  return database;
}

Result<std::int64_t> Database::ask_integer(std::string_view sql) {
  auto statement = prepare(sql);
  if (!statement) return statement.error();
  const auto row = statement->step();
  if (!row) return row.error();
  return *row ? statement->integer(0) : 0;
}

/// What the log beside the file says may be newer than the file's own header.
Result<void> Database::check_content(std::size_t known_version, const OpenOptions& options) {
  const auto tables = ask_integer("SELECT count(*) FROM sqlite_schema");
  if (!tables) return damaged(path_, tables.error().message);
  const auto application = ask_integer("PRAGMA application_id");
  if (!application) return damaged(path_, application.error().message);
  const bool fresh = *tables == 0 && *application == 0;
  if (!fresh && *application != options.application_id) return foreign(path_);
  const auto version = ask_integer("PRAGMA user_version");
  if (!version) return damaged(path_, version.error().message);
  if (*version > static_cast<std::int64_t>(known_version)) {
    return too_new(path_, *version, known_version);
  }
  if (!options.check_all) return {};
  auto check = prepare("PRAGMA quick_check(1)");
  if (!check) return damaged(path_, check.error().message);
  const auto row = check->step();
  if (!row) return damaged(path_, row.error().message);
  if (const std::string verdict = check->text(0); verdict != "ok") return damaged(path_, verdict);
  return {};
}

Result<void> Database::migrate(std::span<const std::string_view> migrations,
                               std::int64_t application_id) {
  // Two programs may open a new file at once: only the one that holds the lock looks and changes.
  auto seen = ask_integer("PRAGMA user_version");
  if (!seen) return seen.error();
  if (static_cast<std::size_t>(*seen) == migrations.size()) return {};
  auto transaction = Transaction::begin(*this);
  if (!transaction) return transaction.error();
  seen = ask_integer("PRAGMA user_version");
  if (!seen) return seen.error();
  for (auto version = static_cast<std::size_t>(*seen); version < migrations.size(); ++version) {
    if (auto done = execute(std::string(migrations[version])); !done) return done.error();
  }
  if (auto done = execute(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}",
                                      application_id, migrations.size()));
      !done) {
    return done.error();
  }
  return transaction->commit();
}

Result<Statement> Database::prepare(std::string_view sql) {
  sqlite3_stmt* raw = nullptr;
  const int code = sqlite3_prepare_v2(connection_.get(), sql.data(), static_cast<int>(sql.size()),
                                      &raw, nullptr);
  if (code != SQLITE_OK) return failure(sql);
  return Statement(raw);
}

Result<Statement*> Database::cached(std::string_view sql) {
  std::string key(sql);
  const auto found = cache_.find(key);
  if (found != cache_.end()) return &found->second;
  auto statement = prepare(sql);
  if (!statement) return statement.error();
  return &cache_.emplace(std::move(key), *std::move(statement)).first->second;
}

Result<void> Database::execute(const std::string& sql) {
  if (sqlite3_exec(connection_.get(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) {
    return failure(std::string_view(sql).substr(0, 80));
  }
  return {};
}

std::int64_t Database::changes() const { return sqlite3_changes64(connection_.get()); }
std::int64_t Database::last_insert_id() const {
  return sqlite3_last_insert_rowid(connection_.get());
}

bool Database::in_transaction() const { return sqlite3_get_autocommit(connection_.get()) == 0; }

bool Database::storage_failed() const {
  switch (sqlite3_errcode(connection_.get()) & 0xff) {
    case SQLITE_PERM:
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_NOMEM:
    case SQLITE_READONLY:
    case SQLITE_IOERR:
    case SQLITE_CORRUPT:
    case SQLITE_FULL:
    case SQLITE_CANTOPEN:
    case SQLITE_PROTOCOL:
    case SQLITE_NOTADB:
      return true;
    default:
      return false;
  }
}

// -------------------------------------------------------------------------------- Transaction

Result<Transaction> Transaction::begin(Database& database) {
  if (auto begun = database.execute("BEGIN IMMEDIATE"); !begun) return begun.error();
  return Transaction(database);
}

Result<void> Transaction::commit() {
  auto done = database_->execute("COMMIT");
  if (done) database_ = nullptr;
  return done;
}

Transaction::~Transaction() {
  // After some failures SQLite has rolled back by itself; then this says so and changes nothing.
  if (database_ != nullptr) static_cast<void>(database_->execute("ROLLBACK"));
}

}  // namespace rowbot::sqlite
