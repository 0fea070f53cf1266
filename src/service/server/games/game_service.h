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
#include "service/server/http/request_costs.h"
#include "service/server/loop.h"
#include "service/server/metrics.h"
#include "service/server/options.h"
#include "service/server/read_pool.h"
#include "service/server/store_health.h"

namespace rowbot::server {

/// What games need of the server around them.
struct GameServiceParts {
  Loop& loop;
  store::Store& store;
  StoreHealth& health;
  ReadPool& readers;
  SearchPool& pool;
  RequestCosts& costs;
  Metrics& metrics;
};

class GameService {
 public:
  /// All parts must outlive the service, and the loop must not run its work after it.
  GameService(const GameServiceParts& parts, GameServiceOptions options);

  // Every reply is called exactly once, later or at once. A client is a client_key().
  void create(const NewGameMessage& message, const std::string& client, Reply reply);
  void restart(std::string_view token, const RestartMessage& message, const std::string& client,
               Reply reply);
  void look(std::string_view token, const std::string& client, Reply reply);
  void play(std::string_view token, const MoveMessage& message, const std::string& client,
            Reply reply);
  void undo(std::string_view token, Reply reply);
  void resign(std::string_view token, Reply reply);

  /// Calls `tell` at every change that is safe in the store, the present state first, until
  /// unwatch() with the number given, or until `closed` is called: the store failed, memory was
  /// forgotten, and the watcher has to begin anew. Neither may call the service. Requires that
  /// find() has just given the game; else 503.
  [[nodiscard]] HttpResult<std::uint64_t> watch(std::string_view token, Watcher tell,
                                                std::function<void()> closed = nullptr);
  void unwatch(std::string_view token, std::uint64_t number);

  using Game = std::shared_ptr<LiveGame>;
  using Found = std::function<void(const HttpResult<Game>&)>;
  /// The game as it is now; for what reads and never changes it. At once when it is in memory,
  /// otherwise after the store was read elsewhere.
  void find(std::string_view token, Found found);

  [[nodiscard]] std::size_t live_games() const { return games_.size(); }
  [[nodiscard]] std::size_t watchers() const { return watchers_; }

 private:
  [[nodiscard]] Game in_memory(std::string_view token);
  void load(const std::string& token);
  void finish_loading(const std::string& token, const HttpResult<Game>& game);
  [[nodiscard]] HttpResult<Game> game_of(Result<std::optional<store::StoredGame>> stored);
  [[nodiscard]] HttpResult<Game> insert(std::shared_ptr<const store::GameHead> head,
                                        table::Session session);
  [[nodiscard]] bool make_room();
  void begin(store::GameHead head, table::Setup setup, const std::string& client, Reply reply);
  void play_in(const Game& game, std::string_view token, const MoveMessage& message,
               const std::string& client, Reply reply);
  void undo_in(const Game& game, std::string_view token, Reply reply);
  void resign_in(const Game& game, std::string_view token, Reply reply);
  /// Why the agent on this side cannot be asked now: better to refuse than to keep waiting.
  [[nodiscard]] std::optional<ApiError> overload(const table::Snapshot& game, game::Side thinker,
                                                 const std::string& client);

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
  StoreHealth& health_;
  ReadPool& readers_;
  SearchPool& pool_;
  RequestCosts& costs_;
  Metrics& metrics_;
  GameServiceOptions options_;
  std::unordered_map<std::string, Game> games_;                  // by their own token
  std::unordered_map<std::string, std::string> guests_;          // guest's token to the game's own
  std::unordered_map<std::string, std::vector<Found>> loading_;  // by the token asked for
  std::uint64_t forgotten_ = 0;  // games that left memory; what was read before may be old
  std::uint64_t next_number_ = 1;
  std::size_t watchers_ = 0;
};

}  // namespace rowbot::server
