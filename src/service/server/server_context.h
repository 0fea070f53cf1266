// All parts of a server without its port: what connections share, and what answers them.
// Thread safety: the loop's thread only.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <set>

#include "boost/asio/io_context.hpp"
#include "service/server/games/advice_service.h"
#include "service/server/games/game_service.h"
#include "service/server/games/search_pool.h"
#include "service/server/http/rate_limiter.h"
#include "service/server/http/request_costs.h"
#include "service/server/lab/laboratory.h"
#include "service/server/loop.h"
#include "service/server/metrics.h"
#include "service/server/options.h"
#include "service/server/public_data.h"
#include "service/server/read_pool.h"
#include "service/server/store_health.h"
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

class AsioLoop final : public Loop {
 public:
  AsioLoop(boost::asio::io_context& io, Metrics& metrics) : io_(io), metrics_(metrics) {}

  /// From another thread it waits for memory: what a thread has done must be reported, or a visitor
  /// would wait for ever.
  void post(std::function<void()> work) override;
  void after(std::chrono::nanoseconds time, std::function<void()> work) override;

 private:
  void run(const std::function<void()>& work);

  boost::asio::io_context& io_;
  Metrics& metrics_;
};

struct ServerContext {
  /// The store must outlive it, and so must the robot's table if there is one.
  ServerContext(Options the_options, store::Store& store, table::TableFeed* robot);
  ServerContext(const ServerContext&) = delete;
  ServerContext& operator=(const ServerContext&) = delete;
  ServerContext(ServerContext&&) = delete;
  ServerContext& operator=(ServerContext&&) = delete;
  /// Requires that the loop does not run.
  ~ServerContext();

  Options options;
  Metrics metrics;
  RateLimiter clients;
  RequestCosts costs;
  std::set<Connection*> connections;
  std::size_t turned_away = 0;  ///< of the connections: they are only told why
  bool closing = false;
  // By pointer, since these end before the services, in the order of the destructor.
  std::unique_ptr<boost::asio::io_context> io = std::make_unique<boost::asio::io_context>(1);
  AsioLoop loop;
  store::Store& store;
  StoreHealth health;
  std::unique_ptr<ReadPool> readers;
  std::unique_ptr<SearchPool> pool;
  Laboratory laboratory;
  TableService table;
  GameService games;
  AdviceService advice;
  PublicData public_data;

 private:
  [[nodiscard]] GameServiceParts parts();
};

}  // namespace rowbot::server
