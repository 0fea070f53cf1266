// A SQLite file that is safe to trust: opened only when it is ours, whole and not from the future;
// write-ahead log, every commit on the disk before it returns.
// Thread safety: a Database and its Statements belong to one thread at a time; open the file once
// more for another thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>

#include "base/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace rowbot::sqlite {

struct StatementCloser {
  void operator()(sqlite3_stmt* statement) const;
};
struct ConnectionCloser {
  void operator()(sqlite3* connection) const;
};

/// One prepared statement. Bind, step until there are no more rows, bind again.
class Statement {
 public:
  /// Forgets the run before and binds the parameters ?1, ?2, ... in order: integers, numbers,
  /// texts, and optionals of these, where an empty one is NULL. A failure is reported by step().
  template <class... Values>
  Statement& bind(const Values&... values) {
    reset();
    int index = 0;
    (bind_one(++index, values), ...);
    return *this;
  }

  /// Runs up to the next row; false when there is none.
  [[nodiscard]] Result<bool> step();
  /// Runs to the end, for statements without rows.
  [[nodiscard]] Result<void> run();
  void reset();

  // The present row, columns counted from 0; requires that step() gave true.
  [[nodiscard]] bool is_null(int column) const;
  [[nodiscard]] std::int64_t integer(int column) const;
  [[nodiscard]] double number(int column) const;
  [[nodiscard]] std::string text(int column) const;
  [[nodiscard]] std::optional<std::string> optional_text(int column) const;

 private:
  friend class Database;
  explicit Statement(sqlite3_stmt* statement) : statement_(statement) {}

  template <class Value>
  void bind_one(int index, const Value& value) {
    if constexpr (std::is_integral_v<Value>) {
      bind_integer(index, static_cast<std::int64_t>(value));
    } else if constexpr (std::is_floating_point_v<Value>) {
      bind_number(index, value);
    } else {
      bind_text(index, value);
    }
  }
  template <class Value>
  void bind_one(int index, const std::optional<Value>& value) {
    if (value) bind_one(index, *value);  // reset() has left NULL otherwise
  }
  void bind_integer(int index, std::int64_t value);
  void bind_number(int index, double value);
  void bind_text(int index, std::string_view value);

  std::unique_ptr<sqlite3_stmt, StatementCloser> statement_;
  int bind_failure_ = 0;
};

/// A prepared statement on loan. It is reset at the end of the loan, whichever way out is taken: a
/// statement left in the middle of its rows would keep its snapshot of the database open, later
/// reads would see nothing new, and the log could never be emptied.
class CachedStatement {
 public:
  CachedStatement(CachedStatement&& other) noexcept
      : statement_(std::exchange(other.statement_, nullptr)) {}
  CachedStatement(const CachedStatement&) = delete;
  CachedStatement& operator=(const CachedStatement&) = delete;
  CachedStatement& operator=(CachedStatement&&) = delete;
  ~CachedStatement() {
    if (statement_ != nullptr) statement_->reset();
  }

  [[nodiscard]] Statement& operator*() const { return *statement_; }
  [[nodiscard]] Statement* operator->() const { return statement_; }

 private:
  friend class Database;
  explicit CachedStatement(Statement& statement) : statement_(&statement) {}

  Statement* statement_;  // null once it was moved from
};

/// How a file is told from others, and how closely it is looked at.
struct OpenOptions {
  /// In the header of every file of one kind; this one, "RowB", is that of games.
  std::int64_t application_id = 0x526f7742;
  /// Reads the whole file for damage. Without, damage is found by the query that meets it, and a
  /// large file opens at once.
  bool check_all = true;
  /// Refuses a file that cannot be written. Without, one that is read-only is read.
  bool write = true;
  /// How long a statement waits for another program that is writing.
  std::chrono::milliseconds busy_timeout{10'000};
  /// Asked before a file of an older version is changed; a failure leaves it as it is.
  std::function<Result<void>()> before_update;
};

class Database {
 public:
  /// Opens the file, or makes it (with its folder) when there is none, and brings it up to date:
  /// migration i takes the file from version i to i + 1. Refuses, and leaves untouched, what is not
  /// a Rowbot database, is damaged, or was written by a newer Rowbot. ":memory:" is a fresh
  /// database that is gone when it closes. Only SQLite's own handles touch the file, so that other
  /// connections of this process keep their locks.
  [[nodiscard]] static Result<Database> open(const std::string& path,
                                             std::span<const std::string_view> migrations,
                                             const OpenOptions& options = {});
  /// One more connection to the same file, for another thread, without looking at it once more.
  /// Requires a file: ":memory:" belongs to one connection.
  [[nodiscard]] Result<Database> open_again() const;

  [[nodiscard]] Result<Statement> prepare(std::string_view sql);
  /// The statement for this text, prepared at the first call and kept. Not for two uses at once.
  [[nodiscard]] Result<CachedStatement> cached(std::string_view sql);
  /// One or more statements without parameters and rows.
  [[nodiscard]] Result<void> execute(const std::string& sql);
  /// Binds and runs a cached statement that gives no rows.
  template <class... Values>
  [[nodiscard]] Result<void> run(std::string_view sql, const Values&... values) {
    auto statement = cached(sql);
    if (!statement) return statement.error();
    return (*statement)->bind(values...).run();
  }

  /// Copies the log into the file and cuts it to nothing, which gives back its room on the disk;
  /// false when that is not possible at the moment. Waits a tenth of a second for others at most.
  [[nodiscard]] bool empty_log();

  /// Rows changed by the last statement.
  [[nodiscard]] std::int64_t changes() const;
  [[nodiscard]] const std::string& path() const { return path_; }
  /// False also after a failure that made SQLite roll back by itself.
  [[nodiscard]] bool in_transaction() const;
  /// Whether the last call failed because of the disk, the file, another program's lock or the
  /// memory, and not because of the statement or its values.
  [[nodiscard]] bool storage_failed() const;

 private:
  Database(std::string path, std::chrono::milliseconds busy_timeout,
           std::unique_ptr<sqlite3, ConnectionCloser> connection)
      : path_(std::move(path)), busy_timeout_(busy_timeout), connection_(std::move(connection)) {}
  [[nodiscard]] static Result<Database> connect(const std::string& path,
                                                std::chrono::milliseconds busy_timeout);
  friend class Transaction;
  void roll_back();
  /// Without memory a rollback may fail. Until it is made up for, nothing else may run: it would be
  /// acknowledged and then be lost with that transaction.
  [[nodiscard]] Result<void> leave_abandoned();
  void wait_for_others(std::chrono::milliseconds time);
  [[nodiscard]] Result<std::int64_t> ask_integer(std::string_view sql);
  [[nodiscard]] Result<void> check_header(std::size_t known_version,
                                          std::int64_t application_id) const;
  [[nodiscard]] Result<void> check_content(std::size_t known_version, const OpenOptions& options);
  [[nodiscard]] Result<void> check_pages();
  [[nodiscard]] Result<void> check_writable();
  [[nodiscard]] Result<void> migrate(std::span<const std::string_view> migrations,
                                     const OpenOptions& options);
  [[nodiscard]] Result<void> set_up();
  [[nodiscard]] bool read_only() const;
  [[nodiscard]] Error failure(std::string_view doing) const;
  [[nodiscard]] Error cannot_read(const Error& error) const;

  std::string path_;
  std::chrono::milliseconds busy_timeout_;
  std::unique_ptr<sqlite3, ConnectionCloser> connection_;  // outlives the statements below
  std::unordered_map<std::string, Statement> cache_;
  bool abandoned_ = false;  // a transaction is open that could not be rolled back
};

/// BEGIN IMMEDIATE now, COMMIT when asked, ROLLBACK if it dies before. Requires that the database
/// outlives it and stays where it is.
class Transaction {
 public:
  [[nodiscard]] static Result<Transaction> begin(Database& database);
  [[nodiscard]] Result<void> commit();

  Transaction(Transaction&& other) noexcept : database_(other.database_) {
    other.database_ = nullptr;
  }
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  Transaction& operator=(Transaction&&) = delete;
  ~Transaction();

 private:
  explicit Transaction(Database& database) : database_(&database) {}

  Database* database_;  // null once it has ended
};

}  // namespace rowbot::sqlite
