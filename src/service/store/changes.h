// Each change as statements, inside whatever transaction is open.
// Thread safety: as Database.
#pragma once

#include "base/result.h"
#include "base/sqlite/database.h"
#include "service/store/store.h"

namespace rowbot::store {

[[nodiscard]] Result<void> apply_change(sqlite::Database& database, const Change& change);

}  // namespace rowbot::store
