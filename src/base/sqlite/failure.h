// Why SQLite could not do something, in words that say what to do about it.
// Thread safety: as the connection.
#pragma once

#include <string>

struct sqlite3;

namespace rowbot::sqlite {

/// The reason of the connection's last failure. A full disk, a read-only place, another program's
/// lock, a damaged file and a failing disk each have their own words.
[[nodiscard]] std::string failure_text(sqlite3* connection);

/// Whether the last failure means that the file's content is wrong, not that it cannot be reached.
[[nodiscard]] bool is_damage(sqlite3* connection);

/// Whether it lies with the disk, the file, a lock or the memory, not with the statement.
[[nodiscard]] bool is_storage_failure(sqlite3* connection);

}  // namespace rowbot::sqlite
