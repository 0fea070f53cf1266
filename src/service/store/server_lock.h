// The right to be the only server of a database. A server keeps games in memory and would not see
// what another one writes, so that two on one file answer with different games. Programs that only
// add or read finished games (match, experiment, games, sqlite3) need no right and may share.
// Thread safety: plain value; hold it as long as the server runs.
#pragma once

#include <string>

#include "base/result.h"

namespace rowbot::store {

class ServerLock {
 public:
  /// Locks `<database>.serve-lock`, which stays behind as an empty or small file. Refuses when
  /// another process holds it, whatever name it used for the database. The system gives the lock
  /// back when the process ends, however it ends. ":memory:" has nothing to lock.
  [[nodiscard]] static Result<ServerLock> take(const std::string& database);

  /// Fails when another process is the server of this database, and says which.
  [[nodiscard]] static Result<void> refuse_other(const std::string& database);

  ServerLock(ServerLock&& other) noexcept;
  ServerLock& operator=(ServerLock&&) = delete;
  ServerLock(const ServerLock&) = delete;
  ServerLock& operator=(const ServerLock&) = delete;
  ~ServerLock();

 private:
  explicit ServerLock(int file) : file_(file) {}

  int file_;  // negative: nothing is locked
};

}  // namespace rowbot::store
