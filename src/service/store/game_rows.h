// The rows of the one table of games.
// Thread safety: as Database.
#pragma once

#include <string_view>

#include "base/result.h"
#include "base/sqlite/database.h"
#include "service/store/store.h"

namespace rowbot::store {

/// What read_game() wants selected, in its order.
inline constexpr std::string_view kGameColumns =
    "id, kind, token, guest, level, match, number, site, created, ended, first, second, first_seed,"
    " second_seed, first_us, second_us, moves, thinking, result, reason, start_moves, had_undo, "
    "note";

/// The game of the present row. Refuses one that contradicts itself, and says which.
[[nodiscard]] Result<StoredGame> read_game(const sqlite::Statement& row);

/// Inside whatever transaction is open. A game whose match and number are there is left out.
[[nodiscard]] Result<void> insert_game(sqlite::Database& database, const GameHead& head,
                                       const game::GameRecord& record);

}  // namespace rowbot::store
