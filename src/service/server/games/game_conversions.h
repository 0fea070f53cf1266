// A game as a request asks for it, as a session plays it and as the store keeps it.
// Thread safety: pure functions.
#pragma once

#include <string_view>
#include <vector>

#include "robot/table/session.h"
#include "service/server/http/messages.h"
#include "service/store/store.h"

namespace rowbot::server {

/// A new game with new tokens.
[[nodiscard]] store::NewGame new_game_of(const NewGameMessage& message);
[[nodiscard]] table::Setup setup_of(const store::GameHead& head, const game::GameRecord& record);
/// Who plays whom, in the words of the API: "human-human", "human-agent" or "agent-agent".
[[nodiscard]] std::string_view kind_of(const table::Setup& setup);
/// The message that would make the same game once more.
[[nodiscard]] NewGameMessage message_of(const store::GameHead& head, const table::Setup& setup);

/// The last move of the game, and its end if it is over.
[[nodiscard]] std::vector<store::Change> move_changes(const store::GameHead& head,
                                                      const table::Snapshot& after,
                                                      game::MoveTime thinking);

/// The end of a game that is over.
[[nodiscard]] store::EndGame end_change(const store::GameHead& head, const table::Snapshot& game);

}  // namespace rowbot::server
