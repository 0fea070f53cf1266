#include "service/store/sqlite_store.h"

#include <future>
#include <utility>

#include "fmt/core.h"
#include "service/store/changes.h"
#include "service/store/game_rows.h"
#include "service/store/schema.h"

namespace rowbot::store {
namespace {

constexpr std::chrono::seconds kProbeInterval{1};

/// All changes of a batch or none of them, without harm to the others in the transaction. Sets
/// `storage_failed` when the reason is not the change but the disk: then the transaction is lost.
Result<void> apply_batch(sqlite::Database& database, const std::vector<Change>& changes,
                         bool& storage_failed) {
  const auto failed = [&](const Result<void>& result) {
    storage_failed = !result && (database.storage_failed() || !database.in_transaction());
    return !result;
  };
  auto begun = database.run("SAVEPOINT batch");
  if (failed(begun)) return begun;
  for (const Change& change : changes) {
    auto applied = apply_change(database, change);
    if (!failed(applied)) continue;
    if (storage_failed) return applied;
    if (auto undone = database.run("ROLLBACK TO batch"); failed(undone)) return undone;
    if (auto released = database.run("RELEASE batch"); failed(released)) return released;
    return applied;
  }
  auto released = database.run("RELEASE batch");
  static_cast<void>(failed(released));
  return released;
}

}  // namespace

Result<std::unique_ptr<SqliteStore>> SqliteStore::open(const std::string& path,
                                                       const sqlite::OpenOptions& options) {
  auto writer = open_database(path, options);
  if (!writer) return writer.error();
  auto reader = writer->open_again();
  if (!reader) return reader.error();
  return std::unique_ptr<SqliteStore>(new SqliteStore(*std::move(writer), *std::move(reader)));
}

SqliteStore::SqliteStore(sqlite::Database writer, sqlite::Database reader)
    : reader_(std::move(reader)),
      writer_(std::move(writer)),
      writing_([this](const std::stop_token& stop) { write_until_stopped(stop); }) {}

SqliteStore::~SqliteStore() {
  writing_.request_stop();
  writing_.join();
}

void SqliteStore::write(std::vector<Change> changes, Done done) {
  {
    const std::lock_guard lock(queue_mutex_);
    queue_.push_back({.changes = std::move(changes), .done = std::move(done)});
  }
  queue_filled_.notify_one();
}

void SqliteStore::write_until_stopped(const std::stop_token& stop) {
  while (true) {
    std::vector<Batch> batches;
    {
      const auto filled = [this] { return !queue_.empty(); };
      const bool probing = !write_trouble().empty();
      std::unique_lock lock(queue_mutex_);
      if (probing) {
        queue_filled_.wait_for(lock, stop, kProbeInterval, filled);
      } else {
        queue_filled_.wait(lock, stop, filled);
      }
      if (queue_.empty() && stop.stop_requested()) return;  // nothing is left to write
      batches.swap(queue_);
    }
    if (batches.empty()) {
      probe();
    } else {
      commit(batches);
    }
  }
}

void SqliteStore::commit(std::vector<Batch>& batches) {
  std::vector<Result<void>> results(batches.size());
  Result<void> committed = commit_all(batches, results);
  // On a small disk the log may fill it long before SQLite would empty it by itself.
  if (!committed && writer_.empty_log()) committed = commit_all(batches, results);
  set_trouble(committed);
  for (std::size_t i = 0; i < batches.size(); ++i) {
    batches[i].done(committed ? results[i] : committed);
  }
}

/// A full disk or a failing one may end the transaction in the middle. Then nothing of it counts,
/// and a statement more would be a transaction of its own.
Result<void> SqliteStore::commit_all(const std::vector<Batch>& batches,
                                     std::vector<Result<void>>& results) {
  auto transaction = sqlite::Transaction::begin(writer_);
  if (!transaction) return transaction.error();
  for (std::size_t i = 0; i < batches.size(); ++i) {
    bool storage_failed = false;
    results[i] = apply_batch(writer_, batches[i].changes, storage_failed);
    if (storage_failed) return results[i];
  }
  return transaction->commit();
}

/// Writes what is there already: the database's own version number.
void SqliteStore::probe() {
  set_trouble([this]() -> Result<void> {
    static_cast<void>(writer_.empty_log());
    auto transaction = sqlite::Transaction::begin(writer_);
    if (!transaction) return transaction.error();
    if (auto done = writer_.execute(fmt::format("PRAGMA user_version = {}", migrations().size()));
        !done) {
      return done;
    }
    return transaction->commit();
  }());
}

void SqliteStore::set_trouble(const Result<void>& written) {
  const std::lock_guard lock(trouble_mutex_);
  trouble_ = written ? std::string() : written.error().message;
}

std::string SqliteStore::write_trouble() const {
  const std::lock_guard lock(trouble_mutex_);
  return trouble_;
}

Result<std::optional<StoredGame>> SqliteStore::game(std::string_view token) {
  const std::lock_guard lock(reader_mutex_);
  auto row = reader_.cached(
      fmt::format("SELECT {} FROM games WHERE token = ?1 OR guest = ?1", kGameColumns));
  if (!row) return row.error();
  const auto found = (*row)->bind(token).step();
  if (!found) return found.error();
  if (!*found) return std::optional<StoredGame>();
  auto game = read_game(**row);
  if (!game) return game.error();
  return std::optional(*std::move(game));
}

Result<Statistics> SqliteStore::statistics() {
  const std::lock_guard lock(reader_mutex_);
  Statistics statistics;
  const auto each_row = [this](std::string_view sql, auto use) -> Result<void> {
    auto rows = reader_.cached(sql);
    if (!rows) return rows.error();
    while (true) {
      const auto row = (*rows)->step();
      if (!row) return row.error();
      if (!*row) break;
      use(**rows);
    }
    return {};
  };
  auto read = each_row("SELECT games FROM game_counts WHERE kind = 'website'",
                       [&](const sqlite::Statement& row) { statistics.games = row.integer(0); });
  if (!read) return read.error();
  read = each_row("SELECT level, winner, games FROM tally", [&](const sqlite::Statement& row) {
    statistics.tally.push_back(
        {.level = row.text(0), .winner = row.text(1), .games = row.integer(2)});
  });
  if (!read) return read.error();
  read = each_row("SELECT feel, age, answers FROM survey_tally WHERE answers > 0",
                  [&](const sqlite::Statement& row) {
                    statistics.surveys.push_back(
                        {.feel = row.text(0), .age = row.text(1), .answers = row.integer(2)});
                  });
  if (!read) return read.error();
  return statistics;
}

Result<std::string> SqliteStore::note(std::string_view name) {
  const std::lock_guard lock(reader_mutex_);
  auto row = reader_.cached("SELECT value FROM notes WHERE name = ?1");
  if (!row) return row.error();
  const auto found = (*row)->bind(name).step();
  if (!found) return found.error();
  std::string value = *found ? (*row)->text(0) : "";
  return value;
}

Result<void> write_and_wait(Store& store, std::vector<Change> changes) {
  std::promise<Result<void>> told;
  store.write(std::move(changes), [&told](Result<void> result) { told.set_value(result); });
  return told.get_future().get();
}

}  // namespace rowbot::store
