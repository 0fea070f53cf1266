// All games in progress: finds a game in memory or in the store, passes commands to
// its session, lets agents think in the pool, and answers only when the store has acknowledged
// what the answer shows.
// Thread safety: the loop's thread only.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "service/server/games/live_game.h"
#include "service/server/games/search_pool.h"
#include "service/server/http/messages.h"
#include "service/server/loop.h"
#include "service/server/metrics.h"
#include "service/server/options.h"

namespace rowbot::server {

class GameService {
 public:
  /// All of these must outlive the games, and the loop must not run its work after it.
  GameService(Loop& loop, store::Store& store, SearchPool& pool, Metrics& metrics,
              HallOptions options);

  // Every reply is called exactly once, later or at once.
  void create(const NewGameMessage& message, Reply reply);
  void restart(std::string_view token, const RestartMessage& message, Reply reply);
  void look(std::string_view token, Reply reply);
  void play(std::string_view token, const MoveMessage& message, Reply reply);
  void undo(std::string_view token, Reply reply);
  void resign(std::string_view token, Reply reply);

  /// Calls `tell` at every change that is safe in the store, the present state first, until
  /// unwatch() with the number given, or until `closed` is called: the store failed, memory was
  /// forgotten, and the watcher has to begin anew. Neither may call the service.
  [[nodiscard]] HttpResult<std::uint64_t> watch(std::string_view token, Watcher tell,
                                                std::function<void()> closed = nullptr);
  void unwatch(std::string_view token, std::uint64_t number);

  /// The game as it is now; for what reads and never changes it.
  [[nodiscard]] HttpResult<std::shared_ptr<LiveGame>> find(std::string_view token);

  [[nodiscard]] std::size_t live_games() const { return games_.size(); }
  [[nodiscard]] std::size_t watchers() const { return watchers_; }

 private:
  using Game = std::shared_ptr<LiveGame>;

  [[nodiscard]] HttpResult<Game> load(std::string_view token);
  [[nodiscard]] HttpResult<Game> insert(std::shared_ptr<const store::GameHead> head,
                                        table::Session session);
  [[nodiscard]] bool make_room();
  void begin(store::GameHead head, table::Setup setup, Reply reply);
  /// True if an agent is to move and its lane is full: better to refuse than to keep waiting.
  [[nodiscard]] bool overloaded(const table::Snapshot& game, game::Side thinker) const;

  void wake(const Game& game);
  void start_thinking(const Game& game);
  void think_later(const Game& game, std::chrono::nanoseconds pause);
  void thought(const Game& game, std::uint64_t generation, const agents::Decision& decision,
               LiveGame::Clock::time_point started);
  /// True if the command has to wait until what came before it is stored; it is called again then.
  [[nodiscard]] bool deferred(const Game& game, const Reply& reply, std::function<void()> command);
  void changed(const Game& game, std::vector<store::Change> changes);
  void written(const Game& game, const Result<void>& result);
  void forget(const Game& game);
  void wait(const Game& game, std::string_view token, bool for_thought, bool tell_guest,
            Reply reply);
  void settle(const Game& game);
  [[nodiscard]] std::optional<store::Change> ending(const LiveGame& game) const;

  Loop& loop_;
  store::Store& store_;
  SearchPool& pool_;
  Metrics& metrics_;
  HallOptions options_;
  std::unordered_map<std::string, Game> games_;          // by their own token
  std::unordered_map<std::string, std::string> guests_;  // guest's token to the game's own
  std::uint64_t next_number_ = 1;
  std::size_t watchers_ = 0;
};

}  // namespace rowbot::server
