// A game in memory, exactly as the store has it, and who waits for its next change.
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
#include <utility>

#include "engine/agents/decision.h"
#include "robot/table/session.h"
#include "service/server/api_error.h"
#include "service/server/task.h"
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

struct LiveGame {
  using Clock = std::chrono::steady_clock;

  struct Watcher {
    std::string token;
    std::function<void(const GameView&)> tell;
    std::function<void()> closed;
  };

  LiveGame(boost::asio::io_context& io, std::shared_ptr<const store::GameHead> the_head,
           table::Session the_session)
      : head(std::move(the_head)), session(std::move(the_session)), changed(io) {}

  std::shared_ptr<const store::GameHead> head;
  table::Session session;
  std::shared_ptr<const Evidence> evidence;
  std::uint64_t version = 0;

  std::uint64_t changes = 0;  ///< grows with every change, which makes a search under way useless
  std::optional<std::uint64_t> agent_turn;  ///< an agent is at work on the game after this change
  bool thinking = false;
  std::string client;  ///< who asked last, and in whose share of the search threads it is played
  Clock::time_point turn_since = Clock::now();  ///< when the side to move got its turn

  bool storing = false;    ///< a change is on its way to the store; others wait
  bool forgotten = false;  ///< the store refused a change: memory and store may differ
  Event changed;           ///< any of the above

  std::map<std::uint64_t, Watcher> watchers;
  Clock::time_point seen = Clock::now();

  [[nodiscard]] You you(std::string_view token) const;
  /// The side for which the holder of this token acts now; nothing if it is not theirs to act.
  [[nodiscard]] std::optional<game::Side> acting_side(std::string_view token) const;
  /// The side whose move the holder would take back.
  [[nodiscard]] std::optional<game::Side> undo_side(std::string_view token) const;
  /// The maker of the game, when it is asked for, is told the guest's token.
  [[nodiscard]] GameView view(std::string_view token, bool tell_guest) const;
  [[nodiscard]] bool idle() const {
    return !agent_turn && !storing && !changed.awaited() && watchers.empty();
  }
  [[nodiscard]] bool agents_only() const {
    return !session.snapshot()->setup.first.human() && !session.snapshot()->setup.second.human();
  }
};

}  // namespace rowbot::server
