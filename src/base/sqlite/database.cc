#include "base/sqlite/database.h"

#include <sqlite3.h>
#include <utility>

#include "base/sqlite/failure.h"
#include "fmt/core.h"

namespace rowbot::sqlite {
void StatementCloser::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
void ConnectionCloser::operator()(sqlite3* connection) const { sqlite3_close_v2(connection); }

// ---------------------------------------------------------------------------------- Statement

void Statement::reset() {
  sqlite3_reset(statement_.get());
  sqlite3_clear_bindings(statement_.get());
  bind_failure_ = SQLITE_OK;
}

// Nothing is bound after a failure: that would clear the connection's error, by which
// storage_failed() tells a refused value from refused memory.
void Statement::bind_integer(int index, std::int64_t value) {
  if (bind_failure_ != SQLITE_OK) return;
  bind_failure_ = sqlite3_bind_int64(statement_.get(), index, value);
}
void Statement::bind_number(int index, double value) {
  if (bind_failure_ != SQLITE_OK) return;
  bind_failure_ = sqlite3_bind_double(statement_.get(), index, value);
}
void Statement::bind_text(int index, std::string_view value) {
  if (bind_failure_ != SQLITE_OK) return;
  // An empty view may have no address, and SQLite would read that as NULL.
  const char* data = value.data() == nullptr ? "" : value.data();
  // SQLITE_TRANSIENT: SQLite keeps its own copy. The macro holds a C cast, hence not its name.
  const auto copy = reinterpret_cast<sqlite3_destructor_type>(static_cast<std::intptr_t>(-1));
  bind_failure_ =
      sqlite3_bind_text64(statement_.get(), index, data, value.size(), copy, SQLITE_UTF8);
}

Result<bool> Statement::step() {
  if (bind_failure_ != SQLITE_OK) {
    return Error{fmt::format("database: cannot bind a value: {}", sqlite3_errstr(bind_failure_))};
  }
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return Error{fmt::format("database: {}", failure_text(sqlite3_db_handle(statement_.get())))};
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
  // As a blob, because column_text() may want memory for a terminator and, refused, gives nothing.
  const void* text = sqlite3_column_blob(statement_.get(), column);
  if (text == nullptr) return {};
  return {static_cast<const char*>(text),
          static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))};
}
std::optional<std::string> Statement::optional_text(int column) const {
  if (is_null(column)) return std::nullopt;
  return text(column);
}

// ----------------------------------------------------------------------------------- Database

Error Database::failure(std::string_view doing) const {
  return Error{fmt::format("{}: {} failed: {}", path_, doing, failure_text(connection_.get()))};
}

void Database::roll_back() {
  // After some failures SQLite has rolled back by itself; then this changes nothing.
  sqlite3_exec(connection_.get(), "ROLLBACK", nullptr, nullptr, nullptr);
  abandoned_ = in_transaction();
}

Result<void> Database::leave_abandoned() {
  if (abandoned_) roll_back();
  return abandoned_ ? Result<void>(failure("ROLLBACK")) : Result<void>();
}

Result<Statement> Database::prepare(std::string_view sql) {
  if (auto left = leave_abandoned(); !left) return left.error();
  sqlite3_stmt* raw = nullptr;
  const int code = sqlite3_prepare_v2(connection_.get(), sql.data(), static_cast<int>(sql.size()),
                                      &raw, nullptr);
  if (code != SQLITE_OK) return failure(sql);
  return Statement(raw);
}

Result<CachedStatement> Database::cached(std::string_view sql) {
  std::string key(sql);
  if (auto left = leave_abandoned(); !left) return left.error();
  const auto found = cache_.find(key);
  if (found != cache_.end()) return CachedStatement(found->second);
  auto statement = prepare(sql);
  if (!statement) return statement.error();
  return CachedStatement(cache_.emplace(std::move(key), *std::move(statement)).first->second);
}

Result<void> Database::execute(const std::string& sql) {
  if (auto left = leave_abandoned(); !left) return left;
  if (sqlite3_exec(connection_.get(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) {
    return failure(std::string_view(sql).substr(0, 80));
  }
  return {};
}

void Database::wait_for_others(std::chrono::milliseconds time) {
  sqlite3_busy_timeout(connection_.get(), static_cast<int>(time.count()));
}

bool Database::empty_log() {
  constexpr std::chrono::milliseconds kPatience{100};
  wait_for_others(kPatience);
  const int code = sqlite3_wal_checkpoint_v2(connection_.get(), "main", SQLITE_CHECKPOINT_TRUNCATE,
                                             nullptr, nullptr);
  wait_for_others(busy_timeout_);
  return code == SQLITE_OK;
}

std::int64_t Database::changes() const { return sqlite3_changes64(connection_.get()); }

bool Database::in_transaction() const { return sqlite3_get_autocommit(connection_.get()) == 0; }

bool Database::storage_failed() const { return is_storage_failure(connection_.get()); }

// -------------------------------------------------------------------------------- Transaction

Result<Transaction> Transaction::begin(Database& database) {
  Transaction transaction(database);  // without memory BEGIN may fail and still have begun
  if (auto begun = database.run("BEGIN IMMEDIATE"); !begun) return begun.error();
  return transaction;
}

Result<void> Transaction::commit() {
  auto done = database_->run("COMMIT");
  if (done) database_ = nullptr;
  return done;
}

Transaction::~Transaction() {
  if (database_ != nullptr) database_->roll_back();
}

}  // namespace rowbot::sqlite
