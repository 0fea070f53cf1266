// The Store in one SQLite file. A thread of its own writes: it takes all that waits, makes it in
// one transaction and tells everybody after the commit, so that a hundred players share the cost
// of one wait for the disk (group commit).
// Thread safety: as Store.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "base/sqlite/database.h"
#include "service/store/store.h"

namespace rowbot::store {

class SqliteStore final : public Store {
 public:
  /// Opens or makes the file; see Database::open for what is refused.
  [[nodiscard]] static Result<std::unique_ptr<SqliteStore>> open(
      const std::string& path, const sqlite::OpenOptions& options = {});

  SqliteStore(const SqliteStore&) = delete;
  SqliteStore& operator=(const SqliteStore&) = delete;
  SqliteStore(SqliteStore&&) = delete;
  SqliteStore& operator=(SqliteStore&&) = delete;
  ~SqliteStore() override;

  void write(std::vector<Change> changes, Done done) override;
  [[nodiscard]] Result<std::optional<StoredGame>> game(std::string_view token) override;
  [[nodiscard]] Result<Statistics> statistics() override;
  [[nodiscard]] Result<std::string> note(std::string_view name) override;
  /// A change that does not fit what is stored is no trouble. While there is trouble the writing
  /// thread tries once a second whether it is over, so that this needs no visitor to become empty.
  [[nodiscard]] std::string write_trouble() const override;

 private:
  struct Batch {
    std::vector<Change> changes;
    Done done;
  };

  SqliteStore(sqlite::Database writer, sqlite::Database reader);
  void write_until_stopped(const std::stop_token& stop);
  void commit(std::vector<Batch>& batches);
  [[nodiscard]] Result<void> commit_all(const std::vector<Batch>& batches,
                                        std::vector<Result<void>>& results);
  void probe();
  void set_trouble(const Result<void>& written);

  std::mutex queue_mutex_;  // guards queue_
  std::condition_variable_any queue_filled_;
  std::vector<Batch> queue_;

  mutable std::mutex trouble_mutex_;  // guards trouble_
  std::string trouble_;

  std::mutex reader_mutex_;  // guards reader_
  sqlite::Database reader_;
  sqlite::Database writer_;  // only the thread below uses it
  std::jthread writing_;     // last: it starts when all else is there and ends first
};

}  // namespace rowbot::store
