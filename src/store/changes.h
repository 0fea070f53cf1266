// Each change as statements, inside whatever transaction is open.
// Thread safety: as Database.
#pragma once

#include "base/result.h"
#include "store/database.h"
#include "store/store.h"

namespace rowbot::store {

[[nodiscard]] Result<void> apply_change(Database& database, const Change& change);

}  // namespace rowbot::store
