// One connection from a visitor: HTTP requests one after the other, perhaps a WebSocket in the end.
// Thread safety: the loop's thread only.
#pragma once

#include <cstddef>
#include <memory>
#include <set>
#include <string>
// Asio 1.74 forgets <utility>, which its coroutines need.
#include <utility>

#include "boost/asio/awaitable.hpp"
#include "boost/asio/io_context.hpp"
#include "boost/asio/ip/tcp.hpp"
#include "service/server/games/game_service.h"
#include "service/server/http/api.h"
#include "service/server/http/rate_limiter.h"
#include "service/server/http/request_costs.h"
#include "service/server/metrics.h"
#include "service/server/options.h"
#include "service/server/table/table_service.h"

namespace rowbot::server {

/// A connection as the server sees it.
class Connection {
 public:
  Connection() = default;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  Connection(Connection&&) = delete;
  Connection& operator=(Connection&&) = delete;
  virtual ~Connection() = default;

  /// Leave when the answer under way is sent.
  virtual void close_when_idle() = 0;
};

/// What all connections share.
struct ServerContext {
  explicit ServerContext(Options the_options)
      : options(std::move(the_options)),
        clients(options.remote, options.local),
        costs(options.remote_budgets, options.local_budgets) {}

  Options options;
  Metrics metrics;
  RateLimiter clients;
  RequestCosts costs;
  std::set<Connection*> connections;
  std::size_t turned_away = 0;  ///< of the connections: they are only told why
  bool closing = false;
  std::unique_ptr<boost::asio::io_context> io = std::make_unique<boost::asio::io_context>(1);
  std::unique_ptr<GameService> games;
  std::unique_ptr<TableService> table;
  std::unique_ptr<Api> api;
};

/// Serves until the visitor leaves, is too slow, or the server closes.
[[nodiscard]] boost::asio::awaitable<void> serve_connection(ServerContext& context,
                                                            boost::asio::ip::tcp::socket socket);

}  // namespace rowbot::server
