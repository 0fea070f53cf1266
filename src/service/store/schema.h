// The tables of the one database that website and laboratory share, as the ordered list of steps
// that lead to them. A step that has been released is never changed: append the next one.
// Thread safety: constant data; as Database.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/sqlite/database.h"

namespace rowbot::store {

[[nodiscard]] std::span<const std::string_view> migrations();

/// Database::open with these tables. A file of an older version is brought up to date in one
/// transaction; refused while a server, which must be an older program, runs on it.
[[nodiscard]] Result<sqlite::Database> open_database(const std::string& path,
                                                     sqlite::OpenOptions options = {});

}  // namespace rowbot::store
