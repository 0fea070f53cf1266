// All games in progress: finds a game in memory or in the store, passes commands to its session,
// lets agents think in the pool. Memory shows only what the store has acknowledged: a change is
// stored first, one at a time for each game, and no agent answers a move that is not stored.
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
  boost::asio::io_context& io;
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
  using Game = std::shared_ptr<LiveGame>;

  /// All parts must outlive the service.
  GameService(const GameServiceParts& parts, GameServiceOptions options);

  // A client is a client_key().
  Task<HttpResult<GameView>> create(const NewGameMessage& message, const std::string& client);
  Task<HttpResult<GameView>> restart(const std::string& token, const RestartMessage& message,
                                     const std::string& client);
  Task<HttpResult<GameView>> get(const std::string& token, const std::string& client);
  /// With the agent's answer, unless that takes too long.
  Task<HttpResult<GameView>> play(const std::string& token, const MoveMessage& message,
                                  const std::string& client);
  Task<HttpResult<GameView>> undo(const std::string& token);
  Task<HttpResult<GameView>> resign(const std::string& token);

  /// The game as it is now, in memory from now on; for what reads and never changes it.
  Task<HttpResult<Game>> find(const std::string& token);

  /// Calls `tell` at every change, the present state first, until unwatch() with the number given,
  /// or until `closed` is called: the watcher has to begin anew, because the store failed or
  /// telling did. Neither may call the service. Requires that find() has just given the game; else
  /// 503.
  [[nodiscard]] HttpResult<std::uint64_t> watch(std::string_view token, LiveGame::Watcher watcher);
  void unwatch(std::string_view token, std::uint64_t number);

  [[nodiscard]] std::size_t live_games() const { return games_.size(); }
  [[nodiscard]] std::size_t watchers() const { return watchers_; }

 private:
  [[nodiscard]] Game in_memory(std::string_view token) const;
  /// The game when nothing of it is on its way to the store.
  Task<HttpResult<Game>> find_to_change(const std::string& token);
  [[nodiscard]] HttpResult<Game> game_of(Result<std::optional<store::StoredGame>> stored);
  [[nodiscard]] Game make_live(store::GameHead head, table::Session session) const;
  void insert(const Game& game);
  [[nodiscard]] bool make_room();
  /// Why the agent on this side cannot be asked now: better to refuse than to keep waiting.
  [[nodiscard]] std::optional<ApiError> overload(const table::Snapshot& game, game::Side thinker,
                                                 const std::string& client);

  /// Stores the changes and, if that succeeds, makes `next` the game's session; else forgets it.
  Task<bool> commit(const Game& game, const table::Session& next,
                    std::vector<store::Change>& changes);
  /// Lets agents go on and tells all who wait or watch.
  void publish(const Game& game);
  void forget(const Game& game);
  void close_watchers(LiveGame& game);
  /// Waits for the agent's answer, but not for ever.
  Task<HttpResult<GameView>> view_after_agent(const Game& game, const std::string& token,
                                              bool tell_guest) const;

  /// Sets the agent to work whose turn it is, if it is not at work already.
  void schedule(const Game& game);
  Task<void> run_agent(Game game);
  /// The move of the agent whose turn it is.
  Task<void> move_agent(const Game& game);
  /// Nothing when the game has changed meanwhile.
  Task<std::optional<agents::Decision>> think(const Game& game,
                                              LiveGame::Clock::time_point started);
  [[nodiscard]] bool attended(const LiveGame& game) const;

  boost::asio::io_context& io_;
  Loop& loop_;
  store::Store& store_;
  StoreHealth& health_;
  ReadPool& readers_;
  SearchPool& pool_;
  RequestCosts& costs_;
  Metrics& metrics_;
  GameServiceOptions options_;
  std::unordered_map<std::string, Game> games_;          // by their own token
  std::unordered_map<std::string, std::string> guests_;  // guest's token to the game's own
  std::uint64_t forgotten_ = 0;  // games that left memory; what was read before may be old
  std::uint64_t next_watcher_ = 1;
  std::size_t watchers_ = 0;
};

}  // namespace rowbot::server
