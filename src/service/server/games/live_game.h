// A game in memory: its session, what is on its way to the store, and who waits for news.
// Thread safety: the loop's thread only, but for a GameView, which anybody may read.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/agents/decision.h"
#include "robot/table/session.h"
#include "service/server/api_error.h"
#include "service/store/store.h"

namespace rowbot::server {

/// Why an agent played as it did.
struct Evidence {
  int ply = 0;  ///< the number of the move, 1 for the first
  agents::Decision decision;
};

/// What the holder of a token may do.
enum class You : std::uint8_t { kFirst, kSecond, kBoth, kNone };

/// A game as one of its token holders sees it.
struct GameView {
  std::shared_ptr<const store::GameHead> head;
  std::shared_ptr<const table::Snapshot> game;
  std::shared_ptr<const Evidence> evidence;  ///< of the last agent's move, if there was one
  std::string token;                         ///< the holder's
  You you = You::kNone;
  bool thinking = false;
  bool can_undo = false;
  bool tell_guest = false;  ///< the holder made the game and may pass the guest's token on
  std::uint64_t version = 0;
};

using Reply = std::function<void(HttpResult<GameView>)>;
using Watcher = std::function<void(const GameView&)>;

struct LiveGame {
  using Clock = std::chrono::steady_clock;

  struct Waiter {
    std::uint64_t id;
    std::string token;
    bool for_thought;  ///< wants the agent's answer too
    bool tell_guest;
    Reply reply;
  };
  struct WatcherEntry {
    std::string token;
    Watcher tell;
    std::function<void()> closed;
  };
  /// A command that came while an earlier one was on its way to the store.
  struct Deferred {
    std::function<void()> command;
    Reply reply;  ///< for an error, when the earlier one could not be stored
  };

  LiveGame(std::shared_ptr<const store::GameHead> the_head, table::Session the_session)
      : head(std::move(the_head)), session(std::move(the_session)) {}

  std::shared_ptr<const store::GameHead> head;
  table::Session session;
  std::shared_ptr<const Evidence> evidence;

  bool thinking = false;
  bool paused = false;           ///< agent against agent, until the next look or stored move
  std::uint64_t generation = 0;  ///< grows when a thought under way has become useless
  std::uint64_t version = 0;
  std::string client;  ///< who asked last, and in whose share of the search threads it is played
  Clock::time_point turn_since = Clock::now();  ///< when the side to move got its turn

  std::uint64_t written = 0;  ///< batches handed to the store, at most one that is not durable
  std::uint64_t durable = 0;  ///< batches it has acknowledged
  bool broken = false;        ///< the store refused one: memory and store differ

  std::vector<Waiter> waiters;
  std::vector<Deferred> deferred;
  std::map<std::uint64_t, WatcherEntry> watchers;
  Clock::time_point seen = Clock::now();

  [[nodiscard]] You you(std::string_view token) const;
  /// The side for which the holder of this token acts now; nothing if it is not theirs to act.
  [[nodiscard]] std::optional<game::Side> acting_side(std::string_view token) const;
  /// The side whose move the holder would take back.
  [[nodiscard]] std::optional<game::Side> undo_side(std::string_view token) const;
  [[nodiscard]] GameView view(std::string_view token, bool tell_guest) const;
  /// All that was handed to the store is safe there.
  [[nodiscard]] bool stored() const { return written == durable; }
  [[nodiscard]] bool idle() const {
    return !thinking && waiters.empty() && watchers.empty() && stored();
  }
  [[nodiscard]] bool agents_only() const {
    return !session.snapshot()->setup.first.human() && !session.snapshot()->setup.second.human();
  }
};

}  // namespace rowbot::server
