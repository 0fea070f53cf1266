#include "service/server/server.h"

#include <algorithm>
#include <csignal>
#include <new>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "boost/asio/co_spawn.hpp"
#include "boost/asio/detached.hpp"
#include "boost/asio/ip/address.hpp"
#include "boost/asio/post.hpp"
#include "boost/asio/redirect_error.hpp"
#include "boost/asio/signal_set.hpp"
#include "boost/asio/steady_timer.hpp"
#include "boost/asio/use_awaitable.hpp"
#include "fmt/core.h"
#include "service/server/games/search_pool.h"
#include "service/server/http/connection.h"
#include "service/server/http/page.h"
#include "service/server/loop.h"
#include "service/server/read_pool.h"
#include "service/server/store_health.h"

namespace rowbot::server {
namespace {

using boost::asio::ip::tcp;
using ErrorCode = boost::system::error_code;

constexpr std::chrono::milliseconds kAcceptPause{100};
constexpr std::chrono::milliseconds kClosingLook{20};
constexpr std::chrono::milliseconds kMemoryPause{10};

class AsioLoop final : public Loop {
 public:
  AsioLoop(boost::asio::io_context& io, Metrics& metrics) : io_(io), metrics_(metrics) {}

  void post(std::function<void()> work) override {
    std::shared_ptr<std::function<void()>> kept;
    while (true) {
      try {
        if (!kept) kept = std::make_shared<std::function<void()>>(std::move(work));
        return boost::asio::post(io_, [this, kept] { run(*kept); });
      } catch (const std::bad_alloc&) {
        // What a thread has done must be reported, or a visitor would wait for ever.
        if (io_.get_executor().running_in_this_thread()) throw;
        std::this_thread::sleep_for(kMemoryPause);
      }
    }
  }
  void after(std::chrono::nanoseconds time, std::function<void()> work) override {
    auto timer = std::make_shared<boost::asio::steady_timer>(io_, time);
    timer->async_wait([this, timer, work = std::move(work)](const ErrorCode& error) {
      if (!error) run(work);
    });
  }

 private:
  /// One piece of work that fails, for want of memory most likely, must not end the server.
  void run(const std::function<void()>& work) {
    const auto began = std::chrono::steady_clock::now();
    try {
      work();
    } catch (const std::exception&) {
      ++metrics_.failed_handlers;
    }
    metrics_.loop_longest = std::max<std::chrono::nanoseconds>(
        metrics_.loop_longest, std::chrono::steady_clock::now() - began);
  }

  boost::asio::io_context& io_;
  Metrics& metrics_;
};

}  // namespace

struct Server::State {
  State(const Options& options, store::Store& the_store, TableFeed* robot)
      : store(the_store),
        context(options),
        loop(*context.io, context.metrics),
        health(loop, store, context.metrics, options.error_log),
        acceptor(std::make_unique<tcp::acceptor>(*context.io)),
        readers(std::make_unique<ReadPool>(loop, options.readers)),
        pool(std::make_unique<SearchPool>(options.pool)) {
    context.games = std::make_unique<GameService>(GameServiceParts{.loop = loop,
                                                                   .store = store,
                                                                   .health = health,
                                                                   .readers = *readers,
                                                                   .pool = *pool,
                                                                   .costs = context.costs,
                                                                   .metrics = context.metrics},
                                                  options.games);
    context.table = std::make_unique<TableService>(loop, robot, options.table);
    context.api = std::make_unique<Api>(ApiParts{.loop = loop,
                                                 .store = store,
                                                 .health = health,
                                                 .readers = *readers,
                                                 .pool = *pool,
                                                 .games = *context.games,
                                                 .table = *context.table,
                                                 .clients = context.clients,
                                                 .costs = context.costs,
                                                 .metrics = context.metrics},
                                        context.options);
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  State(State&&) = delete;
  State& operator=(State&&) = delete;

  /// In this order: no thread posts to the loop any more; then nobody waits for an answer; then the
  /// coroutines go with their loop; then what they referred to.
  ~State() {
    pool.reset();
    readers.reset();
    static_cast<void>(store::write_and_wait(store, {}));  // all earlier callbacks have been called
    context.api.reset();
    context.table.reset();
    context.games.reset();
    acceptor.reset();
    signals.reset();
    context.io.reset();
  }

  [[nodiscard]] Result<void> listen() const {
    const Options& options = context.options;
    ErrorCode error;
    const auto address = boost::asio::ip::make_address(
        options.host == "localhost" ? "127.0.0.1" : options.host, error);
    if (error) {
      return Error{fmt::format(
          "{} is not an address; try 127.0.0.1 (this machine) or 0.0.0.0 (all)", options.host)};
    }
    const tcp::endpoint endpoint(address, options.port);
    acceptor->open(endpoint.protocol(), error);
    if (!error) acceptor->set_option(tcp::acceptor::reuse_address(true), error);
    if (!error) acceptor->bind(endpoint, error);
    if (!error) acceptor->listen(boost::asio::socket_base::max_listen_connections, error);
    if (error) {
      return Error{fmt::format("cannot listen on {} port {}: {}; is another program using it?",
                               options.host, options.port, error.message())};
    }
    return {};
  }

  boost::asio::awaitable<void> accept() {
    while (!context.closing) {
      ErrorCode error;
      tcp::socket socket = co_await acceptor->async_accept(
          boost::asio::redirect_error(boost::asio::use_awaitable, error));
      if (error == boost::asio::error::operation_aborted || context.closing) co_return;
      if (error) {
        // Out of file descriptors, most likely: let some visitors leave first.
        boost::asio::steady_timer pause(*context.io, kAcceptPause);
        co_await pause.async_wait(boost::asio::redirect_error(boost::asio::use_awaitable, error));
        continue;
      }
      boost::asio::co_spawn(*context.io, serve_connection(context, std::move(socket)),
                            boost::asio::detached);
    }
  }

  /// On the loop's thread.
  void close() {
    if (context.closing) return;
    context.closing = true;
    ErrorCode ignored;
    acceptor->close(ignored);
    if (signals) signals->cancel(ignored);
    const std::vector<Connection*> connections(context.connections.begin(),
                                               context.connections.end());
    for (Connection* connection : connections) connection->close_when_idle();
    wait_for_connections(std::chrono::steady_clock::now() + context.options.shutdown_within);
  }

  void wait_for_connections(std::chrono::steady_clock::time_point limit) {
    if (context.connections.empty() || std::chrono::steady_clock::now() >= limit) {
      context.io->stop();
      return;
    }
    loop.after(kClosingLook, [this, limit] { wait_for_connections(limit); });
  }

  store::Store& store;
  ServerContext context;
  AsioLoop loop;
  StoreHealth health;
  std::unique_ptr<tcp::acceptor> acceptor;
  std::unique_ptr<boost::asio::signal_set> signals;
  std::unique_ptr<ReadPool> readers;
  std::unique_ptr<SearchPool> pool;
};

Server::Server(std::unique_ptr<State> state) : state_(std::move(state)) {}
Server::~Server() = default;

Result<std::unique_ptr<Server>> Server::open(const Options& options, store::Store& store,
                                             TableFeed* robot) {
  prepare_page();
  auto state = std::make_unique<State>(options, store, robot);
  if (auto listening = state->listen(); !listening) return listening.error();
  return std::unique_ptr<Server>(new Server(std::move(state)));
}

std::uint16_t Server::port() const {
  ErrorCode error;
  return state_->acceptor->local_endpoint(error).port();
}

void Server::run() {
  State& state = *state_;
  if (state.context.options.handle_signals) {
    state.signals = std::make_unique<boost::asio::signal_set>(*state.context.io, SIGINT, SIGTERM);
    state.signals->async_wait([&state](const ErrorCode& error, int) {
      if (!error) state.close();
    });
  }
  boost::asio::co_spawn(*state.context.io, state.accept(), boost::asio::detached);
  state.context.io->run();
}

void Server::stop() {
  boost::asio::post(*state_->context.io, [state = state_.get()] { state->close(); });
}

}  // namespace rowbot::server
